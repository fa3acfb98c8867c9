package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// partOperand is an argument that names a date part: a literal or any text.
type partOperand struct {
	text     expr.Expr
	p        datePart // of a literal
	constant bool
}

func newPartOperand(name string, e expr.Expr) (o partOperand, err error) {
	if o.text, err = define.WantText.Bind(name, e); err != nil {
		return o, err
	}
	if s, ok := expr.Literal(o.text); ok {
		o.constant = true
		o.p, err = parsePart(s.Str)
	}
	return o, expr.Marked(e, err)
}

// call builds a call over the operands after the part: by the first kernel, over these
// alone, if the part is a literal, else by the second, which has the part's text too. The
// kernels may fail.
func (o partOperand) call(call expr.Callee, ret vector.Type, fixed, byText func() kernel.Func, operands ...expr.Expr) (expr.Expr, error) {
	args := append([]expr.Expr{o.text}, operands...)
	impl := &expr.Routine{Args: operands, Operation: kernel.Operation{Careful: true, Make: fixed}}
	if !o.constant {
		impl.Args, impl.Make = args, byText
	}
	return expr.NewCall(call, args, ret, impl), nil
}

// truncatablePart is a part of which functions need the boundaries.
func truncatablePart(text string) (datePart, error) {
	p, err := parsePart(text)
	if err != nil {
		return 0, err
	}
	p, ok := p.measure()
	if !ok {
		return 0, fmt.Errorf("dates are not truncated to the part %q", text)
	}
	return p, nil
}

// partByName is EXTRACT(part FROM x) as DATE_PART('part', x). Several parts make a STRUCT.
func partByName(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if names, ok := constantTexts(args[0]); ok && args[0].Type().Kind == vector.List {
		return partsByName(call, args[0], names, args[1])
	}
	part, err := newPartOperand(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	if part.constant {
		return newPart(call, part.p, args[1], args)
	}
	number := func(text string, days, nanos int64, ok bool) (int64, kernel.Outcome) {
		p, err := parsePart(text)
		if err == nil && (p == partEpoch || p == partJulian || !ok && !p.ofTime()) {
			err = fmt.Errorf("%s: the part %s must be a literal and is not one of TIME", call.Name, text)
		}
		if err != nil {
			return 0, kernel.Outcome{Err: err}
		}
		return p.of(days, nanos), kernel.Outcome{}
	}
	switch x := args[1]; x.Type().Kind {
	case vector.Interval:
		return part.call(call, define.TypeInt, nil, kernel.Try2(func(text string, v vector.IntervalValue) (int64, kernel.Outcome) {
			p, err := parsePart(text)
			if err != nil {
				return 0, kernel.Outcome{Err: err}
			}
			n, err := p.ofInterval(v)
			return n, kernel.Outcome{Err: err}
		}), x)
	case vector.Time:
		per := kernel.NanosPer(x.Type().Unit)
		return part.call(call, define.TypeInt, nil, kernel.Try2(func(text string, v int64) (int64, kernel.Outcome) {
			return number(text, 0, v*per, false)
		}), x)
	}
	x, err := widePoint(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	return part.call(call, define.TypeInt, nil, kernel.Try2(func(text string, v vector.Int128) (int64, kernel.Outcome) {
		days, nanos := vector.SplitWide(v)
		return number(text, days, nanos, true)
	}), x)
}

// widePoint is a date or timestamp as nanoseconds in UTC.
func widePoint(name string, x expr.Expr) (expr.Expr, error) {
	x, err := wantPoint.Bind(name, x)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(x, vector.TimestampType(vector.Wide, false), false)
}

// partsByName is DATE_PART(['part', …], x): a STRUCT, or NULL where x is NULL.
func partsByName(call expr.Callee, list expr.Expr, names []string, x expr.Expr) (expr.Expr, error) {
	items := make([]expr.Expr, len(names))
	for i, name := range names {
		var err error
		if items[i], err = partByName(call, []expr.Expr{expr.NewConst(vector.StringScalar(name)), x}); err != nil {
			return nil, expr.Marked(list, err)
		}
	}
	all, err := expr.NewStruct(names, items)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(x, false)}, []expr.Expr{expr.NewConst(vector.NullOf(all.Type()))}, all)
}

// constantTexts is the strings of a literal or of a LIST of literals; ok is false for
// anything else.
func constantTexts(e expr.Expr) (texts []string, ok bool) {
	s, ok := expr.Literal(e)
	switch {
	case !ok:
		return nil, false
	case s.Type.IsText():
		return []string{s.Str}, true
	case s.Type.Kind != vector.List || !s.Type.Fields[0].Type.IsText():
		return nil, false
	}
	list := s.Nested
	for i := list.Offsets[0]; i < list.Offsets[1]; i++ {
		item := list.Children[0].Get(int(i))
		if item.Null {
			return nil, false
		}
		texts = append(texts, item.Str)
	}
	return texts, true
}

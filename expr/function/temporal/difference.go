package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// counted is a function that counts a part between two points in time, or times of day.
func counted(count func(p datePart, d1, n1, d2, n2 int64) (int64, bool)) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		part, err := newPartOperand(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		c := counter{call: call, part: part, count: count, clock: args[1].Type().Kind == vector.Time || args[2].Type().Kind == vector.Time}
		if part.constant {
			if c.part.p, err = c.measure(part.p); err != nil {
				return nil, err
			}
		}
		if c.clock {
			return c.times(args[1], args[2])
		}
		return c.points(args[1], args[2])
	}, "VARCHAR, "+instants+", "+instants+" → BIGINT", "VARCHAR, TIME, TIME → BIGINT")
}

// counter builds a call that counts a part.
type counter struct {
	call  expr.Callee
	part  partOperand
	count func(p datePart, d1, n1, d2, n2 int64) (int64, bool)
	clock bool // between times of day
}

// measure checks that the part can be counted.
func (c counter) measure(p datePart) (datePart, error) {
	p, ok := p.measure()
	if !ok || c.clock && p.ofDays() {
		return p, fmt.Errorf("%s does not take this part", c.call.Name)
	}
	return p, nil
}

func (c counter) result(p datePart, d1, n1, d2, n2 int64) (int64, kernel.Outcome) {
	v, ok := c.count(p, d1, n1, d2, n2)
	if !ok {
		return 0, kernel.Outcome{Err: fmt.Errorf("%s: %w", c.call.Name, kernel.ErrOutOfRange)}
	}
	return v, kernel.Outcome{}
}

// named is result with the part as text.
func (c counter) named(text string, d1, n1, d2, n2 int64) (int64, kernel.Outcome) {
	p, err := parsePart(text)
	if err == nil {
		p, err = c.measure(p)
	}
	if err != nil {
		return 0, kernel.Outcome{Err: err}
	}
	return c.result(p, d1, n1, d2, n2)
}

func (c counter) points(a, b expr.Expr) (expr.Expr, error) {
	a, err := widePoint(c.call.Name, a)
	if err != nil {
		return nil, err
	}
	if b, err = widePoint(c.call.Name, b); err != nil {
		return nil, err
	}
	return c.part.call(c.call, define.TypeInt, kernel.Try2(func(a, b vector.Int128) (int64, kernel.Outcome) {
		d1, n1 := vector.SplitWide(a)
		d2, n2 := vector.SplitWide(b)
		return c.result(c.part.p, d1, n1, d2, n2)
	}), kernel.Try3(func(text string, a, b vector.Int128) (int64, kernel.Outcome) {
		d1, n1 := vector.SplitWide(a)
		d2, n2 := vector.SplitWide(b)
		return c.named(text, d1, n1, d2, n2)
	}), a, b)
}

func (c counter) times(a, b expr.Expr) (expr.Expr, error) {
	for _, x := range []*expr.Expr{&a, &b} {
		var err error
		if *x, err = define.ImplicitCast(*x, c.call.Name, vector.TimeType(vector.Nanos), func(t vector.Type) bool { return t.Kind == vector.Time }); err != nil {
			return nil, err
		}
	}
	return c.part.call(c.call, define.TypeInt, kernel.Try2(func(a, b int64) (int64, kernel.Outcome) {
		return c.result(c.part.p, 0, a, 0, b)
	}), kernel.Try3(func(text string, a, b int64) (int64, kernel.Outcome) {
		return c.named(text, 0, a, 0, b)
	}), a, b)
}

// dayDifference is MySQL's DATEDIFF(a, b): the days from b to a.
func dayDifference(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	part := expr.NewConst(vector.StringScalar("day"))
	return counted(datePart.between).Bind(call, []expr.Expr{part, args[1], args[0]})
}

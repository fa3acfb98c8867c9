package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// counted is a function that counts a part between two points in time, or times of day: its
// boundaries, or whole ones.
func counted(whole bool) expr.Binding {
	count := datePart.between
	if whole {
		count = datePart.complete
	}
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		part, err := newPartOperand(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		c := counter{call: call, part: part, count: count, whole: whole, clock: args[1].Type().Kind == vector.Time || args[2].Type().Kind == vector.Time}
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
	whole bool
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
	a, err := wantPoint.Bind(c.call.Name, a)
	if err != nil {
		return nil, err
	}
	if b, err = wantPoint.Bind(c.call.Name, b); err != nil {
		return nil, err
	}
	if c.whole && (a.Type().Kind == vector.TimestampTZ || b.Type().Kind == vector.TimestampTZ) {
		c.count = datePart.completeZoned
	}
	if u := a.Type().Unit; c.part.constant && a.Type().IsTimestamp() && u == b.Type().Unit && u != vector.Wide {
		return c.narrow(a, b, u)
	}
	if a, err = widePoint(c.call.Name, a); err != nil {
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

// narrow counts a known part between timestamps, or times of day, of one unit of 64 bits.
func (c counter) narrow(a, b expr.Expr, u vector.Unit) (expr.Expr, error) {
	p := c.part.p
	of := func(a, b int64) (int64, kernel.Outcome) {
		d1, n1 := vector.SplitTimestamp(a, u)
		d2, n2 := vector.SplitTimestamp(b, u)
		return c.result(p, d1, n1, d2, n2)
	}
	if size := p.nanos() / kernel.NanosPer(u); !p.ofDays() && size > 0 {
		by, wide := vector.NewDivider(size), of
		of = func(a, b int64) (int64, kernel.Outcome) {
			v := b - a
			switch {
			case (v < 0) != (b < a): // it does not fit
				return wide(a, b)
			case c.whole:
				return by.Truncate(v), kernel.Outcome{}
			}
			return by.Floor(b) - by.Floor(a), kernel.Outcome{}
		}
	}
	return c.part.call(c.call, define.TypeInt, kernel.Try2(of), nil, a, b)
}

func (c counter) times(a, b expr.Expr) (expr.Expr, error) {
	if u := a.Type().Unit; c.part.constant && a.Type().Kind == vector.Time && b.Type().Kind == vector.Time && u == b.Type().Unit && c.part.p.nanos() >= kernel.NanosPer(u) {
		return c.narrow(a, b, u)
	}
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

// fallingDifference: what is counted between two timestamps without zone is less for a later first one, and more for
// a later second one.
func fallingDifference(args []expr.Expr) []expr.Slope {
	local := func(e expr.Expr) bool {
		return e.Type().Kind == vector.Date || e.Type().IsTimestamp() && e.Type().Kind != vector.TimestampTZ
	}
	if len(args) == 3 && define.AreConstant(args[:1]) && local(args[1]) && local(args[2]) {
		return []expr.Slope{expr.Rising, expr.Falling, expr.Rising}
	}
	return nil
}

// dayDifference is MySQL's DATEDIFF(a, b): the days from b to a.
func dayDifference(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	part := expr.NewConst(vector.StringScalar("day"))
	return counted(false).Bind(call, []expr.Expr{part, args[1], args[0]})
}

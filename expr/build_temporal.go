package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// newTemporal builds arithmetic with dates, times and intervals. It returns nil, nil
// if no such operation takes these operands.
func newTemporal(op scalar.Op, l, r Expr) (Expr, error) {
	if (op == scalar.OpAdd || op == scalar.OpMul) && temporalRank(l.Type()) < temporalRank(r.Type()) {
		l, r = r, l // both commute
	}
	a, b := l.Type(), r.Type()
	interval := vector.Of(vector.Interval)
	switch {
	case op == scalar.OpMul && a.Kind == vector.Interval && (b.IsInteger() || b.Kind == vector.Null):
		return arithOf(op, l, r, interval, a, vector.Of(vector.BigInt))
	case (op == scalar.OpMul || op == scalar.OpDiv) && a.Kind == vector.Interval && (b.IsNumeric() || b.Kind == vector.Null):
		return arithOf(op, l, r, interval, a, vector.Of(vector.Double))
	case op != scalar.OpAdd && op != scalar.OpSub:
		return nil, nil
	case b.Kind == vector.Interval || b.Kind == vector.Null && (scalar.IsInstant(a) || a.Kind == vector.Interval || a.Kind == vector.Time):
		return newShift(op, l, r)
	case a.Kind == vector.Date && b.IsInteger():
		return arithOf(op, l, r, a, a, vector.Of(vector.BigInt))
	case op == scalar.OpAdd && a.Kind == vector.Time && b.Kind == vector.Date:
		// A date and a time of day make a timestamp.
		clock, err := NewCast(l, interval, false)
		if err != nil {
			return nil, err
		}
		return newShift(op, r, clock)
	case op == scalar.OpSub && a.Kind == vector.Date && b.Kind == vector.Date:
		return fold(&Arith{Op: op, L: l, R: r, T: vector.Of(vector.BigInt)}), nil
	case op == scalar.OpSub && scalar.IsInstant(a) && scalar.IsInstant(b):
		t := commonInstant(a, b)
		return arithOf(op, l, r, interval, t, t)
	case op == scalar.OpSub && a.Kind == vector.Time && b.Kind == vector.Time:
		t := vector.TimeType(max(a.Unit, b.Unit))
		return arithOf(op, l, r, interval, t, t)
	}
	return nil, nil
}

// temporalRank orders operands: a date or time comes before the interval added to it.
func temporalRank(t vector.Type) int {
	switch {
	case t.Kind == vector.Time:
		return 4
	case scalar.IsInstant(t):
		return 3
	case t.Kind == vector.Interval:
		return 2
	}
	return 1
}

// newShift adds an interval to a date, a time or another interval.
func newShift(op scalar.Op, l, r Expr) (Expr, error) {
	interval := vector.Of(vector.Interval)
	switch t := l.Type(); {
	case t.Kind == vector.Interval:
		return arithOf(op, l, r, interval, interval, interval)
	case t.Kind == vector.Date:
		t = vector.TimestampType(vector.Micros, false)
		return arithOf(op, l, r, t, t, interval)
	case t.IsTimestamp():
		t.Unit = max(t.Unit, vector.Micros) // an interval has microseconds
		return arithOf(op, l, r, t, t, interval)
	case t.Kind == vector.Time:
		t.Unit = max(t.Unit, vector.Micros)
		return arithOf(op, l, r, t, t, interval)
	}
	return nil, nil
}

// arithOf casts the operands to a and b.
func arithOf(op scalar.Op, l, r Expr, t, a, b vector.Type) (Expr, error) {
	l, err := ImplicitCast(l, a)
	if err != nil {
		return nil, err
	}
	if r, err = ImplicitCast(r, b); err != nil {
		return nil, err
	}
	return fold(&Arith{Op: op, L: l, R: r, T: t}), nil
}

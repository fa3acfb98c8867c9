package probe

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// buildMonotone builds the value of an expression that is monotone. It accepts only
// operations proved monotone with rounding and overflow; all others are anyValue.
func buildMonotone(e expr.Expr) (*monotone, bool) {
	switch e := e.(type) {
	case *expr.Cast:
		if !castRises(e.X.Type(), e.T) {
			return nil, false
		}
		m, ok := newMonotone(e, expr.Rising)
		if ok && castIsInjective(e.X.Type(), e.T) {
			m.inverse = newInverse(e.X.Type(), e.T)
		}
		return m, ok
	case *expr.Neg:
		if e.X.Type().IsNumeric() {
			return newMonotone(e, expr.Falling)
		}
	case *expr.Arith:
		return buildArith(e)
	case *expr.Call:
		if e.Function.Monotone == nil {
			return nil, false
		}
		if slopes := e.Function.Monotone(e.Args); slopes != nil {
			return newMonotone(e, slopes...)
		}
	}
	return nil, false
}

// castRises reports whether a cast keeps the order (different values may become
// equal) and fails only beyond a bound. Rounding of any kind keeps the order. FLOAT
// to DECIMAL and casts from text do not, or there is no proof.
func castRises(from, to vector.Type) bool {
	exact := func(t vector.Type) bool {
		return t.IsInteger() || t.Kind == vector.Decimal && t.Storage() != vector.StoreString
	}
	instant := func(t vector.Type) bool { return t.Kind == vector.Date || t.IsTimestamp() }
	switch {
	case exact(from):
		return exact(to) || to.IsFloat()
	case from.IsFloat():
		return to.IsFloat() || to.IsInteger()
	case from.Kind == vector.Boolean:
		return to.IsInteger()
	case instant(from):
		return instant(to)
	case from.Kind == vector.Enum || from.Kind == vector.JSON:
		return to.Kind == vector.Varchar
	}
	return false
}

func buildArith(e *expr.Arith) (*monotone, bool) {
	if e.R == nil {
		return nil, false
	}
	l, r := e.L.Type(), e.R.Type()
	switch e.Op {
	case expr.OpAdd, expr.OpSub:
		second := expr.Rising
		if e.Op == expr.OpSub {
			second = expr.Falling
		}
		switch {
		case exactNumber(l) && exactNumber(r), isDay(l) && r.IsInteger(), e.Op == expr.OpSub && (isDay(l) && isDay(r) || l.IsTimestamp() && r.IsTimestamp()):
			return newMonotone(e, expr.Rising, second)
		case l.IsNumeric() && r.IsNumeric() && (finiteConst(e.R) || finiteConst(e.L)):
			return newMonotone(e, expr.Rising, second)
		}
		return buildShift(e)
	case expr.OpMul, expr.OpDiv, expr.OpIntDiv:
		return buildScaled(e)
	}
	return nil, false
}

func isDay(t vector.Type) bool { return t.Kind == vector.Date }

// buildScaled builds a number multiplied or divided by a constant other than 0, or a product.
// Floats are left out: 0 times infinity is NaN.
func buildScaled(e *expr.Arith) (*monotone, bool) {
	by, ok := e.R.(*expr.Const)
	if !ok && e.Op == expr.OpMul {
		by, ok = e.L.(*expr.Const)
	}
	if !exactNumber(e.L.Type()) || !exactNumber(e.R.Type()) {
		return nil, false
	}
	if !ok && e.Op == expr.OpMul { // it rises with one factor where the other one is positive
		m, ok := newMonotone(e, expr.Rising, expr.Rising)
		if ok {
			m.corners = true
		}
		return m, ok
	}
	if !ok || by.Value.Null {
		return nil, false
	}
	number, _ := by.Value.Whole()
	switch sign := number.Sign(); {
	case sign > 0:
		return newMonotone(e, expr.Rising, expr.Rising)
	case sign < 0: // the slope of the constant itself does not matter
		return newMonotone(e, expr.Falling, expr.Falling)
	}
	return nil, false
}

// buildShift builds a date or timestamp plus or minus a constant interval. Adding
// months changes only the date, and several last days of a long month may become
// the last day of a short one: 30 January 10:00 is before 31 January 09:00, but one
// month later it is after. So for timestamps months keep only the order of days: the
// domain is widened to whole days.
func buildShift(e *expr.Arith) (*monotone, bool) {
	at, by := e.L, e.R
	if e.Op == expr.OpAdd && at.Type().Kind == vector.Interval {
		at, by = by, at
	}
	c, ok := by.(*expr.Const)
	if !ok || c.Value.Null || c.Type().Kind != vector.Interval {
		return nil, false
	}
	t := at.Type()
	if t.Kind != vector.Date && !t.IsTimestamp() {
		return nil, false
	}
	m, ok := newMonotone(e, expr.Rising, expr.Rising)
	if ok && t.IsTimestamp() && c.Value.Interval.Months != 0 {
		m.wholeDays = true
	}
	return m, ok
}

func exactNumber(t vector.Type) bool {
	return t.IsInteger() || t.Kind == vector.Decimal && t.Storage() != vector.StoreString
}

// finiteConst reports whether e is a number that is neither NULL, NaN nor
// infinite. Adding it to a float keeps the order, and NaN stays the greatest.
func finiteConst(e expr.Expr) bool {
	c, ok := e.(*expr.Const)
	if !ok || c.Value.Null {
		return false
	}
	x := c.Value.F64
	if c.Type().Storage() == vector.StoreFloat32 {
		x = float64(c.Value.F32)
	}
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

package expr

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// CanFail reports whether evaluating e may raise an error for some values of
// its columns. It returns true if it cannot tell.
func CanFail(e Expr) bool {
	fails := false
	Walk(e, func(n Expr) bool {
		fails = fails || nodeCanFail(n)
		return !fails
	})
	return fails
}

// CanRefuse reports whether evaluating e may raise an error for a value, as a cast of
// text does. Numbers that are out of range do not count: that is rare, and nearly every
// expression with numbers would count.
func CanRefuse(e Expr) bool {
	refuses := false
	Walk(e, func(n Expr) bool {
		switch n := n.(type) {
		case *Arith, *Neg:
		case *Cast:
			refuses = refuses || n.X.Type().IsText() && nodeCanFail(n)
		default:
			refuses = refuses || nodeCanFail(n)
		}
		return !refuses
	})
	return refuses
}

// IsVolatile reports whether e may yield different values for the same row.
func IsVolatile(e Expr) bool {
	volatile := false
	Walk(e, func(n Expr) bool {
		if c, ok := n.(*Call); ok {
			volatile = volatile || c.Function.Volatile
		}
		return !volatile
	})
	return volatile
}

// CanOnlyOverflow reports whether sums, differences and products that are out of range are all that may
// fail in e.
func CanOnlyOverflow(e Expr) bool {
	only := true
	Walk(e, func(n Expr) bool {
		switch n := n.(type) {
		case *Neg:
		case *Arith:
			only = only && (n.Op == OpAdd || n.Op == OpSub || n.Op == OpMul) || !nodeCanFail(n)
		default:
			only = only && !nodeCanFail(n)
		}
		return only
	})
	return only
}

// nodeCanFail is CanFail for the node itself, without its operands.
func nodeCanFail(e Expr) bool {
	switch e := e.(type) {
	case *Column, *Const, *Compare, *DistinctFrom, *Logic, *Not, *IsNull, *IsBool, *In, *Member, *Case, *Coalesce:
		return false
	case *Like:
		// A pattern fails only where it ends in its escape character.
		if !is[*Const](e.Pattern) {
			return true
		}
		escape, ok := e.Escape.(*Const)
		return e.Escape != nil && !(ok && escape.Value.Str == "")
	case *Cast:
		return !e.Try && !e.Clamp && !CastIsTotal(e.X.Type(), e.T) && !AlwaysFits(e)
	case *unkeyed, *keyed, *Ordered, *List, *Struct:
		return false
	case *Extract:
		return e.Form == FormTyped
	case *Neg:
		return !e.T.IsFloat() && !AlwaysFits(e)
	case *Arith:
		return !(e.T.IsFloat() || e.Op == scalar.OpConcat || AlwaysFits(e))
	case *Call:
		return !e.Function.Total
	}
	return true
}

// CastIsTotal reports whether every value of type from can be cast to type to.
func CastIsTotal(from, to vector.Type) bool {
	switch {
	case from.Equal(to), from.Kind == vector.Null:
		return true
	case from.IsInteger() && to.IsFloat(), from.IsFloat() && to.Kind == vector.Double, from.Kind == vector.Half && to.IsFloat(),
		from.Kind == vector.Decimal && to.Kind == vector.Double:
		return true
	case from.IsInteger() && to.IsInteger():
		return integerFits(from, to)
	case from.IsInteger() && to.Kind == vector.Decimal:
		return to.Scale <= scalar.MaxBigScale && to.Precision-to.Scale >= scalar.IntegerDigits(from.Kind)
	case from.Kind == vector.Decimal && to.Kind == vector.Decimal:
		return to.Scale >= from.Scale && to.Scale-from.Scale <= scalar.MaxBigScale && to.Precision-to.Scale >= from.Precision-from.Scale
	case from.IsText():
		return to.Kind == vector.Varchar
	case from.IsTimestamp() && to.IsTimestamp():
		return from.Unit == to.Unit
	}
	return to.Kind == vector.Varchar && (from.IsNumeric() || from.Kind == vector.Boolean)
}

// integerFits reports whether an integer type holds every value of another one.
func integerFits(from, to vector.Type) bool {
	switch {
	case from.IsUnsigned() == to.IsUnsigned():
		return from.Bits() <= to.Bits()
	case from.IsUnsigned():
		return from.Bits() < to.Bits()
	}
	return false
}

package expr

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// CanFail reports whether evaluating e may raise an error for some values of
// its columns. It returns true if it cannot tell.
func CanFail(e Expr) bool {
	fails := false
	Walk(e, func(n Expr) bool {
		fails = fails || CanFailItself(n)
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
			refuses = refuses || n.X.Type().IsText() && CanFailItself(n)
		default:
			refuses = refuses || CanFailItself(n)
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
			only = only && (n.Op == OpAdd || n.Op == OpSub || n.Op == OpMul) || !CanFailItself(n)
		default:
			only = only && !CanFailItself(n)
		}
		return only
	})
	return only
}

// Total marks a call that fails for no values of its operands, as those that might make it fail are constants
// which its binder has looked at. The binder has just made it; what is no call is returned as it is.
func Total(e Expr) Expr {
	if c, ok := e.(*Call); ok && c.impl != nil {
		c.impl.total = true
	}
	return e
}

// CanFailItself is CanFail for the node alone, whatever values its operands have.
func CanFailItself(e Expr) bool {
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
		return !(e.T.IsFloat() || e.Op == scalar.OpConcat || AlwaysFits(e) || isSpan(e))
	case *Call:
		return !e.Function.Total && !(e.impl != nil && e.impl.total) && !e.impl.runsEverywhere(e.Args)
	}
	return true
}

// isSpan reports whether e is the time between two dates, timestamps or times of day. An
// interval or a BIGINT has room for each.
func isSpan(e *Arith) bool {
	if e.Op != scalar.OpSub || e.R == nil {
		return false
	}
	l, r := e.L.Type(), e.R.Type()
	return l.Kind == vector.Date && r.Kind == vector.Date || l.IsTimestamp() && r.IsTimestamp() || l.Kind == vector.Time && r.Kind == vector.Time
}

// runsEverywhere reports whether a routine is an operation that also runs over rows that do not
// count and over what stands where a NULL is, so that it fails for no value. Its
// operands are those of the call: others, such as casts of them, might fail.
func (r *Routine) runsEverywhere(args []Expr) bool {
	return r != nil && r.Node == nil && r.Make != nil && !r.Careful && slices.Equal(r.Args, args)
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
	switch from.Kind {
	case vector.Boolean, vector.Date, vector.Time, vector.Timestamp, vector.TimestampTZ, vector.Interval, vector.UUID, vector.Enum:
		return to.Kind == vector.Varchar
	}
	return to.Kind == vector.Varchar && from.IsNumeric()
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

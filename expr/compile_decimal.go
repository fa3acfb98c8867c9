package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// compile compares decimals that have no common type of 38 digits as they are, one of them
// multiplied by a power of ten: the wider type would be computed with math/big.
func (e *Compare) compile(by *Compiler) kernel.Node {
	args, compare := []Expr{e.L, e.R}, kernel.Compares(e.Op, e.L.Type())
	if l, r := short(e.L), short(e.R); l != nil && r != nil {
		args, compare = []Expr{l, r}, kernel.Compares(e.Op, l.Type())
	} else if l, r := narrowDecimal(e.L), narrowDecimal(e.R); l != nil && r != nil {
		args, compare = []Expr{l, r}, kernel.ComparesScaled(e.Op, l.Type().Scale, r.Type().Scale)
	}
	return by.Strict(e.Type(), args, func(args []kernel.Node) kernel.Node { return kernel.NewCondition(args, compare, false) })
}

// narrowDecimal is the operand of a cast to a decimal of more than 38 digits, in 128 bits
// with the scale it has, if it fits; else nil.
func narrowDecimal(e Expr) Expr {
	c, ok := e.(*Cast)
	if !ok || c.T.Kind != vector.Decimal || c.T.Storage() != vector.StoreString {
		return nil
	}
	from := c.X.Type()
	if from.Kind != vector.Decimal || from.Scale > c.T.Scale || from.Precision-from.Scale > c.T.Precision-c.T.Scale {
		return nil
	}
	switch from.Storage() {
	case vector.StoreInt128:
		return c.X
	case vector.StoreInt64:
		return &Cast{X: c.X, T: vector.Type{Kind: vector.Decimal, Precision: 38, Scale: from.Scale}}
	}
	return nil
}

// shortDigits is how many digits a decimal in 64 bits has.
const shortDigits = 18

// short is a decimal in 128 bits as one in 64 bits of the same scale, if that holds every value of it, as the sum of two decimals of 18
// digits; else nil. Its values may have a digit more than its type says.
func short(e Expr) Expr {
	t := e.Type()
	if t.Kind != vector.Decimal || t.Storage() != vector.StoreInt128 {
		return nil
	}
	switch e := e.(type) {
	case *Arith:
		if e.Op != scalar.OpAdd && e.Op != scalar.OpSub {
			return nil
		}
		l, r := shortOperand(e.L), shortOperand(e.R)
		if l == nil || r == nil {
			return nil
		}
		return &Arith{Op: e.Op, L: l, R: r, T: vector.DecimalType(shortDigits, t.Scale), Span: e.Span}
	case *Cast:
		if from := e.X.Type(); !e.Clamp && from.Kind == vector.Decimal && from.Scale == t.Scale && from.Precision <= t.Precision {
			if x := short(e.X); x != nil {
				return x
			}
		}
	}
	return shortOperand(e)
}

// shortOperand is short of a constant, or of what was cast to 128 bits.
func shortOperand(e Expr) Expr {
	t := e.Type()
	narrow := vector.DecimalType(shortDigits, t.Scale)
	switch e := e.(type) {
	case *Const:
		if v := e.Value.I128; !e.Value.Null && v.IsInt64() && scalar.FitsPrecision(v, shortDigits) {
			return NewConst(vector.Scalar{Type: narrow, I64: v.Int64()})
		}
	case *Cast:
		from := e.X.Type()
		if !e.Clamp && from.Kind == vector.Decimal && from.Storage() == vector.StoreInt128 && from.Scale == t.Scale && from.Precision <= t.Precision {
			return shortOperand(e.X)
		}
		if e.Clamp || from.Kind != vector.Decimal || from.Storage() != vector.StoreInt64 || from.Scale > t.Scale || from.Precision+t.Scale-from.Scale > shortDigits {
			return nil
		}
		if from.Scale == t.Scale {
			return e.X
		}
		return &Cast{X: e.X, T: narrow}
	}
	return nil
}

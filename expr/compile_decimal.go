package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// compile compares decimals that have no common type of 38 digits as they are, one of them
// multiplied by a power of ten: the wider type would be computed with math/big.
func (e *Compare) compile(by *Compiler) kernel.Node {
	args, compare := []Expr{e.L, e.R}, kernel.Compares(e.Op, e.L.Type())
	if l, r := narrowDecimal(e.L), narrowDecimal(e.R); l != nil && r != nil {
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

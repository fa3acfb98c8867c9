package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// Op is an operator of one or two operands.
type Op = scalar.Op

// The operators that other packages use.
const (
	OpEq         = scalar.OpEq
	OpNe         = scalar.OpNe
	OpLt         = scalar.OpLt
	OpLe         = scalar.OpLe
	OpGt         = scalar.OpGt
	OpGe         = scalar.OpGe
	OpAdd        = scalar.OpAdd
	OpConcat     = scalar.OpConcat
	OpSub        = scalar.OpSub
	OpMul        = scalar.OpMul
	OpDiv        = scalar.OpDiv
	OpIntDiv     = scalar.OpIntDiv
	OpMod        = scalar.OpMod
	OpBitAnd     = scalar.OpBitAnd
	OpBitOr      = scalar.OpBitOr
	OpShiftLeft  = scalar.OpShiftLeft
	OpShiftRight = scalar.OpShiftRight
)

// ParseType is the SQL type of a name, in any case, with its parameters.
func ParseType(name string, args []int) (vector.Type, error) { return scalar.ParseType(name, args) }

// OrderScalars compares two values that are not NULL in SQL order. It returns false
// if their types have no common order.
func OrderScalars(a, b *vector.Scalar) (int, bool) { return scalar.OrderScalars(a, b) }

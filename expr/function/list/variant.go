package list

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// variantElement is v[i], from 1 or from the end, or v['name'].
func variantElement(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	s, ok := expr.Literal(args[1])
	switch {
	case ok && s.Type.IsText():
		return expr.NewExtract(args[0], expr.Extraction{Path: vector.FieldPath(s.Str)}), nil
	case ok && s.Type.IsInteger() && s.Type.Kind != vector.UBigInt:
		at := s.I64
		if at > 0 {
			at--
		} else if at == 0 {
			return expr.NewConst(vector.NullOf(vector.VariantType())), nil
		}
		return expr.NewExtract(args[0], expr.Extraction{Path: vector.Path{{Kind: vector.PositionStep, Position: at}}}), nil
	}
	return nil, errs.Unsupported("%s of a VARIANT with a position or name that is not a literal", call.Name)
}

// variantLen is the number of elements of an array, NULL for other values.
func variantLen(v *variant.Value) (int64, kernel.Outcome) {
	return int64(v.Len()), kernel.Outcome{Null: v.Kind() != variant.Array}
}

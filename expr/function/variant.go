package function

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// variantFunctions read VARIANTs. A path that leads nowhere gives NULL.
var variantFunctions = []expr.Function{
	{Name: "VARIANT_GET", Binding: overloaded(custom(variantPath, "VARIANT, 'path' | BIGINT literal → VARIANT"),
		custom(variantGet(expr.FormTyped), "VARIANT, 'path' | BIGINT literal, 'type' → T"))},
	{Name: "TRY_VARIANT_GET", Binding: overloaded(custom(variantPath, "VARIANT, 'path' | BIGINT literal → VARIANT"),
		custom(variantGet(expr.FormTry), "VARIANT, 'path' | BIGINT literal, 'type' → T"))},
	{Name: "VARIANT_TYPE", Aliases: []string{"VARIANT_TYPEOF"}, Total: true, NotNull: true, Binding: fixed(typeText, kernel.Variants(variantType), true, wantVariant)},
	{Name: "VARIANT_KEYS", Total: true, Binding: custom(variantKeys, "VARIANT → LIST(VARCHAR)")},
}

// wantVariant converts values of all other types.
var wantVariant = want{"VARIANT", func(_ string, e expr.Expr) (expr.Expr, error) {
	return expr.NewCast(e, vector.VariantType(), false)
}}

// extract is what a path leads to.
func extract(name string, x, path expr.Expr, what expr.Extraction) (expr.Expr, error) {
	var err error
	if what.Path, err = constantPath(name, path); err != nil {
		return nil, err
	}
	if x, err = wantVariant.bind(name, x); err != nil {
		return nil, err
	}
	return expr.NewExtract(x, what), nil
}

func variantPath(name string, args []expr.Expr) (expr.Expr, error) {
	return extract(name, args[0], args[1], expr.Extraction{})
}

func variantGet(form expr.Form) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		text, err := constantText(name, "type", args[2])
		if err != nil {
			return nil, err
		}
		t, err := expr.ParseTypeText(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if t.Kind == vector.Variant {
			return variantPath(name, args)
		}
		return extract(name, args[0], args[1], expr.Extraction{Form: form, T: t})
	}
}

func variantType(v *variant.Value) (string, kernel.Outcome) {
	return v.Kind().TypeName(), kernel.Outcome{}
}

// variantElement is v[i], from 1 or from the end, or v['name'].
func variantElement(name string, args []expr.Expr) (expr.Expr, error) {
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
	return nil, errs.Unsupported("%s of a VARIANT with a position or name that is not a literal", name)
}

// variantLen is the number of elements of an array, NULL for other values.
func variantLen(v *variant.Value) (int64, kernel.Outcome) {
	return int64(v.Len()), kernel.Outcome{Null: v.Kind() != variant.Array}
}

// Field is the value of a field of a VARIANT or STRUCT, as x.name means it.
func Field(x expr.Expr, path vector.Path) (expr.Expr, error) {
	return arrowPath("->", []expr.Expr{x, expr.NewConst(vector.StringScalar(path.String()))}, path, false)
}

// variantKeys is the names of an object's fields; NULL for other values.
func variantKeys(name string, args []expr.Expr) (expr.Expr, error) {
	x, err := wantVariant.bind(name, args[0])
	if err != nil {
		return nil, err
	}
	list := vector.ListOf(vector.Field{Name: "element", Type: typeText})
	make := func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			names := vector.New(typeText, 0)
			offsets := []int32{0}
			next := int32(0)
			for _, i := range kernel.Listed(rows, n) {
				for ; next < i; next++ {
					offsets = append(offsets, int32(len(names.Str)))
				}
				v, ok := variant.Get(args[0], int(i))
				if !ok || v.Kind() != variant.Object {
					out.Null(int(i))
				} else {
					for k := range v.Len() {
						field, _, err := v.Entry(k)
						if err != nil {
							return err
						}
						names.Str = append(names.Str, field)
					}
				}
				offsets, next = append(offsets, int32(len(names.Str))), i+1
			}
			for ; int(next) < n; next++ {
				offsets = append(offsets, int32(len(names.Str)))
			}
			names.Len = len(names.Str)
			out.Offsets, out.Children = offsets, []*vector.Vector{names}
			return nil
		}
	}
	return strictCall(name, []expr.Expr{x}, list, make, true)
}

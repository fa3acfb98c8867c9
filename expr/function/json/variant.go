package json

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// VariantFunctions read VARIANTs. A path that leads nowhere gives NULL.
var VariantFunctions = []expr.Function{
	{Name: "VARIANT_GET", Help: "what a path leads to in a Variant, or its value of a type", Example: `VARIANT_GET('{"a": 1}'::JSON::VARIANT, '$.a', 'BIGINT') → 1`,
		Binding: define.Overloaded(define.Custom(variantPath, "VARIANT, 'path' | BIGINT literal → VARIANT"),
			define.Custom(variantGet(expr.FormTyped), "VARIANT, 'path' | BIGINT literal, 'type' → T"))},
	{Name: "TRY_VARIANT_GET", Help: "as VARIANT_GET, but NULL where the value does not convert", Example: `TRY_VARIANT_GET('{"a": "x"}'::JSON::VARIANT, '$.a', 'BIGINT') → NULL`,
		Binding: define.Overloaded(define.Custom(variantPath, "VARIANT, 'path' | BIGINT literal → VARIANT"),
			define.Custom(variantGet(expr.FormTry), "VARIANT, 'path' | BIGINT literal, 'type' → T"))},
	{Name: "VARIANT_TYPE", Aliases: []string{"VARIANT_TYPEOF"}, Help: "the type of a Variant's value: OBJECT, ARRAY, NULL, or an SQL type", Example: "VARIANT_TYPE('[1]'::JSON::VARIANT) → ARRAY",
		Total: true, NotNull: true, Binding: define.Fixed(define.TypeText, kernel.Variants(variantType), true, wantVariant)},
	{Name: "VARIANT_KEYS", Help: "the names of an object's fields", Example: `VARIANT_KEYS('{"a": 1, "b": 2}'::JSON::VARIANT) → ["a","b"]`,
		Total: true, Binding: define.Custom(variantKeys, "VARIANT → LIST(VARCHAR)")},
	{Name: "VARIANT_ENTRIES", Help: "the elements of an array, with NULL as their key, or the fields of an object; UNNEST makes rows of them",
		Example: `VARIANT_ENTRIES('{"a": 1}'::JSON::VARIANT) → [{"key":"a","value":1}]`,
		Binding: define.Custom(variantEntries, "VARIANT → LIST")},
}

// wantVariant converts values of all other types.
var wantVariant = define.Want{Types: "VARIANT", Bind: func(_ string, e expr.Expr) (expr.Expr, error) {
	return expr.NewCast(e, vector.VariantType(), false)
}}

// extract is what a path leads to.
func extract(call expr.Callee, x, path expr.Expr, what expr.Extraction) (expr.Expr, error) {
	var err error
	if what.Path, err = constantPath(call.Name, path); err != nil {
		return nil, err
	}
	if x, err = wantVariant.Bind(call.Name, x); err != nil {
		return nil, err
	}
	return expr.NewExtract(x, what), nil
}

func variantPath(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return extract(call, args[0], args[1], expr.Extraction{})
}

func variantGet(form expr.Form) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		text, err := define.ConstantText(call.Name, "type", args[2])
		if err != nil {
			return nil, err
		}
		t, err := parseTypeText(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
		if t.Kind == vector.Variant {
			return variantPath(call, args)
		}
		return extract(call, args[0], args[1], expr.Extraction{Form: form, T: t})
	}
}

func variantType(v *variant.Value) (string, kernel.Outcome) {
	return v.Kind().TypeName(), kernel.Outcome{}
}

// Field is the value of a field of a VARIANT or STRUCT, as x.name means it. call is
// that of the function ->.
func Field(call expr.Callee, x expr.Expr, path vector.Path) (expr.Expr, error) {
	return arrowPath(call, []expr.Expr{x, expr.NewConst(vector.StringScalar(path.String()))}, path, false)
}

// variantKeys is the names of an object's fields; NULL for other values.
func variantKeys(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantVariant.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	list := expr.ListType(define.TypeText)
	make := func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			names := vector.New(define.TypeText, 0)
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
	return define.Strict(call, []expr.Expr{x}, list, make, true)
}

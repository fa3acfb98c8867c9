package kernel

import (
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/variant/order"
	"github.com/parquetsql/parquetsql/vector"
)

// HasVariant reports whether values of the type are VARIANTs or contain some.
func HasVariant(t vector.Type) bool {
	if t.Kind == vector.Variant {
		return true
	}
	for _, f := range t.Fields {
		if HasVariant(f.Type) {
			return true
		}
	}
	return false
}

// ToVariant converts values of any type to VARIANT.
func ToVariant() Func {
	w := &variant.Writer{}
	return func(args []*vector.Vector, rows []int32, _ int, out *Result) error {
		out.Owned = false
		return w.Encode(args[0], rows, &out.Vector)
	}
}

// Variants is a kernel over VARIANTs that makes values of type R.
func Variants[R vector.Value](f func(v *variant.Value) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			to := *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				x, ok := variant.Get(args[0], int(i))
				if !ok {
					out.Null(int(i))
					continue
				}
				r, o := f(&x)
				switch {
				case o.Err != nil:
					return o.Err
				case o.Null:
					out.Null(int(i))
				default:
					to[i] = r
				}
			}
			return nil
		}
	}
}

// RenderVariants is RenderJSON for VARIANTs and for values that contain some.
func RenderVariants() Func {
	t := &TextBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		if v := args[0]; v.Type.Kind == vector.Variant {
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				return appendVariant(dst, v, int(i)), Outcome{}
			})
		}
		v := rendered(args[0])
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			return nested.AppendJSON(dst, v, int(i)), Outcome{}
		})
	}
}

func appendVariant(dst []byte, v *vector.Vector, row int) []byte {
	x, ok := variant.Get(v, row)
	if !ok {
		return append(dst, "null"...)
	}
	return x.AppendJSON(dst)
}

// rendered is v with the text of the VARIANTs within its values in their place.
func rendered(v *vector.Vector) *vector.Vector {
	if !HasVariant(v.Type) {
		return v
	}
	out := *v
	if v.Type.Kind == vector.Variant {
		text := vector.New(vector.RenderedType(v.Type), v.Len)
		for i := range v.Len {
			if v.IsNull(i) {
				text.SetNull(i)
			} else {
				text.Str[i] = string(appendVariant(nil, v, i))
			}
		}
		return text
	}
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		out.Children[i] = rendered(c)
	}
	return &out
}

// VariantOfKey makes the VARIANTs of keys: see order.AppendValue.
func VariantOfKey() Func {
	w := &variant.Writer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		keys := OperandOf[string](args[0])
		w.Reset()
		for _, i := range Listed(rows, n) {
			for w.Len() < int(i) {
				w.AppendNull()
			}
			w.Builder.Reset(nil)
			if err := order.AppendValue(&w.Builder, keys.At(i)); err != nil {
				return err
			}
			if err := w.AppendBuilt(); err != nil {
				return err
			}
		}
		for w.Len() < n {
			w.AppendNull()
		}
		out.Owned = false
		w.Finish(&out.Vector)
		return nil
	}
}

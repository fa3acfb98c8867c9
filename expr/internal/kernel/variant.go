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
	r := &renderer{}
	t := &TextBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		if v := args[0]; v.Type.Kind == vector.Variant {
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				return appendVariant(&r.writer, dst, v, int(i))
			})
		}
		v, err := r.rendered(args[0])
		if err != nil {
			return err
		}
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			return nested.AppendJSON(dst, v, int(i)), Outcome{}
		})
	}
}

// appendVariant appends the JSON text of a canonical VARIANT.
func appendVariant(w *variant.TextWriter, dst []byte, v *vector.Vector, row int) ([]byte, Outcome) {
	x, ok := variant.Get(v, row)
	if !ok {
		return append(dst, "null"...), Outcome{}
	}
	dst, err := w.Append(dst, &x)
	return dst, Outcome{Err: err}
}

// renderer makes text of the VARIANTs within values.
type renderer struct {
	writer variant.TextWriter
	buffer TextBuffer
}

// rendered is v with the text of the VARIANTs within its values in their place.
func (r *renderer) rendered(v *vector.Vector) (*vector.Vector, error) {
	if !HasVariant(v.Type) {
		return v, nil
	}
	if v.Type.Kind == vector.Variant {
		var text Result
		text.Reset(vector.RenderedType(v.Type), v.Len)
		err := r.buffer.Fill(nil, v.Len, &text, func(dst []byte, i int32) ([]byte, Outcome) {
			if v.IsNull(int(i)) {
				return dst, Outcome{Null: true}
			}
			return appendVariant(&r.writer, dst, v, int(i))
		})
		return &text.Vector, err
	}
	out := *v
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		var err error
		if out.Children[i], err = r.rendered(c); err != nil {
			return nil, err
		}
	}
	return &out, nil
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

package kernel

import (
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
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
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		out.Owned = false
		w.Builder.Work, w.Coming = out.Meter.Work, out.Meter.Add
		return w.Encode(args[0], rows, n, &out.Vector)
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
	w := nested.JSON{More: func(text []byte) error { return t.ask(len(text)) }}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		if v := args[0]; v.Type.Kind == vector.Variant {
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				return appendVariant(&r.writer, dst, v, int(i))
			})
		}
		v, err := r.rendered(args[0], rows, out.Meter)
		if err != nil {
			return err
		}
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			dst, err := w.Append(dst, v, int(i))
			return dst, Outcome{Err: err}
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
func (r *renderer) rendered(v *vector.Vector, rows []int32, m *quota.Meter) (*vector.Vector, error) {
	return within(v, vector.RenderedType(vector.VariantType()), rows, func(v *vector.Vector, rows []int32) (*vector.Vector, error) {
		return once(v, vector.RenderedType(v.Type), rows, m, func(rows []int32, n int, text *Result) error {
			return r.buffer.Fill(rows, n, text, func(dst []byte, i int32) ([]byte, Outcome) {
				if v.IsNull(int(i)) {
					return dst, Outcome{Null: true}
				}
				return appendVariant(&r.writer, dst, v, int(i))
			})
		})
	})
}

// once is values of type t that f makes of those of v: of these rows of n, or of one where v is
// constant.
func once(v *vector.Vector, t vector.Type, rows []int32, m *quota.Meter, f func(rows []int32, n int, made *Result) error) (*vector.Vector, error) {
	made := Result{Meter: m}
	if v.Form != vector.Constant {
		made.Reset(t, v.Len)
		return &made.Vector, f(rows, v.Len, &made)
	}
	made.Reset(t, 1)
	if err := f(nil, 1, &made); err != nil {
		return nil, err
	}
	return made.setConstant(v.Len), nil
}

// within is v with other values of type t in place of the VARIANTs within its values, in these
// rows.
func within(v *vector.Vector, t vector.Type, rows []int32, other func(*vector.Vector, []int32) (*vector.Vector, error)) (*vector.Vector, error) {
	switch {
	case !HasVariant(v.Type):
		return v, nil
	case v.Type.Kind == vector.Variant:
		return other(v, rows)
	}
	if v.Type.HasElements() || v.Form != vector.Flat {
		rows = nil // they are not those of its children
	}
	out := *v
	out.Type = replaced(v.Type, t)
	var err error
	if v.Dict != nil {
		out.Dict, err = within(v.Dict, t, nil, other)
	}
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		if err == nil {
			out.Children[i], err = within(c, t, rows, other)
		}
	}
	return &out, err
}

// replaced is a type with another one in place of VARIANT.
func replaced(t, other vector.Type) vector.Type {
	switch {
	case !HasVariant(t):
		return t
	case t.Kind == vector.Variant:
		return other
	}
	fields := slices.Clone(t.Fields)
	for i := range fields {
		fields[i].Type = replaced(fields[i].Type, other)
	}
	t.Fields = fields
	return t
}

// KeyType is a type with BLOB, the type of keys, in place of VARIANT.
func KeyType(t vector.Type) vector.Type { return replaced(t, vector.Of(vector.Blob)) }

// KeysWithin makes keys of the VARIANTs within nested values: see order.AppendKey.
func KeysWithin() Func {
	var b TextBuffer
	return func(args []*vector.Vector, rows []int32, _ int, out *Result) error {
		made, err := within(args[0], vector.Of(vector.Blob), rows, func(v *vector.Vector, rows []int32) (*vector.Vector, error) {
			return once(v, vector.Of(vector.Blob), rows, out.Meter, func(rows []int32, n int, keys *Result) error {
				return b.Fill(rows, n, keys, func(dst []byte, i int32) ([]byte, Outcome) {
					x, ok := variant.Get(v, int(i))
					if !ok {
						return dst, Outcome{Null: true}
					}
					return order.AppendKey(dst, &x), Outcome{}
				})
			})
		})
		if err == nil {
			out.Owned, out.Vector = false, *made
		}
		return err
	}
}

// VariantsWithin is the reverse of KeysWithin, for values of type t.
func VariantsWithin(t vector.Type) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, _ int, out *Result) error {
			made, err := ofKeys(args[0], t, rows, out.Meter)
			if err == nil {
				out.Owned, out.Vector = false, *made
			}
			return err
		}
	}
}

// ofKeys makes values of type t of values with keys in place of VARIANTs.
func ofKeys(v *vector.Vector, t vector.Type, rows []int32, m *quota.Meter) (*vector.Vector, error) {
	if !HasVariant(t) {
		return v, nil
	}
	if t.Kind == vector.Variant {
		return once(v, t, rows, m, func(rows []int32, n int, made *Result) error {
			return VariantOfKey()([]*vector.Vector{v}, rows, n, made)
		})
	}
	if v.Type.HasElements() || v.Form != vector.Flat {
		rows = nil // they are not those of its children
	}
	out := *v
	out.Type = t
	var err error
	if v.Dict != nil {
		out.Dict, err = ofKeys(v.Dict, t, nil, m)
	}
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		if err == nil {
			out.Children[i], err = ofKeys(c, t.Fields[i].Type, rows, m)
		}
	}
	return &out, err
}

// VariantOfKey makes the VARIANTs of keys: see order.AppendValue.
func VariantOfKey() Func {
	w := &variant.Writer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		keys := OperandOf[string](args[0])
		w.Reset()
		w.Coming = out.Meter.Add
		for _, i := range Listed(rows, n) {
			for w.Len() < int(i) {
				w.AppendNull()
			}
			if args[0].IsNull(int(i)) {
				w.AppendNull()
				continue
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

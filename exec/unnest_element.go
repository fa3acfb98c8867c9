package exec

import "github.com/parquetsql/parquetsql/vector"

// elementColumn finds a column of the element table in a vector.
type elementColumn struct{ vector.ElementColumn }

// of is the column for all elements of v. NULL structs make their fields NULL.
func (c *elementColumn) of(v *vector.Vector) *vector.Vector {
	if c.Steps[0] >= len(v.Children) { // a constant NULL has no children
		return vector.NewConstant(vector.NullOf(c.Type), 0)
	}
	at := v.Children[c.Steps[0]]
	n, valid := at.Len, at.Valid
	for _, i := range c.Steps[1:] {
		if at.Form == vector.Constant || i >= len(at.Children) {
			return vector.NewConstant(vector.NullOf(c.Type), n)
		}
		at = at.Children[i]
		if at.Form != vector.Constant {
			valid = vector.And(valid, at.Valid)
		}
	}
	if len(c.Steps) == 1 || valid == nil {
		return at
	}
	leaf := *at
	if at.Form == vector.Constant {
		if at.IsNull(0) {
			return at
		}
		leaf = *at.Flatten(nil)
	}
	leaf.Valid = valid
	return &leaf
}

// slice makes out the rows from to from+n-1 of v without copying values.
func slice(out, v *vector.Vector, from, n int) {
	*out = *v
	out.Len = n
	if v.Form == vector.Constant {
		return
	}
	out.Valid = sliceValidity(v.Valid, from, n)
	if v.Form == vector.Dictionary {
		out.Codes = v.Codes[from : from+n]
		return
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		out.Bool = v.Bool[from : from+n]
	case vector.StoreInt64:
		out.I64 = v.I64[from : from+n]
	case vector.StoreUint64:
		out.U64 = v.U64[from : from+n]
	case vector.StoreInt128:
		out.I128 = v.I128[from : from+n]
	case vector.StoreFloat32:
		out.F32 = v.F32[from : from+n]
	case vector.StoreFloat64:
		out.F64 = v.F64[from : from+n]
	case vector.StoreString:
		out.Str = v.Str[from : from+n]
	case vector.StoreInterval:
		out.Interval = v.Interval[from : from+n]
	case vector.StoreNested:
		if v.Type.Kind != vector.Struct {
			out.Offsets = v.Offsets[from : from+n+1]
			return
		}
		out.Children = make([]*vector.Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = &vector.Vector{}
			slice(out.Children[i], c, from, n)
		}
	}
}

// sliceValidity moves n bits from place from to the front.
func sliceValidity(v vector.Validity, from, n int) vector.Validity {
	if v == nil {
		return nil
	}
	word, shift := from>>6, uint(from)&63
	if shift == 0 {
		return v[word:]
	}
	out := make(vector.Validity, (n+63)/64)
	for i := range out {
		out[i] = v[word+i] >> shift
		if word+i+1 < len(v) {
			out[i] |= v[word+i+1] << (64 - shift)
		}
	}
	return out
}

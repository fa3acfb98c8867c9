package vector

// Form is how a vector's values are laid out.
type Form uint8

const (
	// Flat has a value a row.
	Flat Form = iota
	// Constant has one value, at index 0, for all rows.
	Constant
	// Dictionary has a code a row that indexes Dict. Only rows are NULL, never
	// dictionary entries.
	Dictionary
)

// Vector is one column of a batch. Exactly the slice of the type's Storage is
// in use. The value of a NULL row is unspecified but present. A vector belongs
// to who produced it until the producer's next call; strings stay valid for as
// long as they are referenced (page memory is never reused for them), so a
// keeper copies the slices, and clones strings where it would otherwise hold a
// whole page for one of them.
type Vector struct {
	Type  Type
	Form  Form
	Len   int      // rows, in every form
	Valid Validity // nil: surely no NULL; a Constant has only bit 0

	Bool     []bool
	I64      []int64
	U64      []uint64
	I128     []Int128
	F32      []float32
	F64      []float64
	Str      []string
	Interval []IntervalValue

	Codes []int32 // Dictionary: Len codes into Dict; the code of a NULL row is a valid one
	Dict  *Vector // Dictionary: flat, of the same type, without NULLs; same pointer = same dictionary

	// LIST and MAP: row i has the elements Offsets[i] to Offsets[i+1] of the
	// children (LIST: one child; MAP: keys and, where there are any, values;
	// STRUCT: a child a field, all of Len rows, Offsets unused).
	Offsets  []int32
	Children []*Vector
}

// Value is any of the element types of a storage.
type Value interface {
	bool | int64 | uint64 | Int128 | float32 | float64 | string | IntervalValue
}

// Slice is the address of the slice in which a vector keeps values of type T.
// It is decided at compile time for each T, so that kernels may be generic.
func Slice[T Value](v *Vector) *[]T {
	var p any
	var zero T
	switch any(zero).(type) {
	case bool:
		p = &v.Bool
	case int64:
		p = &v.I64
	case uint64:
		p = &v.U64
	case Int128:
		p = &v.I128
	case float32:
		p = &v.F32
	case float64:
		p = &v.F64
	case string:
		p = &v.Str
	case IntervalValue:
		p = &v.Interval
	}
	return p.(*[]T)
}

// fewRows is up to where memory is made to measure.
const fewRows = 16

// Resize returns s with n elements, reusing its memory where it suffices. What
// the elements hold is unspecified.
func Resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	if n <= fewRows {
		return make([]T, n) // a constant is not worth a batch's memory
	}
	return make([]T, n, max(n, BatchSize))
}

// Reset makes v a flat vector of n rows of type t without NULLs, keeping the
// memory it has. Its values are unspecified until written.
func (v *Vector) Reset(t Type, n int) {
	v.Type, v.Form, v.Len, v.Valid = t, Flat, n, nil
	v.Dict = nil
	switch t.Storage() {
	case StoreBool:
		v.Bool = Resize(v.Bool, n)
	case StoreInt64:
		v.I64 = Resize(v.I64, n)
	case StoreUint64:
		v.U64 = Resize(v.U64, n)
	case StoreInt128:
		v.I128 = Resize(v.I128, n)
	case StoreFloat32:
		v.F32 = Resize(v.F32, n)
	case StoreFloat64:
		v.F64 = Resize(v.F64, n)
	case StoreString:
		v.Str = Resize(v.Str, n)
	case StoreInterval:
		v.Interval = Resize(v.Interval, n)
	}
}

// New is a flat vector of n rows without NULLs.
func New(t Type, n int) *Vector {
	v := &Vector{}
	v.Reset(t, n)
	return v
}

// NewConstant is n rows of one value.
func NewConstant(s Scalar, n int) *Vector {
	v := New(s.Type, 1)
	v.Form, v.Len = Constant, n
	if s.Null {
		v.Valid = make(Validity, 1)
		return v
	}
	v.Set(0, s)
	return v
}

// index is where row i's value lies in the storage of v (or of its Dict).
func (v *Vector) index(i int) int {
	switch v.Form {
	case Constant:
		return 0
	case Dictionary:
		return int(v.Codes[i])
	}
	return i
}

// IsNull reports whether row i is NULL.
func (v *Vector) IsNull(i int) bool {
	if v.Type.Kind == Null {
		return true
	}
	if v.Valid == nil {
		return false
	}
	if v.Form == Constant {
		i = 0
	}
	return !v.Valid.Get(i)
}

// MayHaveNulls is false where surely no row is NULL.
func (v *Vector) MayHaveNulls() bool { return v.Valid != nil || v.Type.Kind == Null }

// SetNull makes row i of a flat vector NULL.
func (v *Vector) SetNull(i int) {
	if v.Valid == nil {
		v.Valid = NewValidity(v.Len)
	}
	v.Valid.Clear(i)
}

// Flatten returns v where it is flat, else a flat copy in into (which may be
// nil, and must not be v).
func (v *Vector) Flatten(into *Vector) *Vector {
	if v.Form == Flat {
		return v
	}
	if into == nil {
		into = &Vector{}
	}
	into.Gather(v, nil)
	return into
}

// Gather makes v the rows sel of src (all of them where sel is nil), flat and
// dense: row i of v is row sel[i] of src. Strings are shared, not cloned.
func (v *Vector) Gather(src *Vector, sel []int32) {
	n := src.Len
	if sel != nil {
		n = len(sel)
	}
	v.Reset(src.Type, n)
	if src.Valid != nil {
		v.Valid = NewValidity(n)
		for i := range n {
			row := i
			if sel != nil {
				row = int(sel[i])
			}
			if src.Form == Constant {
				row = 0
			}
			if !src.Valid.Get(row) {
				v.Valid.Clear(i)
			}
		}
	}
	from := src
	if src.Form == Dictionary {
		from = src.Dict
	}
	switch src.Type.Storage() {
	case StoreBool:
		gather(v.Bool, from.Bool, src, sel)
	case StoreInt64:
		gather(v.I64, from.I64, src, sel)
	case StoreUint64:
		gather(v.U64, from.U64, src, sel)
	case StoreInt128:
		gather(v.I128, from.I128, src, sel)
	case StoreFloat32:
		gather(v.F32, from.F32, src, sel)
	case StoreFloat64:
		gather(v.F64, from.F64, src, sel)
	case StoreString:
		gather(v.Str, from.Str, src, sel)
	case StoreInterval:
		gather(v.Interval, from.Interval, src, sel)
	case StoreNested:
		v.gatherNested(src, sel)
	}
}

func gather[T any](dst, values []T, src *Vector, sel []int32) {
	switch src.Form {
	case Constant:
		for i := range dst {
			dst[i] = values[0]
		}
	case Dictionary:
		if sel == nil {
			for i, c := range src.Codes[:len(dst)] {
				dst[i] = values[c]
			}
			return
		}
		for i, s := range sel {
			dst[i] = values[src.Codes[s]]
		}
	default:
		if sel == nil {
			copy(dst, values[:len(dst)])
			return
		}
		for i, s := range sel {
			dst[i] = values[s]
		}
	}
}

func (v *Vector) gatherNested(src *Vector, sel []int32) {
	if src.Form == Constant { // one value for all rows
		sel = make([]int32, v.Len)
	} else if sel == nil {
		sel = make([]int32, src.Len)
		for i := range sel {
			sel[i] = int32(i)
		}
	}
	v.Children = make([]*Vector, len(src.Children))
	if src.Type.Kind == Struct {
		for i, c := range src.Children {
			v.Children[i] = &Vector{}
			v.Children[i].Gather(c, sel)
		}
		return
	}
	v.Offsets = make([]int32, len(sel)+1)
	var inner []int32
	for i, s := range sel {
		if !src.IsNull(int(s)) {
			for e := src.Offsets[s]; e < src.Offsets[s+1]; e++ {
				inner = append(inner, e)
			}
		}
		v.Offsets[i+1] = int32(len(inner))
	}
	if inner == nil {
		inner = []int32{}
	}
	for i, c := range src.Children {
		v.Children[i] = &Vector{}
		v.Children[i].Gather(c, inner)
	}
}

package vector

// Form is the layout of the values of a vector.
type Form uint8

const (
	// Flat has one value per row.
	Flat Form = iota
	// Constant has one value, at index 0, for all rows.
	Constant
	// Dictionary has one code per row, an index into Dict. Only rows can be NULL,
	// not the entries of Dict.
	Dictionary
)

// Vector is one column of a batch. Only the slice of the type's Storage is in
// use. The value of a NULL row is unspecified but present. A vector belongs to
// its producer, and is valid until the producer's next call; to keep it longer,
// copy its slices. Texts says whether the strings have to be copied too.
type Vector struct {
	Type  Type
	Form  Form
	Texts Texts    // how long strings of Str are valid; Dict and Children have their own: see Owner
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
	Lease Lease   // of a Dict whose texts are Lent; may be nil

	// Children has one vector for each field of the type. In LIST and MAP, row i
	// has the elements Offsets[i] to Offsets[i+1] of all children. STRUCT and
	// VARIANT have no Offsets: row i is row i of all children, which have Len
	// rows.
	Offsets  []int32
	Children []*Vector
}

// Resize returns s with n elements, in the same memory if that suffices. The
// elements are unspecified.
func Resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	// Batches of few rows, and constants, do not need the memory of long ones.
	return make([]T, n, max(n, min(2*cap(s), BatchSize)))
}

// Reset makes v a flat vector of n rows of type t without NULLs, in the same
// memory if that suffices. The values are unspecified until they are written, and the
// texts are Lent until something else is said.
func (v *Vector) Reset(t Type, n int) {
	v.Type, v.Form, v.Len, v.Valid = t, Flat, n, nil
	v.Dict, v.Lease, v.Texts = nil, nil, Lent
	storageOf(t).reset(v, n)
}

// New is a flat vector of n rows without NULLs.
func New(t Type, n int) *Vector {
	v := &Vector{}
	v.Reset(t, n)
	return v
}

// NewConstant is n rows of one value.
func NewConstant(s Scalar, n int) *Vector {
	v := &Vector{Type: s.Type}
	if s.Null {
		v.AppendNulls(1)
		v.Valid = make(Validity, 1)
	} else {
		v.Reset(s.Type, 1)
		v.Set(0, s)
	}
	v.Form, v.Len = Constant, n
	return v
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

// MayHaveNulls is false only if no row is NULL.
func (v *Vector) MayHaveNulls() bool { return v.Valid != nil || v.Type.Kind == Null }

// SetNull makes row i of a flat vector NULL.
func (v *Vector) SetNull(i int) {
	if v.Valid == nil {
		v.Valid = NewValidity(v.Len)
	}
	v.Valid.Clear(i)
}

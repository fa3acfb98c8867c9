package vector

import (
	"cmp"
	"errors"
	"math"
	"strings"
)

// ErrTooLong is the error of Append, Gather and the like if the lists of a vector
// would have more than 2^31-1 elements together, more than Offsets can count.
var ErrTooLong = errors.New("lists of one batch have more than 2147483647 elements in total")

// Pick is a row of one of several vectors.
type Pick struct{ Source, Row int32 }

// rowAt is the i-th of the listed rows, i itself where rows is nil.
func rowAt(rows []int32, i int) int {
	if rows != nil {
		return int(rows[i])
	}
	return i
}

// stored is the vector whose slices hold the values of v: v, or its dictionary.
func (v *Vector) stored() *Vector {
	if v.Form == Dictionary {
		return v.Dict
	}
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

// Flatten returns v if it is flat, else a flat copy in into, which may be nil and
// must not be v. It fails as Gather does.
func (v *Vector) Flatten(into *Vector) (*Vector, error) {
	if v.Form == Flat {
		return v, nil
	}
	if into == nil {
		into = &Vector{}
	}
	return into, into.Gather(v, nil)
}

// Gather makes v the listed rows of src, all of them if rows is nil, flat and
// dense: row i of v is row rows[i] of src. Strings are those of src, not copies. It
// fails, with ErrTooLong, only for vectors with lists, and only if a row is
// listed more than once or src is not flat.
func (v *Vector) Gather(src *Vector, rows []int32) error {
	n := 0
	if src.Type.Storage() != StoreNested {
		n = src.count(rows)
	}
	v.Reset(src.Type, n)
	v.Len = 0
	return v.append(src, rows, nil)
}

// gains says that texts come to those that v has, of this owner.
func (v *Vector) gains(owner Texts) {
	if v.Len > 0 {
		owner = min(owner, v.Texts)
	}
	v.Texts = owner
}

// count is how many rows are listed.
func (v *Vector) count(rows []int32) int {
	if rows != nil {
		return len(rows)
	}
	return v.Len
}

// Slice makes v a view of n rows of src, beginning with row from. It copies no
// values; v must not be written to.
func (v *Vector) Slice(src *Vector, from, n int) {
	*v = *src
	v.Len = n
	if src.Form == Constant {
		return
	}
	v.Valid = src.Valid.slice(from, n)
	if src.Form == Dictionary {
		v.Codes = src.Codes[from : from+n : from+n]
		return
	}
	storageOf(src.Type).slice(v, src, from, n)
}

// CopyValues sets the listed rows of v, all of them if rows is nil, to the values
// of the same rows of src. v is flat and src has the same storage. The validity
// of v is left to the caller, who brings it up to date before the next call. It
// fails as Gather does.
func (v *Vector) CopyValues(src *Vector, rows []int32) error {
	if src.Type.Kind == Null {
		return nil
	}
	v.Texts = min(v.Texts, src.Owner())
	return storageOf(v.Type).copyRows(v, src, rows)
}

// Pick makes v rows of several vectors of type t: row i of v is row
// picks[i].Row of sources[picks[i].Source]. A source may be a bare NULL. It
// fails as Gather does.
func (v *Vector) Pick(t Type, sources []*Vector, picks []Pick) error {
	if t.Storage() == StoreNested {
		v.Reset(t, 0)
	} else {
		v.Reset(t, len(picks))
	}
	return storageOf(t).pick(v, sources, picks)
}

// Append appends the listed rows of src, all of them if rows is nil, to v. v is
// flat, owns its memory and has the storage of src; a bare NULL fits every type.
// Strings are those of src, not copies. After an error, ErrTooLong, the only thing to
// do with v is Reset.
func (v *Vector) Append(src *Vector, rows []int32) error { return v.append(src, rows, nil) }

// AppendOwned is Append for a v that lives long: own gets the strings that were
// appended and replaces them by copies, which are Shared. It does not get those of a
// dictionary that stays. Strings under NULLs become empty.
func (v *Vector) AppendOwned(src *Vector, rows []int32, own func([]string)) error {
	return v.append(src, rows, own)
}

func (v *Vector) append(src *Vector, rows []int32, own func([]string)) error {
	n := src.count(rows)
	switch {
	case n == 0:
		return nil
	case int64(v.Len)+int64(n) > math.MaxInt32:
		return ErrTooLong
	case src.Type.Kind == Null:
		v.AppendNulls(n)
		return nil
	}
	if err := storageOf(v.Type).appendRows(v, src, rows, n, own); err != nil {
		return err
	}
	v.appendValidity(src, rows, n)
	v.Len += n
	return nil
}

// AppendText appends a lent text to v, which is flat, of texts, and owns its memory.
func (v *Vector) AppendText(text string) error {
	if v.Len == math.MaxInt32 {
		return ErrTooLong
	}
	v.gains(Lent)
	grow[string](v, 1)[0] = text
	if v.Valid != nil {
		v.growValidity(1)
	}
	v.Len++
	return nil
}

// AppendNulls appends n NULLs to v, which is flat and owns its memory.
func (v *Vector) AppendNulls(n int) {
	storageOf(v.Type).appendZeros(v, n)
	if v.Len == 0 {
		v.Texts = Owned // there are none
	}
	if v.Type.Kind != Null {
		v.growValidity(n)
		for i := v.Len; i < v.Len+n; i++ {
			v.Valid.Clear(i)
		}
	}
	v.Len += n
}

// appendValidity is called before Len grows.
func (v *Vector) appendValidity(src *Vector, rows []int32, n int) {
	if src.Valid == nil || src.Form == Constant && src.Valid.Get(0) {
		if v.Valid != nil {
			v.growValidity(n)
		}
		return
	}
	v.growValidity(n)
	if src.Form == Constant {
		for i := range n {
			v.Valid.Clear(v.Len + i)
		}
		return
	}
	for i := range n {
		if !src.Valid.Get(rowAt(rows, i)) {
			v.Valid.Clear(v.Len + i)
		}
	}
}

// growValidity makes room for n more rows and marks them as having a value.
func (v *Vector) growValidity(n int) {
	if v.Valid == nil {
		v.Valid = NewValidity(v.Len)
	}
	v.Valid = v.Valid[:(v.Len+63)/64]
	if used := uint(v.Len) & 63; used != 0 {
		v.Valid[len(v.Valid)-1] |= ^uint64(0) << used
	}
	for len(v.Valid)*64 < v.Len+n {
		v.Valid = append(v.Valid, ^uint64(0))
	}
}

// Ordering is Compare of values of one vector, which does not change meanwhile: for many of them.
func Ordering(v *Vector) func(i, j int) int {
	if v.Form != Flat {
		return func(i, j int) int { return Compare(v, i, v, j) }
	}
	return storageOf(v.Type).ordering(v)
}

// Compare orders two values that are not NULL, of two vectors of the same
// storage, as ORDER BY does: lists and maps element by element and then by
// length, structs field by field. Within them NULL is a value, equal to itself
// and above all others, as DuckDB has it. It is for single values.
func Compare(a *Vector, i int, b *Vector, j int) int {
	x, i, y, j := a.stored(), a.index(i), b.stored(), b.index(j)
	switch a.Type.Kind { // what elements and fields mostly are: no copy of the type, no call of an interface
	case Integer, BigInt, Date:
		return cmp.Compare(x.I64[i], y.I64[j])
	case Varchar:
		return strings.Compare(x.Str[i], y.Str[j])
	case List, Map, Struct:
		return children{}.compare(x, i, y, j)
	}
	return storageOf(a.Type).compare(x, i, y, j)
}

// Bytes is the memory of v without its dictionary and what its strings refer to.
func (v *Vector) Bytes() int64 {
	n := int64(cap(v.Bool)) + int64(cap(v.I64)+cap(v.U64)+cap(v.F64)+cap(v.Valid))*8 +
		int64(cap(v.I128)+cap(v.Str))*16 + int64(cap(v.F32)+cap(v.Offsets)+cap(v.Codes))*4 + int64(cap(v.Interval))*24
	for _, c := range v.Children {
		n += c.Bytes()
	}
	return n
}

package hashtable

import "github.com/parquetsql/parquetsql/vector"

// fields is the table of a STRUCT: its key is the columns of its fields, and those of the STRUCTs in it.
// Before them is a column that says which of the STRUCTs are NULL, as bits: the outer one, and those in it as
// they are met.
type fields struct {
	typ    vector.Type
	leaves []vector.Type // that column is the first
	table  *multi
	find   Finder // instead of table's FindOrInsert; may be nil

	nulls vector.Vector
	keys  []*vector.Vector
	bit   int // the next STRUCT
}

// canDivide reports whether a STRUCT is keyed by its fields: the bits of a word suffice, and it has any.
func canDivide(t vector.Type) bool {
	structs, leaves := countFields(t)
	return t.Kind == vector.Struct && structs < 63 && leaves > 0 && leaves <= mostTogether
}

func countFields(t vector.Type) (structs, leaves int) {
	if t.Kind != vector.Struct {
		return 0, 1
	}
	structs = 1
	for _, f := range t.Fields {
		s, l := countFields(f.Type)
		structs, leaves = structs+s, leaves+l
	}
	return structs, leaves
}

func newFields(t vector.Type, seed Seed, share bool) *fields {
	f := &fields{typ: t, leaves: appendLeaves([]vector.Type{vector.Of(vector.BigInt)}, t)}
	f.table = newMulti(f.leaves, seed, share)
	return f
}

func appendLeaves(leaves []vector.Type, t vector.Type) []vector.Type {
	if t.Kind != vector.Struct {
		return append(leaves, t)
	}
	for _, f := range t.Fields {
		leaves = appendLeaves(leaves, f.Type)
	}
	return leaves
}

// reader is fields that share the table of f and find instead of inserting.
func (f *fields) reader() *fields {
	return &fields{typ: f.typ, leaves: f.leaves, table: f.table, find: f.table.NewFinder()}
}

// insertNull gives NULL an id; there is none.
func (f *fields) insertNull() uint32 {
	f.nulls = *vector.NewConstant(vector.Scalar{Type: f.leaves[0], I64: 1}, 1)
	f.keys = append(f.keys[:0], &f.nulls)
	for range f.leaves[1:] {
		f.keys = append(f.keys, vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 1))
	}
	var id [1]uint32
	_ = f.table.FindOrInsert(f.keys, &vector.Batch{Len: 1}, id[:]) // NULLs are not too long
	return id[0]
}

// lookUp finds or inserts rows of a flat vector, or of a constant, that are not NULL: those in at, the first ones
// if it is nil.
func (f *fields) lookUp(v *vector.Vector, at []int32, ids []uint32) error {
	b := vector.Batch{Len: v.Len, Sel: at}
	if at == nil {
		b.Len = len(ids)
	}
	f.nulls = *vector.NewConstant(vector.Scalar{Type: f.leaves[0]}, b.Len)
	f.keys, f.bit = append(f.keys[:0], &f.nulls), 0
	if err := f.divide(v, nil, b.Len); err != nil {
		return err
	}
	if f.find != nil {
		return f.find.Find(f.keys, &b, ids)
	}
	return f.table.FindOrInsert(f.keys, &b, ids)
}

// divide appends the columns of the first n rows of a STRUCT to the key. valid says where the STRUCTs around it are
// not NULL.
func (f *fields) divide(v *vector.Vector, valid vector.Validity, n int) error {
	f.bit++
	for _, child := range v.Children {
		switch {
		case child.Type.Kind == vector.Struct:
			inner, err := flatRows(child)
			if err != nil {
				return err
			}
			inside := vector.And(valid, inner.Valid)
			f.mark(inside, f.bit, n)
			if err := f.divide(inner, inside, n); err != nil {
				return err
			}
		case valid == nil || child.Type.Kind == vector.Null:
			f.keys = append(f.keys, child)
		default:
			leaf, err := child, error(nil)
			if child.Form == vector.Constant {
				if leaf, err = flatRows(child); err != nil {
					return err
				}
			}
			view := *leaf
			view.Valid = vector.And(valid, leaf.Valid)
			f.keys = append(f.keys, &view)
		}
	}
	return nil
}

// mark sets the bit of a STRUCT where it, or one around it, is NULL.
func (f *fields) mark(valid vector.Validity, bit, n int) {
	if valid == nil {
		return
	}
	if f.nulls.Form == vector.Constant {
		f.nulls.Reset(f.leaves[0], n)
		clear(f.nulls.I64)
	}
	for i := range n {
		if !valid.Get(i) {
			f.nulls.I64[i] |= 1 << bit
		}
	}
}

// flatRows is the rows of a vector, flat.
func flatRows(v *vector.Vector) (*vector.Vector, error) {
	if v.Form == vector.Flat {
		return v, nil
	}
	flat := &vector.Vector{}
	return flat, flat.Gather(v, nil)
}

// readKeys makes out the STRUCTs of these ids.
func (f *fields) readKeys(ids []uint32, out *vector.Vector) error {
	cols := make([]*vector.Vector, len(f.leaves))
	for c := range cols {
		cols[c] = &vector.Vector{}
	}
	if err := f.table.Keys(ids, cols); err != nil {
		return err
	}
	bit := 0
	*out = *join(f.typ, cols[0].I64, cols[1:], &bit, len(ids))
	return nil
}

// join is the inverse of divide.
func join(t vector.Type, nulls []int64, leaves []*vector.Vector, bit *int, n int) *vector.Vector {
	v := &vector.Vector{Type: t, Len: n, Texts: vector.Owned}
	var set int64
	for _, word := range nulls[:n] {
		set |= word
	}
	if set>>*bit&1 != 0 {
		v.Valid = vector.NewValidity(n)
		for i, word := range nulls[:n] {
			if word>>*bit&1 != 0 {
				v.Valid.Clear(i)
			}
		}
	}
	*bit++
	for _, field := range t.Fields {
		if field.Type.Kind != vector.Struct {
			v.Children, leaves = append(v.Children, leaves[0]), leaves[1:]
			continue
		}
		_, count := countFields(field.Type)
		v.Children, leaves = append(v.Children, join(field.Type, nulls, leaves[:count], bit, n)), leaves[count:]
	}
	return v
}

// hashes writes the hashes of these ids' keys: as a Hasher makes them of STRUCTs.
func (f *fields) hashes(ids []uint32, out []uint64) {
	column, bit := 1, 0
	f.hashesOf(f.typ, &column, &bit, ids, out[:len(ids)])
}

func (f *fields) hashesOf(t vector.Type, column, bit *int, ids []uint32, out []uint64) {
	is := *bit
	*bit++
	one := make([]uint64, len(ids))
	clear(out)
	for _, field := range t.Fields {
		if field.Type.Kind == vector.Struct {
			f.hashesOf(field.Type, column, bit, ids, one)
		} else {
			f.table.hashes(*column, ids, one)
			*column++
		}
		for i, x := range one {
			out[i] = Combine(out[i], x)
		}
	}
	for i, id := range ids {
		if word := f.table.number64(0, id); word>>is&1 != 0 {
			out[i] = nullHash
		}
	}
}

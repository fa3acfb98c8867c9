package aggregate

import "github.com/parquetsql/parquetsql/vector"

// picked holds the values of an argument that an aggregate adds: n values. The i-th is
// at index at[i] of the slice of values (index i if at is nil) and belongs to group
// groups[i] (group 0 if groups is nil).
//
// A kernel needs at most four loops, depending on which of the two are nil: at already
// accounts for selection, NULLs, constants and dictionary codes.
type picked struct {
	n      int
	at     []int32
	groups []uint32
	from   *vector.Vector // has the slice of values
}

// picker makes picked values and holds their memory.
type picker struct {
	at     []int32
	groups []uint32
}

// pick selects the rows that b selects and that are not NULL in v.
func (p *picker) pick(groups []uint32, v *vector.Vector, b *vector.Batch) picked {
	out := picked{n: b.Rows(), groups: groups, from: v}
	switch {
	case v.Type.Kind == vector.Null:
		out.n = 0
		return out
	case v.Form == vector.Constant:
		if v.IsNull(0) {
			out.n = 0
		}
		p.at = vector.Resize(p.at, out.n)
		clear(p.at)
		out.at = p.at
		return out
	case v.Form == vector.Dictionary:
		out.from = v.Dict
	}
	if v.Valid != nil && (b.Sel != nil || v.Valid.Count(b.Len) < b.Len) {
		p.pickValid(&out, v, b)
		return out
	}
	out.at = b.Sel
	if v.Form == vector.Dictionary {
		if b.Sel == nil {
			out.at = v.Codes[:out.n]
			return out
		}
		p.at = vector.Resize(p.at, out.n)
		for i, s := range b.Sel {
			p.at[i] = v.Codes[s]
		}
		out.at = p.at
	}
	return out
}

// pickValid drops the rows that are NULL. It writes each row and advances only if the
// row stays, which avoids a branch that would be mispredicted.
func (p *picker) pickValid(out *picked, v *vector.Vector, b *vector.Batch) {
	p.at = vector.Resize(p.at, out.n)
	k := 0
	if out.groups == nil {
		k = len(v.Valid.Select(b.Sel, out.n, true, p.at))
	} else {
		p.groups = vector.Resize(p.groups, out.n)
		for i, g := range out.groups[:out.n] {
			row := b.Row(i)
			p.at[k], p.groups[k] = int32(row), g
			k += int(v.Valid[row>>6] >> (uint(row) & 63) & 1)
		}
		out.groups = p.groups[:k]
	}
	out.n, out.at = k, p.at[:k]
	if v.Form == vector.Dictionary {
		for i, row := range out.at {
			out.at[i] = v.Codes[row]
		}
	}
}

// place is the index of the i-th value.
func (p *picked) place(i int) int {
	if p.at != nil {
		return int(p.at[i])
	}
	return i
}

// group is the group of the i-th value.
func (p *picked) group(i int) uint32 {
	if p.groups != nil {
		return p.groups[i]
	}
	return 0
}

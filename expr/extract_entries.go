package expr

import (
	"errors"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// entriesNode makes a LIST of STRUCTs of the elements of arrays or the fields of objects that a
// path leads to in VARIANTs. Of other values it is NULL. It is for one goroutine.
type entriesNode struct {
	x      kernel.Node // the VARIANTs
	path   vector.Path
	layout *variant.Layout // nil: canonical
	t      vector.Type     // of the LIST
	// fields make the fields of the STRUCTs, by source of entries (see
	// variant.Layout.EntryTypes), which is their column 0. Without nodes a field is the
	// entry's name.
	fields [][]kernel.Node

	lister variant.Lister
	out    vector.Vector
	frame  kernel.Frame
	rows   [][]int32 // of each source that are wanted
	of     []*vector.Vector
}

// Eval implements kernel.Node.
func (n *entriesNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if kernel.CountRows(rows, f.N) == 0 {
		n.out = *vector.NewConstant(vector.NullOf(n.t), f.N)
		return &n.out, nil
	}
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	found, err := n.list(v, rows)
	switch {
	case errors.Is(err, variant.ErrManyEntries):
		return nil, quota.ErrBatchTooLong
	case err != nil:
		return nil, err
	}
	if err := f.Meter.Elements(int64(len(found.Picks) + found.Sources[0].Len)); err != nil {
		return nil, err
	}
	count := n.choose(found, rows, f.N)
	made := &vector.Vector{Type: n.t.Fields[0].Type, Len: count}
	n.frame.Meter = f.Meter
	for i, nodes := range n.fields {
		field, err := n.field(found, nodes, made.Type.Fields[i].Type, count)
		if err != nil {
			return nil, err
		}
		made.Children = append(made.Children, field)
	}
	n.out = vector.Vector{Type: n.t, Len: f.N, Valid: found.Valid, Offsets: found.Offsets, Children: []*vector.Vector{made}}
	return &n.out, nil
}

// list finds the entries.
func (n *entriesNode) list(v *vector.Vector, rows []int32) (*variant.Entries, error) {
	if n.layout == nil {
		return n.lister.Canonical(v, rows, n.path)
	}
	found, err := n.layout.Entries(&n.lister, v, rows, n.path)
	if err != nil && !errors.Is(err, variant.ErrManyEntries) {
		err = kernel.Damaged(err)
	}
	return found, err
}

// choose finds out which rows of the sources are wanted. It is the number of entries,
// which are more than those that are wanted if they are not picked.
func (n *entriesNode) choose(found *variant.Entries, rows []int32, count int) int {
	n.rows = append(n.rows[:0], make([][]int32, len(found.Sources))...)
	if found.Picks != nil {
		for _, p := range found.Picks {
			n.rows[p.Source] = append(n.rows[p.Source], p.Row)
		}
		return len(found.Picks)
	}
	if from, to := found.Offsets[0], found.Offsets[count]; rows != nil || from > 0 || int(to) < found.Sources[found.Direct].Len {
		wanted := []int32{}
		for _, row := range kernel.Listed(rows, count) {
			if found.Valid == nil || found.Valid.Get(int(row)) {
				for i := found.Offsets[row]; i < found.Offsets[row+1]; i++ {
					wanted = append(wanted, i)
				}
			}
		}
		n.rows[found.Direct] = wanted
	}
	return found.Sources[found.Direct].Len
}

// field makes a field of all entries.
func (n *entriesNode) field(found *variant.Entries, nodes []kernel.Node, t vector.Type, count int) (*vector.Vector, error) {
	switch {
	case nodes == nil:
		return nameOf(found, t, count), nil
	case found.Picks == nil:
		return n.eval(found.Sources[found.Direct], nodes[found.Direct], n.rows[found.Direct], t)
	}
	n.of = n.of[:0]
	for i, source := range found.Sources {
		if n.rows[i] == nil {
			n.of = append(n.of, vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), source.Len))
			continue
		}
		v, err := n.eval(source, nodes[i], n.rows[i], t)
		if err != nil {
			return nil, err
		}
		n.of = append(n.of, v)
	}
	out := &vector.Vector{}
	return out, out.Pick(t, n.of, found.Picks)
}

// eval makes a field of the entries of a source.
func (n *entriesNode) eval(source *vector.Vector, node kernel.Node, rows []int32, t vector.Type) (*vector.Vector, error) {
	if source.Len == 0 {
		return vector.New(t, 0), nil
	}
	n.frame.Cols, n.frame.N = append(n.frame.Cols[:0], source), source.Len
	v, err := node.Eval(&n.frame, rows)
	if err != nil || v.Form != vector.Constant || v.IsNull(0) {
		return v, err
	}
	return v.Flatten(nil)
}

// nameOf is the names of entries.
func nameOf(found *variant.Entries, t vector.Type, count int) *vector.Vector {
	if found.Names == nil {
		return vector.NewConstant(vector.NullOf(t), count)
	}
	out := vector.New(t, count)
	copy(out.Str, found.Names)
	for _, i := range found.Elements {
		out.SetNull(int(i))
	}
	return out
}

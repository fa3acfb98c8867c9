package mapping

import (
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// entries is where the entries of a VARIANT's arrays and objects are, in the leaves of one
// file's column.
type entries struct {
	always   []vector.Path
	metadata bool
	values   []entryLeaf   // which are read where they have a value; then metadata, too
	shapes   [][]entryLeaf // of each one leaf is read, if no other is
	empty    func(*fileformat.ColumnChunk) bool
}

// entryLeaf is a leaf and the path to it.
type entryLeaf struct {
	path vector.Path
	node *fileformat.Node
}

// newEntries says what is read for an Ask. It is nil if a file has nothing of it.
func newEntries(c nested.Column, o nested.Options, r variant.Reads, empty func(*fileformat.ColumnChunk) bool) *entries {
	if len(r.Always)+len(r.Values)+len(r.Shapes) == 0 {
		return nil
	}
	e := &entries{always: r.Always, metadata: r.Metadata, empty: empty}
	below := func(path vector.Path) (out []entryLeaf) {
		for _, p := range leafPaths(c.Type, path) {
			for _, leaf := range nested.Needed(c, o, []vector.Path{p}) {
				out = append(out, entryLeaf{p, LeafOf(c.Node, leaf)})
			}
		}
		return slices.DeleteFunc(out, func(l entryLeaf) bool { return l.node == nil })
	}
	for _, v := range r.Values {
		e.values = append(e.values, below(v)...)
	}
	for _, s := range r.Shapes {
		e.shapes = append(e.shapes, below(s))
	}
	return e
}

// leafPaths are the paths to all that is not nested below a path, which leads from a value
// of type t.
func leafPaths(t vector.Type, path vector.Path) []vector.Path {
	at := t
	for _, step := range path {
		i := slices.IndexFunc(at.Fields, func(f vector.Field) bool { return step.Kind == vector.ElementStep || f.Name == step.Name })
		if i < 0 {
			return nil
		}
		at = at.Fields[i].Type
	}
	if len(at.Fields) == 0 {
		return []vector.Path{path}
	}
	var out []vector.Path
	for i := range at.Fields {
		out = append(out, leafPaths(t, path.Then(at.Child(i)))...)
	}
	return out
}

// reads are the paths that are read of a row group, with nil of any.
func (e *entries) reads(g *fileformat.RowGroup) []vector.Path {
	out, metadata := slices.Clip(e.always), e.metadata
	for _, v := range e.values {
		if g == nil || !e.empty(g.Columns[v.node.Leaf]) {
			out, metadata = append(out, v.path), true
		}
	}
	for _, shape := range slices.Backward(e.shapes) { // from within
		if len(shape) > 0 && !slices.ContainsFunc(shape, func(l entryLeaf) bool {
			return slices.ContainsFunc(out, l.path.HasPrefix)
		}) {
			out = append(out, cheapest(shape, g).path)
		}
	}
	if metadata {
		out = append(out, vector.FieldPath("metadata"))
	}
	if out == nil {
		out = []vector.Path{}
	}
	return out
}

// cheapest is the leaf that takes the fewest bytes to read or, without a row group, the one
// with the fewest entries and the smallest values. A leaf without its key is none.
func cheapest(leaves []entryLeaf, g *fileformat.RowGroup) entryLeaf {
	var best entryLeaf
	var least int64 = -1
	for _, l := range leaves {
		cost := int64(l.node.MaxRep) * 2
		if l.node.Physical == fileformat.ByteArray {
			cost++
		}
		if g != nil {
			chunk := g.Columns[l.node.Leaf]
			if cost = max(0, chunk.Meta.TotalCompressedSize); chunk.Locked() {
				continue
			}
		}
		if least < 0 || cost < least {
			best, least = l, cost
		}
	}
	if least < 0 {
		return cheapest(leaves, nil)
	}
	return best
}

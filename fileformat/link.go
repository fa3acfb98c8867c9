package fileformat

import (
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// link ties row groups and chunks to the schema and checks that row counts
// agree. paths has the path_in_schema of each group's chunks, nil where absent.
func (f *File) link(paths [][][]byte) error {
	var rows int64
	for i, g := range f.rowGroups {
		if g.NumRows < 0 || g.NumRows > math.MaxInt64-rows {
			return f.corrupt(i, "", f.dataEnd, fmt.Errorf("a row group of %d rows", g.NumRows))
		}
		g.FirstRow = rows
		rows += g.NumRows
		if len(g.Columns) != len(f.Schema.Leaves) {
			return f.corrupt(i, "", f.dataEnd, fmt.Errorf("%d column chunks where the schema has %d columns", len(g.Columns), len(f.Schema.Leaves)))
		}
		if err := f.linkChunks(g, paths[i]); err != nil {
			return f.corrupt(i, "", f.dataEnd, err)
		}
		for _, s := range g.SortingColumns {
			if s.Leaf < 0 || s.Leaf >= len(f.Schema.Leaves) {
				g.SortingColumns = nil // an invalid hint is ignored
				break
			}
		}
	}
	// Some writers leave the file's own count 0 (repeated_no_annotation.parquet
	// of parquet-testing); any other difference means that rows are missing.
	if rows != f.Meta.NumRows && f.Meta.NumRows != 0 {
		return f.corrupt(-1, "", f.dataEnd, fmt.Errorf("the row groups have %d rows, the file says %d", rows, f.Meta.NumRows))
	}
	f.Meta.NumRows = rows
	return nil
}

// linkChunks gives each chunk its leaf. Chunks are in the schema's order; if their
// paths have another order, the paths decide.
func (f *File) linkChunks(g *RowGroup, paths [][]byte) error {
	for i, c := range g.Columns {
		if paths[i] != nil && !pathEquals(paths[i], f.Schema.Leaves[i].Path) {
			return f.linkByPath(g, paths)
		}
		f.bind(c, i)
	}
	return nil
}

func (f *File) bind(c *ColumnChunk, leaf int) {
	c.file, c.Leaf = f, f.Schema.Leaves[leaf]
	c.adopt()
}

// adopt makes the chunk's metadata agree with its column.
func (c *ColumnChunk) adopt() {
	if s := c.Meta.statistics; s != nil {
		s.Order = c.file.Meta.ColumnOrders[c.Leaf.Leaf]
	}
	if s := c.Meta.SizeStatistics; s != nil {
		if len(s.RepetitionHistogram) != c.Leaf.MaxRep+1 {
			s.RepetitionHistogram = nil
		}
		if len(s.DefinitionHistogram) != c.Leaf.MaxDef+1 {
			s.DefinitionHistogram = nil
		}
	}
}

var errPaths = errors.New("the column chunks' paths are not those of the schema")

// linkByPath reorders the chunks; every leaf must get exactly one.
func (f *File) linkByPath(g *RowGroup, paths [][]byte) error {
	leaves := make(map[string]int, len(f.Schema.Leaves))
	for i, l := range f.Schema.Leaves {
		leaves[pathKey(l.Path)] = i
	}
	ordered := make([]*ColumnChunk, len(g.Columns))
	for i, c := range g.Columns {
		leaf, ok := leaves[pathKey(readPath(paths[i]))]
		if !ok || ordered[leaf] != nil {
			return errPaths
		}
		ordered[leaf] = c
		f.bind(c, leaf)
	}
	g.Columns = ordered
	return nil
}

// pathEquals compares a path_in_schema with a path without allocating.
func pathEquals(raw []byte, path []string) bool {
	r := thrift.NewReader(raw)
	n := r.List(thrift.Field{Type: thrift.List}, thrift.Binary)
	if n != len(path) {
		return false
	}
	for _, part := range path {
		if string(r.ElementBinary()) != part {
			return false
		}
	}
	return r.Err() == nil
}

func readPath(raw []byte) []string {
	r := thrift.NewReader(raw)
	var path []string
	for range r.List(thrift.Field{Type: thrift.List}, thrift.Binary) {
		path = append(path, string(r.ElementBinary()))
	}
	return path
}

// pathKey returns a key that differs for any two different paths, even if their
// parts have separators in them.
func pathKey(path []string) string { return fmt.Sprintf("%q", path) }

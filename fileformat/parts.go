package fileformat

import (
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Part is one of the files that a summary file ("_metadata") names.
type Part struct {
	Path   string // as written: relative to the summary's folder; empty for the summary file itself
	of     *File
	groups []*RowGroup
}

// Parts returns the files that the row groups of a summary file name, in the order of
// their first row group. It returns none for an ordinary file, which has its own
// pages. A row group whose chunks lie in several files is an error.
func (f *File) Parts() ([]Part, error) {
	var parts []Part
	at := map[string]int{}
	for _, g := range f.rowGroups {
		if len(g.Columns) == 0 {
			continue
		}
		path := g.Columns[0].FilePath
		for _, c := range g.Columns {
			if c.FilePath != path {
				return nil, c.Corrupt(-1, fmt.Errorf("the row group's chunks lie in different files: %q and %q", path, c.FilePath))
			}
		}
		i, known := at[path]
		if !known {
			i = len(parts)
			at[path], parts = i, append(parts, Part{Path: path, of: f})
		}
		parts[i].groups = append(parts[i].groups, g)
	}
	if len(parts) == 1 && parts[0].Path == "" {
		return nil, nil
	}
	return parts, nil
}

// File is the part as the summary describes it: its row groups, whose pages lie in a
// file of the given size.
func (p Part) File(size int64, o Options) *File {
	groups := make([]*RowGroup, len(p.groups))
	for i, g := range p.groups {
		copied := *g
		copied.Columns = make([]*ColumnChunk, len(g.Columns))
		for k, c := range g.Columns {
			chunk := *c
			chunk.FilePath, chunk.RowGroup = "", &copied
			if c.crypto != nil { // its cipher is that of the summary's footer
				chunk.crypto = &chunkCrypto{}
			}
			copied.Columns[k] = &chunk
		}
		groups[i] = &copied
	}
	meta := *p.of.Meta
	return NewFile(&meta, p.of.Schema, groups, size, o)
}

// NewFile is a file of the given size whose metadata was not read from its own
// footer. It takes over the metadata and the row groups, and sets what follows
// from their order: the groups' Index and FirstRow and the file's NumRows.
func NewFile(meta *FileMetaData, schema *Schema, groups []*RowGroup, size int64, o Options) *File {
	f := &File{Meta: meta, Schema: schema, options: o, size: size, dataEnd: max(0, size-tailSize), rowGroups: groups}
	meta.NumRows = 0
	for i, g := range groups {
		g.Index, g.FirstRow = i, meta.NumRows
		meta.NumRows += g.NumRows
		for _, c := range g.Columns {
			c.file = f
			if c.Locked() {
				f.locked, f.encryption = true, &encryption{err: errs.Unsupported("encrypted files that a summary file names")}
			}
		}
	}
	return f
}

package fileformat

import "fmt"

// FilePaths are the files that the row groups of a summary file ("_metadata")
// name, in order of first appearance, as written: relative to the summary's
// folder. It is empty for an ordinary file, whose pages are its own. Row groups
// whose chunks lie in several files are an error.
func (f *File) FilePaths() ([]string, error) {
	var paths []string
	seen := map[string]bool{}
	for _, g := range f.rowGroups {
		for _, c := range g.Columns {
			if c.FilePath != g.Columns[0].FilePath {
				return nil, c.Corrupt(-1, fmt.Errorf("the row group's chunks lie in different files: %q and %q", g.Columns[0].FilePath, c.FilePath))
			}
		}
		if len(g.Columns) > 0 && g.Columns[0].FilePath != "" && !seen[g.Columns[0].FilePath] {
			seen[g.Columns[0].FilePath] = true
			paths = append(paths, g.Columns[0].FilePath)
		}
	}
	return paths, nil
}

// Part is one of the files that a summary file names, as far as the summary
// describes it: its row groups, whose pages lie in that file of the given size.
func (f *File) Part(path string, size int64, o Options) *File {
	var groups []*RowGroup
	for _, g := range f.rowGroups {
		if len(g.Columns) == 0 || g.Columns[0].FilePath != path {
			continue
		}
		copied := *g
		copied.Columns = make([]*ColumnChunk, len(g.Columns))
		for i, c := range g.Columns {
			chunk := *c
			chunk.FilePath, chunk.RowGroup = "", &copied
			copied.Columns[i] = &chunk
		}
		groups = append(groups, &copied)
	}
	meta := *f.Meta
	return NewFile(&meta, f.Schema, groups, size, o)
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
		}
	}
	return f
}

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
				return nil, c.corrupt(-1, fmt.Errorf("the row group's chunks lie in different files: %q and %q", g.Columns[0].FilePath, c.FilePath))
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
	meta := *f.Meta
	meta.NumRows = 0
	part := &File{Meta: &meta, Schema: f.Schema, options: o, size: size, dataEnd: max(0, size-tailSize)}
	for _, g := range f.rowGroups {
		if len(g.Columns) == 0 || g.Columns[0].FilePath != path {
			continue
		}
		copied := *g
		copied.Index, copied.FirstRow = len(part.rowGroups), meta.NumRows
		copied.Columns = make([]*ColumnChunk, len(g.Columns))
		for i, c := range g.Columns {
			chunk := *c
			chunk.FilePath, chunk.RowGroup, chunk.file = "", &copied, part
			copied.Columns[i] = &chunk
		}
		meta.NumRows += g.NumRows
		part.rowGroups = append(part.rowGroups, &copied)
	}
	return part
}

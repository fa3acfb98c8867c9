package statistics

import (
	"github.com/parquetsql/parquetsql/scan/files"
)

// known looks at what is known of the files without opening any; false where that does not tell
// the rows of each, or nothing of columns.
func (s *Table) known() bool {
	var rows, sampled float64
	for _, f := range s.table.Files {
		if f.Rows < 0 || f.Bounds == nil {
			return false
		}
		rows += float64(liveRows(f))
	}
	s.rows, s.named = rows, spread(s.table.Files, maxGroups)
	for _, f := range s.named {
		sampled += float64(liveRows(f))
	}
	if rows > 0 {
		s.share = sampled / rows
	}
	return len(s.table.Files) > 0
}

// take takes a sample of the files: as many of all rows are deleted as of its own.
func (s *Table) take(of files.Sample) {
	rows := 0.0
	for _, f := range of.Files {
		rows += float64(f.Rows)
	}
	own := *s.table
	own.Files = of.Files
	s.table, s.all = &own, of.Known
	if s.known() && rows > 0 {
		s.share *= rows / max(float64(of.Rows), rows)
		s.rows *= max(float64(of.Rows), rows) / rows
	}
}

// liveRows are the rows of a file that are not deleted, as far as is known.
func liveRows(f *files.File) int64 {
	if f.Deletes == nil {
		return f.Rows
	}
	return f.Rows - max(f.Deletes.Rows, 0)
}

// boundsOf is what is known of a column in a file.
func boundsOf(f *files.File, column int) chunk {
	out := chunk{rows: float64(f.Rows), nulls: -1}
	if f.Bounds == nil {
		return out
	}
	if b := f.Bounds(column); b != nil {
		out.nulls, out.min, out.max = float64(b.Nulls), b.Min, b.Max
	}
	return out
}

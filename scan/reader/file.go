package reader

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// scanFile is a file that a scan has opened. It is closed when the last row
// group that needs it is done.
type scanFile struct {
	table  *files.File
	open   *files.OpenFile
	source meteredFile
	refs   atomic.Int32
	free   func() // of what says which rows are deleted; nil: nothing

	tampered atomic.Pointer[error] // of an index of an encrypted chunk
}

// release gives up one reference. With the last one, what was read is looked at once more: the
// reads of some file systems do not notice that the file was replaced.
func (f *scanFile) release() error {
	if f.refs.Add(-1) > 0 {
		return nil
	}
	if f.free != nil {
		f.free()
	}
	var changed error
	if f.source.read.Load() && f.source.ctx.Err() == nil {
		changed = f.open.Verify(f.source.ctx)
	}
	return errors.Join(changed, f.open.Close())
}

// fileColumns has a table's columns in one file. It must be used by one goroutine.
type fileColumns struct {
	scan    *Scan
	file    *scanFile
	columns []*mapping.Column // by table column, then Request.Derived; nil if the values do not come from the file

	// known is what statistics say of columns: by table column, then Request.Derived, then
	// Request.Inner; made when it is asked for, but that of Inner.
	known map[int]*prune.Column

	seen []bool // of neededLeaves, by leaf: all false

	// Of row groups that statistics rule out nothing stays, so what ruledOut makes for one of them
	// it makes for all.
	ruling *fileformat.RowGroup            // that it is about; nil: none
	get    func(column int) *probe.Summary // of ruling; nil: not made yet
	rooms  []*prune.Room
	made   int        // how many of rooms are in use
	spare  *groupScan // that was ruled out; nil: none

	summed *fileformat.RowGroup // see summaries
	sums   map[int]*probe.Summary
}

// fileColumns prepares the columns that the scan needs.
func (s *Scan) fileColumns(f *scanFile) (*fileColumns, error) {
	out := &fileColumns{scan: s, file: f, columns: make([]*mapping.Column, len(s.table.Columns)), known: map[int]*prune.Column{}, sums: map[int]*probe.Summary{}}
	for _, i := range s.needed {
		column, err := s.fileColumn(f, i)
		if err != nil {
			return nil, err
		}
		out.columns[i] = column
	}
	if len(s.unnested) == 0 {
		return out, nil
	}
	for k, inner := range s.request.Inner {
		column, err := s.innerColumn(f, inner)
		if err != nil {
			return nil, err
		}
		out.known[len(s.table.Columns)+k] = column
	}
	return out, nil
}

// statistics is what statistics say of column i; nil if its values do not come from the file.
func (c *fileColumns) statistics(i int) *prune.Column {
	known, ok := c.known[i]
	if c.file.table.Fill(i) != nil {
		return nil // they do not know what is in place of NULL
	}
	if !ok && i < len(c.columns) && c.columns[i] != nil {
		known = prune.Of(c.columns[i])
		c.known[i] = known
	}
	return known
}

// has reports whether the values of column i come from the file.
func (c *fileColumns) has(i int) bool {
	if i < len(c.columns) {
		return c.columns[i] != nil
	}
	return c.known[i] != nil
}

// fileColumn is a column of the table, or one of Request.Derived; nil if its values do not come
// from the file.
func (s *Scan) fileColumn(f *scanFile, i int) (*mapping.Column, error) {
	if k := i - s.own; k >= 0 {
		return s.derivedColumn(f, s.request.Derived[k])
	}
	c, ok := f.open.Columns.Column(i)
	if _, known := f.table.Value(i); known || !ok || s.table.Columns[i].Origin != scan.FromFile {
		return nil, nil
	}
	if d := f.open.Columns.Within(i); d != nil {
		return mapping.Converted(c, f.table.NestedOptions(), convert.WhereNotNull(c.Type, *d)), nil
	}
	column, err := mapping.NewColumn(c, f.table.NestedOptions(), s.table.Columns[i].Type, f.open.Columns.Match(i))
	if err != nil {
		return nil, errorIn(err, f.table.Path, c.Name)
	}
	return column, nil
}

// derivedColumn is a column made of a VARIANT; nil where the file does not have it.
func (s *Scan) derivedColumn(f *scanFile, d scan.Derived) (*mapping.Column, error) {
	c, ok := f.open.Columns.Column(d.Column)
	if !ok || c.Type.Kind != vector.Variant {
		return nil, nil
	}
	column, err := mapping.NewDerived(c, f.table.NestedOptions(), d.Extraction, prune.OnlyNulls)
	if err != nil {
		return nil, errorIn(err, f.table.Path, c.Name)
	}
	return column, nil
}

// innerColumn is a leaf within a column; nil where the file does not have it, so that its values
// are NULL.
func (s *Scan) innerColumn(f *scanFile, inner scan.Inner) (*prune.Column, error) {
	c, ok := f.open.Columns.Column(inner.Column)
	if !ok {
		return nil, nil
	}
	match := f.open.Columns.Match(inner.Column)
	path := convert.Path(c.Type, s.table.Columns[inner.Column].Type, match, inner.Path)
	leaf, ok := nested.Inner(c, f.table.NestedOptions(), path)
	switch {
	case !ok && !match.HasDefaults():
		return nil, nil
	case !ok: // nothing is known of it
		leaf = c
		leaf.Leaves = nil
	}
	column, err := prune.NewInner(leaf, f.table.NestedOptions(), inner.Type)
	if err != nil {
		return nil, errorIn(err, f.table.Path, c.Name)
	}
	return column, nil
}

// source says where the values of column i come from.
func (c *fileColumns) source(i int) scan.Origin {
	if i >= len(c.scan.table.Columns) {
		return scan.FromFile
	}
	return c.scan.table.Columns[i].Origin
}

// typeOf is the table's type of column i.
func (c *fileColumns) typeOf(i int) vector.Type {
	if own := len(c.scan.table.Columns); i >= own {
		return c.scan.request.Inner[i-own].Type
	}
	return c.scan.table.Columns[i].Type
}

// constant is the value of column i if all rows of the row group have the same.
func (c *fileColumns) constant(i int, g *fileformat.RowGroup) (vector.Scalar, bool) {
	if v, ok := c.file.table.Value(i); ok {
		return v, true
	}
	switch c.source(i) {
	case scan.FromFilePath:
		return vector.StringScalar(c.file.table.Path), true
	case scan.FromRowGroup:
		return vector.IntScalar(int64(g.Index)), true
	case scan.FromRow:
		return vector.Scalar{}, false
	}
	if fill := c.file.table.Fill(i); fill != nil {
		return vector.IntScalar(fill.From), !c.has(i) && !fill.Counted
	}
	if !c.has(i) {
		if d := c.file.open.Columns.Default(i); d != nil {
			return *d, true
		}
		return vector.NullOf(c.typeOf(i)), true
	}
	if g := c.scan.describing(g); g != nil && i < len(c.columns) && c.columns[i].NeverTrue(g) {
		return vector.BoolScalar(false), true
	}
	return vector.Scalar{}, false
}

// summary is the summary of column i in a row group, by footer and folder names.
func (c *fileColumns) summary(i int, g *fileformat.RowGroup) *probe.Summary {
	if s, ok := c.constant(i, g); ok {
		return prune.Constant(s, g.NumRows)
	}
	if c.source(i) == scan.FromRow {
		return prune.Sequence(g.FirstRow, g.NumRows)
	}
	if fill := c.file.table.Fill(i); fill != nil {
		if c.has(i) {
			return prune.Unknown(g.NumRows)
		}
		return prune.Sequence(fill.From+g.FirstRow, g.NumRows)
	}
	if !c.scan.request.Pruning.Any(scan.PruneStatistics) {
		return prune.Unknown(g.NumRows)
	}
	return c.statistics(i).In(g).ChunkIn(c.room(), g)
}

// openFile opens a file and drops the row groups that its footer rules out.
func (s *Scan) openFile(ctx context.Context, f *files.File) ([]*groupScan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	open, err := s.opener.Open(ctx, f)
	if err != nil {
		return nil, s.giveUp(err)
	}
	s.count.filesOpened.Add(1)
	s.count.bytesRead.Add(f.TakeFooterBytes()) // if it was not in the cache
	file := &scanFile{table: f, open: open, source: meteredFile{ctx: s.ctx, open: open, bytes: &s.count.bytesRead}}
	file.refs.Add(1)
	defer file.release()
	columns, err := s.borrowColumns(file)
	if err != nil {
		return nil, err
	}
	if err := open.Unlock(ctx, columns.neededLeaves(nil)); err != nil {
		return nil, err // also where damage is skipped: a wrong key looks like damage of all rows
	}
	var groups []*groupScan
	for _, g := range open.RowGroups() {
		if err := ctx.Err(); err != nil {
			discard(groups, nil)
			return nil, err
		}
		if !s.table.Reads(f, g.Index) {
			continue
		}
		s.count.groupsTotal.Add(1)
		if g.NumRows == 0 {
			continue
		}
		group := columns.newGroup(g)
		if s.request.Pruning.Any(scan.PruneStatistics) && columns.ruledOut(group) {
			s.count.groupsStats.Add(1)
			s.count.ruledOut(group)
			continue
		}
		file.refs.Add(1)
		group.rows = selection.AllRows(g.NumRows)
		group.planned()
		groups = append(groups, group)
	}
	s.giveBack(columns)
	groups, err = s.loadDeleted(ctx, file, groups)
	if err != nil {
		discard(groups, nil)
		return nil, err
	}
	return groups, nil
}

// describing is the row group if its statistics may say what need not be read, else nil.
func (s *Scan) describing(g *fileformat.RowGroup) *fileformat.RowGroup {
	if !s.request.Pruning.Any(scan.PruneStatistics) {
		return nil
	}
	return g
}

// giveUp handles an error of a whole file or row group. Where corrupt data is
// skipped, it reports the corruption and returns nil.
func (s *Scan) giveUp(err error) error {
	var corrupt *errs.CorruptError
	if !s.request.OnCorruptSkip || !errors.As(err, &corrupt) {
		return err
	}
	s.count.corrupt.Add(1)
	s.tell(corrupt)
	return nil
}

// tell calls OnSkip; the calls never overlap.
func (s *Scan) tell(err *errs.CorruptError) {
	if s.request.OnSkip == nil {
		return
	}
	s.skipMu.Lock()
	defer s.skipMu.Unlock()
	s.request.OnSkip(err)
}

// neededLeaves are the leaves of all columns that the scan needs from a row group, or
// with nil from any.
func (c *fileColumns) neededLeaves(g *fileformat.RowGroup) []int {
	if c.seen == nil {
		c.seen = make([]bool, len(c.file.open.Schema.Leaves))
	}
	out := make([]int, 0, len(c.scan.needed))
	for _, i := range c.scan.needed {
		if c.columns[i] == nil {
			continue
		}
		_, leaves := c.columns[i].Reads(c.scan.describing(g))
		for _, leaf := range leaves {
			if !c.seen[leaf] {
				c.seen[leaf] = true
				out = append(out, leaf)
			}
		}
	}
	for _, leaf := range out {
		c.seen[leaf] = false
	}
	return out
}

package reader

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/vector"
)

// columnBuffers is the memory of one column of a reader.
type columnBuffers struct {
	read     vector.Vector // as decoded
	view     vector.Vector // a part of it
	rows     []int32
	selected []int64
}

// columnReader reads one table column of a morsel's row group, window by window, in
// ascending order. The rows between two windows are skipped when the second one is
// read, so that a column costs nothing if none of its rows is needed.
type columnReader struct {
	morsel  *morselReader
	index   int            // of the table's column
	buffers *columnBuffers // nil for constants

	// Exactly one of these is set.
	constant *vector.Vector
	numbers  bool          // row numbers within the file
	column   *prune.Column // a column of the file

	repeated bool    // a row has any number of entries
	entries  float64 // per row, on average: the sum over all leaves

	reader  *nested.Reader // nil until the first row is wanted
	sources []*columnSource
	leaves  []openLeaf

	at       int64          // the first row in out
	out      *vector.Vector // the last rows that were read, in the table's type; nil: none
	selected []int64        // the rows in out, if only selected rows were read; else nil
}

type openLeaf struct {
	leaf   int
	reader *column.Reader
}

// lostRows is damage that makes the rows from to to-1 unreadable.
type lostRows struct {
	from, to int64
	corrupt  *errs.CorruptError
}

func (l *lostRows) Error() string { return l.corrupt.Error() }

func (l *lostRows) Unwrap() error { return l.corrupt }

// rows returns up to n rows that begin at row from; fewer if a later row is damaged.
// The error is *lostRows if row from itself is lost.
func (c *columnReader) rows(from int64, n int) (*vector.Vector, error) {
	switch {
	case c.constant != nil:
		c.constant.Len = n
		return c.constant, nil
	case c.numbers:
		v := &c.buffers.read
		v.Reset(vector.Of(vector.BigInt), n)
		for i := range v.I64 {
			v.I64[i] = c.morsel.group.group.FirstRow + from + int64(i)
		}
		return v, nil
	}
	if c.out == nil || c.selected != nil || from >= c.at+int64(c.out.Len) {
		if err := c.fill(from, n, nil); err != nil {
			return nil, err
		}
	}
	return c.cut(from, n)
}

// cut is the part of out that begins at row from.
func (c *columnReader) cut(from int64, n int) (*vector.Vector, error) {
	skip := int(from - c.at)
	n = min(n, c.out.Len-skip)
	if skip == 0 && n == c.out.Len {
		return c.out, nil
	}
	c.buffers.rows = vector.Resize(c.buffers.rows, n)
	for i := range c.buffers.rows {
		c.buffers.rows[i] = int32(skip + i)
	}
	return c.gather(c.buffers.rows)
}

// gather copies some rows of out.
func (c *columnReader) gather(rows []int32) (*vector.Vector, error) {
	v := &c.buffers.view
	if c.out.Form == vector.Constant {
		*v = *c.out
		v.Len = len(rows)
		return v, nil
	}
	return v, v.Gather(c.out, rows)
}

// fill decodes the rows that begin at from or, if selected is not nil, the selected
// rows, of which from is the first.
func (c *columnReader) fill(from int64, n int, selected []int64) error {
	c.out, c.selected = nil, nil
	if err := c.open(); err != nil {
		return c.judge(err, from)
	}
	if err := c.seek(from); err != nil {
		return err
	}
	got, err := c.read(n, selected)
	for got == 0 {
		if err == nil {
			err = c.corrupt(fmt.Errorf("the column ends before row %d", from))
		}
		if err = c.judge(err, from); err != nil {
			return err
		}
		got, err = c.read(n, selected) // the damage was reported; all of it is before the row
	}
	out, err := c.column.Converter().Vector(&c.buffers.read)
	if err != nil {
		return c.wrap(err)
	}
	c.at, c.out = from, out
	if selected != nil {
		c.buffers.selected = append(c.buffers.selected[:0], selected[:got]...)
		c.selected = c.buffers.selected
	}
	return nil
}

func (c *columnReader) read(n int, selected []int64) (int, error) {
	if selected == nil {
		return c.reader.Read(n, &c.buffers.read)
	}
	return c.reader.ReadSelected(selected, &c.buffers.read)
}

// seek skips to row from. Damage before that row is ignored.
func (c *columnReader) seek(from int64) error {
	for tries := 0; c.reader.Row() < from; tries++ {
		row := c.reader.Row()
		err := c.reader.Skip(from - row)
		if err == nil {
			continue
		}
		if err = c.judge(err, from); err != nil {
			return err
		}
		if tries > 0 && c.reader.Row() <= row {
			return c.wrap(c.corrupt(errors.New("its pages cannot be passed over")))
		}
	}
	return nil
}

// judge decides what damage means for row from: nil if only earlier rows are
// damaged, *lostRows if it is known which rows are, else the error itself.
func (c *columnReader) judge(err error, from int64) error {
	var damage *column.DamageError
	var corrupt *errs.CorruptError
	end := c.morsel.group.group.NumRows
	switch {
	case errors.As(err, &damage):
		if damage.EndRow <= from {
			return nil
		}
		return &lostRows{from: max(from, damage.FirstRow), to: damage.EndRow, corrupt: damage.Err}
	case errors.As(err, &corrupt): // of the chunk as a whole
		return &lostRows{from: from, to: end, corrupt: c.placed(corrupt)}
	}
	return c.wrap(err)
}

// placed adds the file and the row group to damage that was found while assembling
// several leaves, where only the column is known.
func (c *columnReader) placed(err *errs.CorruptError) *errs.CorruptError {
	if err.File != "" {
		return err
	}
	out := *err
	out.File, out.RowGroup = c.morsel.group.file.open.Name(), c.morsel.group.group.Index
	return &out
}

func (c *columnReader) wrap(err error) error {
	return errorIn(err, c.morsel.group.file.table.Path, c.column.Name)
}

func (c *columnReader) corrupt(err error) error {
	return &errs.CorruptError{
		File: c.morsel.group.file.open.Name(), RowGroup: c.morsel.group.group.Index, Column: c.column.Name, Offset: -1, Err: err,
	}
}

// open opens the column's leaves.
func (c *columnReader) open() error {
	if c.reader != nil {
		return nil
	}
	g := c.morsel.group
	fields := g.scan.fields[c.index]
	if c.index >= g.scan.own {
		fields, _ = c.column.Reads(g.scan.told(g.group))
	}
	reader, err := nested.NewReader(c.column.Column, fields, g.file.table.NestedOptions(), c.openLeaf)
	if err != nil {
		return err
	}
	c.reader = reader
	return nil
}

func (c *columnReader) openLeaf(leaf int, levels bool) (*column.Reader, error) {
	g := c.morsel.group
	from := g.later
	if g.isFirst[leaf] {
		from = g.first
	}
	source := from.column(leaf)
	c.sources = append(c.sources, source)
	options := g.scan.readOptions(source)
	options.Levels, options.Offset = levels, g.offsets[leaf]
	chunk := g.group.Columns[leaf]
	if options.WholePages {
		options.Check = nested.Checker(chunk.Leaf, g.file.table.NestedOptions(), levels)
	}
	r, err := column.NewReader(chunk, options)
	if err == nil {
		c.leaves = append(c.leaves, openLeaf{leaf, r})
	}
	return r, err
}

// close counts what was read and frees it.
func (c *columnReader) close() {
	for _, l := range c.leaves {
		st := l.reader.Stats()
		c.morsel.group.noteReader(l.leaf, st.PagesDecoded, st.PagesSkipped)
	}
	if c.reader != nil {
		c.reader.Close()
	}
	for _, l := range c.leaves {
		l.reader.Close()
	}
	for _, s := range c.sources {
		s.close()
	}
}

// errorIn adds the file and the column to an error that does not name them.
func errorIn(err error, file, column string) error {
	var corrupt *errs.CorruptError
	if errors.As(err, &corrupt) {
		return err
	}
	return fmt.Errorf("parquet: reading file %q, column %q: %w", file, column, err)
}

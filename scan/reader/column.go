package reader

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// columnBuffers is the memory of one column of a reader. A file may have a hundred thousand
// columns, most of which need no more than this.
type columnBuffers struct {
	read     vector.Vector // as decoded
	rare     *rareBuffers  // nil until it is needed
	leaves   column.Memories
	values   nested.Buffers // the memory of what was converted
	rows     []int32
	selected []int64

	copied, stayed int // batches whose texts were copied, and whose pages stayed
}

// rareBuffers is memory that few columns need.
type rareBuffers struct {
	part   vector.Vector // a part of what was decoded for another column
	picked vector.Vector // selected rows of what was decoded
	view   vector.Vector // a part of what was converted
	rest   restBuffers   // see columnReader.rest
	own    vector.Vector // with copied texts
	closed vector.Vector // without deleted rows
}

func (b *columnBuffers) more() *rareBuffers {
	if b.rare == nil {
		b.rare = &rareBuffers{}
	}
	return b.rare
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
	numbers  bool            // row numbers within the file, from first on
	column   *mapping.Column // a column of the file

	first   int64       // of numbers: that of the file's first row
	inPlace *files.Fill // of column: what is in place of NULL; nil: nothing

	repeated bool    // a row has any number of entries
	entries  float64 // per row, on average: the sum over all leaves

	// Of a shredded path rest has the values that are not shredded. It is read only of
	// rows in which the path typed is NULL in decoded. Both are nil if decoded has all.
	rest  *decoded
	typed vector.Path

	lending lending // of texts

	decoded  *decoded       // of column; several columns may have the same
	fills    int            // of decoded when out was made
	at       int64          // the first row in out
	out      *vector.Vector // the last rows that were read, in the table's type; nil: none
	selected []int64        // the rows in out, if only selected rows were read; else nil
	partial  int            // the try for whose selection only out was converted, 0: for all rows
}

// lostRows is damage that makes the rows from to to-1 unreadable.
type lostRows struct {
	from, to int64
	corrupt  *errs.CorruptError
}

func (l *lostRows) Error() string { return l.corrupt.Error() }

func (l *lostRows) Unwrap() error { return l.corrupt }

// rows returns up to n rows that begin at row from; fewer if a later row is damaged. Of
// what is made of VARIANTs only the rows of the batch that are left may have values.
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
			v.I64[i] = c.first + c.morsel.group.group.FirstRow + from + int64(i)
		}
		return v, nil
	}
	// A try after a shorter one may begin before the rows of that.
	if c.stale() || c.selected != nil || from < c.at || from >= c.at+int64(c.out.Len) {
		if err := c.fill(from, n, nil); err != nil {
			return nil, err
		}
	}
	return c.cut(from, n)
}

// stale reports whether there is no out, or none that serves any longer.
func (c *columnReader) stale() bool {
	return c.out == nil || c.fills != c.decoded.fills || c.partial != 0 && c.partial != c.morsel.tries
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
	v := &c.buffers.more().view
	if c.out.Form == vector.Constant {
		*v = *c.out
		v.Len = len(rows)
		return v, nil
	}
	return v, v.Gather(c.out, rows)
}

// fill makes out the rows that begin at from. If selected is not nil it takes only these out
// of n rows; the first of them is from.
func (c *columnReader) fill(from int64, n int, selected []int64) error {
	c.out, c.selected, c.partial = nil, nil, 0
	decode := selected
	if !c.repeated {
		decode = nil
	}
	if c.decoded.passed(from, decode != nil) {
		c.decoded = c.decoded.alone(c)
	}
	var part *vector.Vector
	if c.decoded.has(from, decode != nil) {
		part = &c.buffers.more().part
	}
	rows, err := c.decoded.rows(from, n, decode, part)
	if err == nil && selected != nil && !c.repeated {
		rows, err = c.pick(rows, from, selected)
	}
	if err == nil {
		var left []int32 // all of what was selected
		if selected == nil && c.converts() && c.morsel.batch.Sel != nil {
			left, c.partial = c.morsel.batch.Sel, c.morsel.tries
		}
		if c.rest == nil {
			rows, err = c.convert(rows, from, left)
		} else {
			rows, err = c.merge(rows, span{from, selected}, left)
		}
	}
	if err == nil && c.inPlace != nil {
		rows, err = c.filled(rows, from, selected)
	}
	if err != nil {
		return err
	}
	c.at, c.out, c.fills = from, rows, c.decoded.fills
	if selected != nil {
		c.buffers.selected = append(c.buffers.selected[:0], selected[:rows.Len]...)
		c.selected = c.buffers.selected
	}
	return nil
}

// pick is the selected rows of those that begin at from, as far as there are rows.
func (c *columnReader) pick(rows *vector.Vector, from int64, selected []int64) (*vector.Vector, error) {
	c.buffers.rows = c.buffers.rows[:0]
	for _, row := range selected {
		if row-from < int64(rows.Len) {
			c.buffers.rows = append(c.buffers.rows, int32(row-from))
		}
	}
	picked := &c.buffers.more().picked
	return picked, picked.Gather(rows, c.buffers.rows)
}

// filled is rows with what is in place of NULL. They are those from row from on, or the selected ones.
func (c *columnReader) filled(rows *vector.Vector, from int64, selected []int64) (*vector.Vector, error) {
	values := make([]vector.Scalar, rows.Len)
	for i := range values {
		if values[i] = rows.Get(i); !values[i].Null {
			continue
		}
		values[i] = vector.IntScalar(c.inPlace.From)
		if row := from + int64(i); c.inPlace.Counted {
			if selected != nil {
				row = selected[i]
			}
			values[i].I64 += c.morsel.group.group.FirstRow + row
		}
	}
	out := &vector.Vector{}
	return out, out.FromScalars(rows.Type, values)
}

// convert converts the rows that begin at from, or only those that are left of them. Of
// those with a damaged VARIANT it converts the rows before the first one, and of those with
// too much JSON text the first.
func (c *columnReader) convert(rows *vector.Vector, from int64, left []int32) (*vector.Vector, error) {
	past, _ := slices.BinarySearch(left, int32(rows.Len))
	out, err := c.column.Converter().Rows(rows, left[:past])
	if err == nil {
		return out, nil
	}
	var corrupt *errs.CorruptError
	if !errors.As(err, &corrupt) && !errors.Is(err, quota.ErrBatchTooLong) {
		return nil, c.decoded.wrap(err)
	}
	until := func(v *vector.Vector) (*vector.Vector, error) {
		past, _ := slices.BinarySearch(left, int32(v.Len))
		return c.column.Converter().Rows(v, left[:past])
	}
	var part vector.Vector
	good := 0
	for bad := rows.Len; bad-good > 1; {
		middle := good + (bad-good)/2
		part.Slice(rows, 0, middle)
		if _, err := until(&part); err == nil {
			good = middle
		} else {
			bad = middle
		}
	}
	switch {
	case good == 0 && corrupt == nil:
		return nil, c.decoded.wrap(err)
	case good == 0:
		return nil, &lostRows{from: from, to: from + 1, corrupt: c.decoded.located(corrupt)}
	}
	part.Slice(rows, 0, good)
	return until(&part)
}

// errorIn adds the file and the column to an error that does not name them.
func errorIn(err error, file, column string) error {
	var corrupt *errs.CorruptError
	if errors.As(err, &corrupt) {
		return err
	}
	return fmt.Errorf("reading file %q, column %q: %w", file, column, err)
}

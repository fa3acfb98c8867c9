package reader

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// decoded is the rows of one column of a file, before they are converted. Several
// columns of a scan share it if they are made of the same leaves: paths into a VARIANT
// that is not shredded, or several conditions on one path.
type decoded struct {
	morsel *morselReader
	column *mapping.Column // the first of those that share it
	fields []vector.Path   // see nested.NewReader
	needed []int           // the leaves of fields
	table  int             // the column of the table that it is, or is made of

	derived bool             // columns of Request.Derived share it
	lent    bool             // memory of texts is used again: see lending
	entries bool             // and so is that of entries of dictionaries
	memory  *column.Memories // nil: what is decoded leaves none, nor what is converted
	values  *nested.Buffers

	reader  *nested.Reader // nil until the first row is wanted
	sources []*fetch.Column
	leaves  []openLeaf

	buffer   *vector.Vector // the last rows that were read
	at       int64          // the first of them
	selected []int64        // they, if only selected rows were read; else nil
	fills    int            // how often rows were read
}

type openLeaf struct {
	leaf   int
	reader *column.Reader
}

// decodedOf is what column i of the scan is made of.
func (m *morselReader) decodedOf(i int, c *columnReader) *decoded {
	g := m.group
	d := &decoded{morsel: m, column: c.column, table: i, buffer: &c.buffers.read}
	d.fields, d.needed = c.column.Reads(g.scan.describing(g.group))
	if i < g.scan.own {
		d.fields = convert.Paths(c.column.Type, g.scan.table.Columns[i].Type, g.file.open.Columns.Match(i), g.scan.fields[i])
		c.lending = c.lends(i)
		d.lent, d.entries = c.lending != lendNothing, c.lending == lendAll
		d.memory, d.values = &c.buffers.leaves, &c.buffers.values
		m.decodings = append(m.decodings, d)
		return d
	}
	d.table, d.derived = g.scan.request.Derived[i-g.scan.own].Column, true
	if typed, rest := g.split(c.column); typed != nil {
		other := *d
		other.fields, other.needed, other.buffer = rest, c.column.Needed(rest), &c.buffers.more().rest.read
		c.typed, c.rest = typed, m.shared(&other)
		d.fields = []vector.Path{typed}
		d.needed = c.column.Needed(d.fields)
	}
	return m.shared(d)
}

// shared is d, or what another column made of VARIANTs reads, if that is the same.
func (m *morselReader) shared(d *decoded) *decoded {
	for _, o := range m.decodings {
		if o.derived && o.table == d.table && slices.Equal(o.needed, d.needed) {
			return o
		}
	}
	m.decodings = append(m.decodings, d)
	return d
}

// split is mapping.Column.Split where it is used. Where damage is skipped, a row is lost if
// any of the pages that have it is damaged, so that all are read.
func (g *groupScan) split(c *mapping.Column) (typed vector.Path, rest []vector.Path) {
	if g.scan.request.OnCorruptSkip {
		return nil, nil
	}
	return c.Split(g.scan.describing(g.group))
}

// alone is a reading for a column that cannot share it any longer.
func (d *decoded) alone(c *columnReader) *decoded {
	out := &decoded{morsel: d.morsel, column: d.column, fields: d.fields, needed: d.needed, table: d.table, lent: d.lent, entries: d.entries, buffer: &c.buffers.read}
	if d.buffer == out.buffer {
		out.buffer = &vector.Vector{}
	}
	d.morsel.decodings = append(d.morsel.decodings, out)
	return out
}

// rows are up to n rows from row from, or the selected ones; the first of these is from.
// They are read unless they have been for another column; part is room for a part of
// what was read for another column.
func (d *decoded) rows(from int64, n int, selected []int64, part *vector.Vector) (*vector.Vector, error) {
	switch {
	case !d.has(from, selected != nil):
		err := d.fill(from, n, selected)
		return d.buffer, err
	case selected == nil:
		skip := int(from - d.at)
		part.Slice(d.buffer, skip, min(n, d.buffer.Len-skip))
		return part, nil
	}
	var rows []int32
	for _, row := range selected {
		at, ok := d.place(row)
		if !ok {
			break
		}
		rows = append(rows, int32(at))
	}
	return part, part.Gather(d.buffer, rows)
}

// place is where a row is in buffer; false if it is not there.
func (d *decoded) place(row int64) (int, bool) {
	if d.selected != nil {
		return slices.BinarySearch(d.selected, row)
	}
	at := row - d.at
	return int(at), at >= 0 && at < int64(d.buffer.Len)
}

// has reports whether a row is in buffer and, unless some rows are enough, with those behind it.
func (d *decoded) has(row int64, some bool) bool {
	_, ok := d.place(row)
	return d.fills > 0 && ok && (some || d.selected == nil)
}

// passed reports whether rows are neither in buffer nor ahead: another column, or an earlier
// try of the window, has gone further.
func (d *decoded) passed(row int64, some bool) bool {
	return d.reader != nil && !d.has(row, some) && d.reader.Row() > row
}

// fill decodes the rows that begin at from or, if selected is not nil, the selected
// rows; the first of these is from.
func (d *decoded) fill(from int64, n int, selected []int64) error {
	d.fills++
	d.buffer.Len, d.selected = 0, nil
	if err := d.open(); err != nil {
		return d.judge(err, from)
	}
	if err := d.seek(from); err != nil {
		return err
	}
	got, err := d.read(n, selected)
	for got == 0 {
		if err == nil {
			err = d.corrupt(fmt.Errorf("the column ends before row %d", from))
		}
		if err = d.judge(err, from); err != nil {
			return err
		}
		got, err = d.read(n, selected) // the damage was reported; all of it is before the row
	}
	d.at = from
	if selected != nil {
		d.selected = slices.Clone(selected[:got])
	}
	return nil
}

func (d *decoded) read(n int, selected []int64) (int, error) {
	if selected == nil {
		return d.reader.Read(n, d.buffer)
	}
	return d.reader.ReadSelected(selected, d.buffer)
}

// seek skips to row from. Damage before that row is ignored.
func (d *decoded) seek(from int64) error {
	for tries := 0; d.reader.Row() < from; tries++ {
		row := d.reader.Row()
		err := d.reader.Skip(from - row)
		if err == nil {
			continue
		}
		if err = d.judge(err, from); err != nil {
			return err
		}
		if tries > 0 && d.reader.Row() <= row {
			return d.wrap(d.corrupt(errors.New("its pages cannot be passed over")))
		}
	}
	return nil
}

// judge decides what damage means for row from: nil if only earlier rows are
// damaged, *lostRows if it is known which rows are, else the error itself.
func (d *decoded) judge(err error, from int64) error {
	var damage *column.DamageError
	var corrupt *errs.CorruptError
	end := d.morsel.group.group.NumRows
	switch {
	case errors.As(err, &damage):
		if damage.EndRow <= from {
			return nil
		}
		return &lostRows{from: max(from, damage.FirstRow), to: damage.EndRow, corrupt: damage.Err}
	case errors.As(err, &corrupt): // of the chunk as a whole
		return &lostRows{from: from, to: end, corrupt: d.located(corrupt)}
	}
	return d.wrap(err)
}

// located adds the file, the row group and the column to damage that was found in what
// was decoded, where it lacks them.
func (d *decoded) located(err *errs.CorruptError) *errs.CorruptError {
	if err.File != "" {
		return err
	}
	out := *err
	out.File, out.RowGroup = d.morsel.group.file.open.Name(), d.morsel.group.group.Index
	if out.Column == "" {
		out.Column = d.column.Name
	}
	return &out
}

func (d *decoded) wrap(err error) error {
	return errorIn(err, d.morsel.group.file.table.Path, d.column.Name)
}

func (d *decoded) corrupt(err error) error {
	return &errs.CorruptError{
		File: d.morsel.group.file.open.Name(), RowGroup: d.morsel.group.group.Index, Column: d.column.Name, Offset: -1, Err: err,
	}
}

// open opens the column's leaves.
func (d *decoded) open() error {
	if d.reader != nil {
		return nil
	}
	g := d.morsel.group
	reader, err := nested.NewReader(d.column.Column, d.fields, g.file.table.NestedOptions(), d.openLeaf)
	if err != nil {
		return err
	}
	reader.Use(d.values)
	d.reader = reader
	return nil
}

// manyLeaves is how many leaves of a row group are read at once from where on each should
// take little memory.
const manyLeaves = 32

func (d *decoded) openLeaf(leaf int, levels bool) (*column.Reader, error) {
	g := d.morsel.group
	from := g.later
	switch {
	case g.isRest[leaf]:
		from = g.rest
	case g.isFirst[leaf]:
		from = g.first
	}
	source := from.Column(leaf)
	d.sources = append(d.sources, source)
	options := g.scan.readOptions(source)
	options.Levels, options.Offset, options.Lent = levels, g.offsets[leaf], d.lent
	options.ShortPieces = len(g.leaves) > manyLeaves
	options.LentDictionary, options.Memory = d.entries, d.memory.Next(len(d.leaves))
	chunk := g.group.Columns[leaf]
	if options.WholePages {
		options.Check = nested.Checker(chunk.Leaf, g.file.table.NestedOptions())
	}
	r, err := column.NewReader(chunk, options)
	if err == nil {
		d.leaves = append(d.leaves, openLeaf{leaf, r})
	}
	return r, err
}

// close counts what was read and frees it.
func (d *decoded) close() {
	for _, l := range d.leaves {
		st := l.reader.Stats()
		d.morsel.group.noteReader(l.leaf, st.PagesDecoded, st.PagesSkipped)
	}
	if d.reader != nil {
		d.reader.Close()
	}
	for _, l := range d.leaves {
		l.reader.Close()
	}
	for _, s := range d.sources {
		s.Close()
	}
}

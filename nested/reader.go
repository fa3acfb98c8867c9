package nested

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested/internal/levels"
	"github.com/parquetsql/parquetsql/vector"
)

// Source opens a leaf of the row group at hand, with levels or without.
type Source func(leaf int, levels bool) (*column.Reader, error)

// Reader reads one column of a row group as vectors. It is for one goroutine.
type Reader struct {
	plan    *plan
	cursors []*cursor

	// The rows and entries read so far: a batch of rows with long lists has fewer
	// rows.
	rows, entries int64

	buffers *Buffers // see Use
}

// Rows with lists are read in portions of about portionEntries. The first portions
// have few rows, since the lengths of the lists are not known yet.
const (
	portionEntries = 1 << 16
	portionRows    = 16
	portionGrowth  = 8
)

// NewReader opens the leaves that the column needs. With fields, paths in the
// column's type, only what they lead to is read; all else comes as NULL. A path
// that the column does not have is ignored. With fields that are empty and not
// nil, only the rows' NULLs and lengths are right.
func NewReader(c Column, fields []vector.Path, o Options, src Source) (*Reader, error) {
	return newReader(c, fields, o, func(leaf int, levels bool) (leafReader, error) {
		r, err := src(leaf, levels)
		if err != nil {
			return nil, err
		}
		return r, nil
	})
}

func newReader(c Column, fields []vector.Path, o Options, open func(leaf int, levels bool) (leafReader, error)) (*Reader, error) {
	s := shapeOf(c, o)
	if s == nil {
		return nil, errs.Unsupported("a column without leaves: %q", c.Name)
	}
	if s.kind == scalar {
		return newFlat(s, open)
	}
	r := &Reader{plan: newPlan(s, fields)}
	wanted := r.plan.leaves(nil)
	for _, p := range wanted {
		convert := &converter{node: p.node, typ: p.typ}
		r.cursors = append(r.cursors, &cursor{node: p.node, convert: convert, taken: &taken{}})
	}
	r.plan.attach(r.cursors)
	if len(wanted) == 0 {
		r.cursors = []*cursor{{node: witness(s.node), taken: &taken{}}}
		r.plan.cursor = 0
	}
	for _, cur := range r.cursors {
		leaf, err := open(cur.node.Leaf, true)
		if err != nil {
			r.Close()
			return nil, err
		}
		if cur.leaf = leaf; cur.convert == nil {
			leaf.OnlyLevels()
		}
	}
	return r, nil
}

// flat is the reader of a column that is one leaf, in one piece: a table may have a hundred thousand.
type flat struct {
	reader  Reader
	plan    plan
	cursor  cursor
	convert converter
	cursors [1]*cursor
}

func newFlat(s *shape, open func(leaf int, levels bool) (leafReader, error)) (*Reader, error) {
	leaf, err := open(s.node.Leaf, false)
	if err != nil {
		return nil, err
	}
	f := &flat{
		plan: plan{shape: s, values: true}, convert: converter{node: s.node, typ: s.typ},
		cursor: cursor{node: s.node, leaf: leaf},
	}
	f.cursor.convert, f.cursors[0] = &f.convert, &f.cursor
	f.reader = Reader{plan: &f.plan, cursors: f.cursors[:]}
	return &f.reader, nil
}

// Read reads the next rows into a vector: the number asked for, or at least one if
// the rows have long lists or damage follows; 0 at the end. The vector and all
// that it points to belong to the reader, are valid until its next call and must
// not be written to; only dictionaries stay valid, and strings that the leaves' readers do
// not lend. Damage is a
// *column.DamageError, which is returned until Skip has moved past it.
func (r *Reader) Read(rows int, into *vector.Vector) (int, error) { return r.read(rows, nil, into) }

// ReadSelected is Read for the rows with these numbers, which ascend from Row()
// on. The rows between them are skipped and cannot be read afterwards, even if
// fewer rows were returned and Row() is before them.
func (r *Reader) ReadSelected(rows []int64, into *vector.Vector) (int, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	if err := r.Skip(max(0, rows[0]-r.Row())); err != nil {
		return 0, err
	}
	if row := r.Row(); row > rows[0] {
		return 0, fmt.Errorf("cannot read row %d of column %q: it is at row %d", rows[0], r.plan.node.Dotted(), row)
	}
	return r.read(len(rows), rows, into)
}

// read reads the next rows into a vector, or the selected ones.
func (r *Reader) read(rows int, selected []int64, into *vector.Vector) (int, error) {
	if r.plan.kind == scalar {
		return r.readFlat(rows, selected, into)
	}
	rows = min(rows, r.portion())
	if selected != nil {
		selected = selected[:rows]
	}
	rows, err := r.fill(rows, selected)
	if err != nil || rows == 0 {
		return 0, err
	}
	if err := r.assemble(rows); err != nil {
		if rows = r.intact(rows); rows == 0 {
			return 0, err
		}
	}
	*into = r.plan.out
	return rows, nil
}

// assemble takes the next rows, which all leaves have, and makes the plan's
// vector of them.
func (r *Reader) assemble(rows int) error {
	for _, c := range r.cursors {
		c.take(rows)
	}
	entries := 0
	for i, c := range r.cursors {
		if entries = max(entries, c.now.Count); int64(entries) > math.MaxInt32 {
			return errs.Unsupported("a row with %d values in column %q", entries, c.node.Dotted())
		}
		if i == 0 {
			continue
		}
		rep, def := r.plan.common(r.cursors[i-1].node, c.node)
		if err := levels.Agree(r.cursors[i-1].levels(), c.levels(), rep, def); err != nil {
			return r.corrupt(c, err)
		}
	}
	if err := r.build(r.plan, rows); err != nil {
		return err
	}
	r.rows, r.entries = r.rows+int64(rows), r.entries+int64(entries)
	return nil
}

// intact is called if some of the next rows could not be assembled. It assembles
// the rows before the first damaged one and returns their number, so that damage
// costs no row before it. The reader is then past them.
func (r *Reader) intact(rows int) int {
	good := 0
	for bad := rows; bad-good > 1; {
		middle := good + (bad-good)/2
		r.untake()
		if r.assemble(middle) == nil {
			good = middle
		} else {
			bad = middle
		}
	}
	r.untake()
	if good == 0 || r.assemble(good) != nil {
		return 0
	}
	return good
}

// untake undoes the last take of all cursors.
func (r *Reader) untake() {
	for _, c := range r.cursors {
		c.untake()
	}
}

// portion is the largest number of rows that one Read returns.
func (r *Reader) portion() int {
	switch {
	case !slices.ContainsFunc(r.cursors, func(c *cursor) bool { return c.node.MaxRep > 0 }):
		return math.MaxInt
	case r.entries == 0:
		return portionRows
	}
	rows := portionEntries * float64(r.rows) / float64(r.entries)
	return int(max(1, min(rows, float64(r.rows)*portionGrowth)))
}

// fill reads from leaves that have no rows left, and returns the number of rows
// that all leaves have.
func (r *Reader) fill(rows int, selected []int64) (int, error) {
	row := r.Row()
	for _, c := range r.cursors {
		if c.row() != row {
			// Only damage that was not skipped leaves the leaves at different rows.
			return 0, r.corrupt(c, errors.New("its leaves are not at the same row"))
		}
		if err := c.fill(rows, selected); err != nil {
			return 0, err
		}
	}
	for _, c := range r.cursors {
		if rows > 0 && (c.kept.Rows == 0) != (r.cursors[0].kept.Rows == 0) {
			return 0, r.corrupt(c, errors.New("its leaves have different numbers of rows"))
		}
		rows = c.ready(rows, selected)
	}
	return rows, nil
}

func (r *Reader) readFlat(rows int, selected []int64, into *vector.Vector) (int, error) {
	c := r.cursors[0]
	b, err := c.read(rows, selected)
	if err != nil {
		return 0, err
	}
	if err := c.convert.rows(b, b.Valid, b.Rows, into); err != nil {
		return 0, r.corrupt(c, err)
	}
	return b.Rows, nil
}

// corrupt is the error for damage that the checks of the pages do not find.
func (r *Reader) corrupt(c *cursor, err error) error {
	return &errs.CorruptError{RowGroup: -1, Column: c.node.Dotted(), Offset: -1, Err: err}
}

// Skip moves past rows. Damage within them is an error; the leaves that are not
// damaged have then moved.
func (r *Reader) Skip(rows int64) error {
	target := r.Row() + rows
	var first error
	for _, c := range r.cursors {
		if err := c.skipTo(target); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Row is the number of the next row within the row group.
func (r *Reader) Row() int64 {
	row := r.cursors[0].row()
	for _, c := range r.cursors[1:] {
		row = min(row, c.row())
	}
	return row
}

// Stats counts what was read so far, of all leaves together.
func (r *Reader) Stats() column.Stats {
	var all column.Stats
	for _, c := range r.cursors {
		s := c.leaf.Stats()
		all.PagesDecoded += s.PagesDecoded
		all.PagesSkipped += s.PagesSkipped
		all.BytesDecoded += s.BytesDecoded
	}
	return all
}

// Close closes the leaves. It may be called twice.
func (r *Reader) Close() {
	for _, c := range r.cursors {
		if c.leaf != nil {
			c.leaf.Close()
		}
	}
	r.leave()
}

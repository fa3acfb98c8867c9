package action

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/vector"
)

// rowReader reads columns of a row group at one row, which only ascends for each column. A
// column is opened when it is first asked for, and rows before that are skipped. The first error
// stays; whatever is read after it is empty.
type rowReader struct {
	*parquetReader
	group   *fileformat.RowGroup
	source  *fetch.Source
	row     int64
	end     int64 // no rows are read from here on
	columns map[string]*cursor
	err     error
	text1   []byte
	names   []string // see pairs
	values  []Value
}

// cursor is a column and the rows of it that were read last. Nil is a column that the file does not
// have.
type cursor struct {
	column  nested.Column // reader is nil until it is opened
	reader  *nested.Reader
	leaves  []*column.Reader
	sources []*fetch.Column
	pages   *quota.Pages
	rows    vector.Vector
	first   int64 // the number of the first of rows
}

// named is the column of a name.
func (r *rowReader) named(name string) *cursor {
	c := r.columns[name]
	if c == nil {
		of, ok := r.parquetReader.columns[name]
		if !ok {
			return nil
		}
		c = &cursor{column: of, pages: r.options.Budget.Pages()}
		r.columns[name] = c
	}
	return c
}

// at is the vector with the value of a column in the row, and its place there; nil where the
// file has no such column.
func (r *rowReader) at(c *cursor) (*vector.Vector, int) {
	if c == nil {
		return nil, 0
	}
	if r.row >= c.first+int64(c.rows.Len) {
		r.fill(c)
	}
	if r.err != nil {
		return nil, 0
	}
	return &c.rows, int(r.row - c.first)
}

// open opens the leaves of a column.
func (r *rowReader) open(c *cursor) {
	reader, err := nested.NewReader(c.column, nil, nested.Options{BinaryAsString: true}, func(leaf int, levels bool) (*column.Reader, error) {
		source := r.source.Column(leaf)
		c.sources = append(c.sources, source)
		leafReader, err := column.NewReader(r.group.Columns[leaf], column.Options{Source: source, Levels: levels, Reserve: c.pages.Reserve, Release: c.pages.Release, Interrupt: r.ctx.Err})
		if err == nil {
			c.leaves = append(c.leaves, leafReader)
		}
		return leafReader, err
	})
	if err != nil {
		r.fail(err)
	}
	c.reader = reader
}

// fill reads rows from the row at hand on.
func (r *rowReader) fill(c *cursor) {
	if r.err != nil {
		return
	}
	if c.reader == nil {
		if r.open(c); r.err != nil {
			return
		}
	}
	if skip := r.row - c.reader.Row(); skip > 0 {
		if err := c.reader.Skip(skip); err != nil {
			r.fail(err)
			return
		}
	}
	n, err := c.reader.Read(int(min(vector.BatchSize, r.end-r.row)), &c.rows)
	if err == nil && n == 0 {
		err = r.corrupt(c.column.Name, fmt.Errorf("the rows end at %d, the row group has %d", r.row, r.group.NumRows))
	}
	if err != nil {
		r.fail(err)
	}
	c.first = r.row
}

func (r *rowReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *rowReader) close() {
	for _, c := range r.columns {
		if c.reader != nil {
			c.reader.Close()
		}
		for _, l := range c.leaves {
			l.Close()
		}
		for _, s := range c.sources {
			s.Close()
		}
	}
	r.source.Close()
}

// has reports whether a column has a value in the row.
func (r *rowReader) has(c *cursor) bool {
	v, i := r.at(c)
	return v != nil && !v.IsNull(i)
}

// value is the place of a value with the storage that its column must have, false for NULL.
func (r *rowReader) value(c *cursor, want vector.Storage) (*vector.Vector, int, bool) {
	v, i := r.at(c)
	if v == nil || v.IsNull(i) {
		return nil, 0, false
	}
	if v.Type.Storage() != want {
		r.fail(r.corrupt(c.column.Name, fmt.Errorf("a column of a checkpoint is %s", v.Type)))
		return nil, 0, false
	}
	return v, i, true
}

// text is a value of a column of texts, empty for NULL.
func (r *rowReader) text(c *cursor) string {
	v, i, ok := r.value(c, vector.StoreString)
	if !ok {
		return ""
	}
	return textAt(v, i)
}

func textAt(v *vector.Vector, i int) string {
	switch v.Form {
	case vector.Constant:
		return v.Str[0]
	case vector.Dictionary:
		return v.Dict.Str[v.Codes[i]]
	}
	return v.Str[i]
}

// integer is a value of a column of integers, or other for NULL.
func (r *rowReader) integer(c *cursor, other int64) int64 {
	v, i, ok := r.value(c, vector.StoreInt64)
	switch {
	case !ok:
		return other
	case v.Form == vector.Constant:
		return v.I64[0]
	case v.Form == vector.Dictionary:
		return v.Dict.I64[v.Codes[i]]
	}
	return v.I64[i]
}

// elements is where a LIST or MAP of texts has its elements in the row, with its children. It is
// nil for NULL.
func (r *rowReader) elements(c *cursor, kind vector.Kind) (children []*vector.Vector, from, end int) {
	v, i, ok := r.value(c, vector.StoreNested)
	if !ok {
		return nil, 0, 0
	}
	if v.Form == vector.Constant {
		i = 0
	}
	if v.Type.Kind != kind {
		r.fail(r.corrupt(c.column.Name, fmt.Errorf("a column of a checkpoint is %s", v.Type)))
		return nil, 0, 0
	}
	for _, child := range v.Children {
		if s := child.Type.Storage(); s != vector.StoreString && s != vector.StoreNone {
			r.fail(r.corrupt(c.column.Name, fmt.Errorf("a column of a checkpoint is %s", v.Type)))
			return nil, 0, 0
		}
	}
	return v.Children, int(v.Offsets[i]), int(v.Offsets[i+1])
}

// texts is a value of a LIST of texts, nil for NULL.
func (r *rowReader) texts(c *cursor) []string {
	children, from, end := r.elements(c, vector.List)
	if children == nil {
		return nil
	}
	out := make([]string, 0, end-from)
	for i := from; i < end; i++ {
		out = append(out, elementAt(children[0], i).Text)
	}
	return out
}

// pairs is a value of a MAP of texts. The slices are valid until its next call.
func (r *rowReader) pairs(c *cursor) ([]string, []Value) {
	children, from, end := r.elements(c, vector.Map)
	if children == nil {
		return nil, nil
	}
	r.names, r.values = r.names[:0], r.values[:0]
	for i := from; i < end; i++ {
		value := Value{Null: true}
		if len(children) > 1 {
			value = elementAt(children[1], i)
		}
		r.names, r.values = append(r.names, elementAt(children[0], i).Text), append(r.values, value)
	}
	return r.names, r.values
}

// elementAt is an element of a column of texts; an empty text is NULL.
func elementAt(v *vector.Vector, i int) Value {
	if v.IsNull(i) {
		return Value{Null: true}
	}
	s := textAt(v, i)
	return Value{s, s == ""}
}

// json is the value of a group as JSON, empty for NULL.
func (r *rowReader) json(c *cursor) string {
	v, i := r.at(c)
	if v == nil || v.IsNull(i) {
		return ""
	}
	r.text1 = nested.AppendJSON(r.text1[:0], v, i)
	return string(r.text1)
}

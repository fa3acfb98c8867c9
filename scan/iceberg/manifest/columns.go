package manifest

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/scan/iceberg/avro"
)

// Column is what is known of a column of a file.
type Column struct {
	ID                  int32
	Size                int64
	Values, Nulls, NaNs int64
	Lower, Upper        []byte // nil: not known
}

// Column is what is known of a column; nil: nothing.
func (f *File) Column(id int32) *Column {
	i, ok := slices.BinarySearchFunc(f.Columns, id, func(c Column, id int32) int { return int(c.ID) - int(id) })
	if !ok {
		return nil
	}
	return &f.Columns[i]
}

// fewColumns are searched one after the other.
const fewColumns = 16

// column is the column of an id, made where there is none. Maps of a file mostly have the same ids in
// the same order.
func (r *reader) column(f *File, id int32, at int) *Column {
	if at < len(f.Columns) && f.Columns[at].ID == id {
		return &f.Columns[at]
	}
	found := -1
	if len(f.Columns) <= fewColumns {
		found = slices.IndexFunc(f.Columns, func(c Column) bool { return c.ID == id })
	} else {
		for ; r.placed < len(f.Columns); r.placed++ {
			r.places[f.Columns[r.placed].ID] = r.placed
		}
		if i, ok := r.places[id]; ok {
			found = i
		}
	}
	if found < 0 {
		found = len(f.Columns)
		f.Columns = append(f.Columns, Column{ID: id, Size: -1, Values: -1, Nulls: -1, NaNs: -1})
	}
	return &f.Columns[found]
}

func (r *reader) counts(d *avro.Decoder, f *avro.Field, to *File, of func(*Column) *int64) {
	r.pairs(d, f, to, func(c *Column, s *avro.Schema) {
		if n, ok := d.Int(s); ok && n >= 0 {
			*of(c) = n
		}
	})
}

func (r *reader) bounds(d *avro.Decoder, f *avro.Field, to *File, of func(*Column) *[]byte) {
	r.pairs(d, f, to, func(c *Column, s *avro.Schema) { *of(c), _ = d.Bytes(s) })
}

// maxColumns bounds of how many columns something is known.
const maxColumns = 1 << 14

// pairs takes a map whose keys are the ids of columns.
func (r *reader) pairs(d *avro.Decoder, f *avro.Field, to *File, value func(*Column, *avro.Schema)) {
	at := 0
	d.Array(f.Type, func(of *avro.Schema) {
		var c *Column
		d.Record(of, func(f *avro.Field) {
			switch {
			case c == nil:
				id, _ := d.Int(f.Type)
				c = r.column(to, int32(id), at)
			default:
				value(c, f.Type)
			}
		})
		if at++; at > maxColumns {
			d.Fail(fmt.Errorf("it has statistics of more than %d columns", maxColumns))
		}
	})
}

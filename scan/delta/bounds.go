package delta

import (
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// columnBounds reads what the log's statistics say of the columns of a table.
type columnBounds struct {
	asked map[int]*schema.Asked // by place of the table's column
	last  atomic.Pointer[lastBounds]
}

// lastBounds is what was read last: a condition asks for the same several times.
type lastBounds struct {
	file   *action.File
	column int
	probe.Summary
}

// newColumnBounds is for columns that are neither lists nor maps nor within one.
func newColumnBounds(of *schema.Schema, m *mapping.Schema) *columnBounds {
	b := &columnBounds{asked: map[int]*schema.Asked{}}
	b.add(of.Fields, m, nil, nil)
	return b
}

// add notes fields, with the names and the physical names of the structs around them.
func (b *columnBounds) add(list []schema.Field, m *mapping.Schema, names, physical []string) {
	for _, f := range list {
		names, physical := append(names[:len(names):len(names)], f.Name), append(physical[:len(physical):len(physical)], f.Physical)
		switch f.Type.Kind {
		case vector.Struct:
			b.add(f.Fields, m, names, physical)
			continue
		case vector.List, vector.Map, vector.Variant, vector.Null:
			continue
		}
		if at, ok := m.Column(names...); ok && !f.Partition {
			b.asked[at] = schema.NewAsked([][]string{physical}, []vector.Type{f.Type})
		}
	}
}

// of has the bounds of a file.
func (b *columnBounds) of(f *action.File, rows int64) func(column int) *probe.Summary {
	return func(column int) *probe.Summary {
		asked := b.asked[column]
		if asked == nil {
			return nil
		}
		last := b.last.Load()
		if last == nil || last.file != f || last.column != column {
			last = &lastBounds{f, column, summary(asked.Read(f.Stats), rows, f.Deletion != nil)}
			b.last.Store(last)
		}
		out := last.Summary
		return &out
	}
}

// summary is what statistics say of a column. Where rows are deleted, bounds may be of rows that
// are gone or not, and a number of NULLs is that of either: only none and all say something.
func summary(s schema.Statistics, rows int64, deleted bool) probe.Summary {
	c := s.Columns[0]
	exact := c.Exact && s.Tight && !deleted && rows >= 0
	out := probe.Summary{
		Rows: max(rows, 1), Nulls: c.Nulls, MayHaveNaN: c.Type.IsFloat(),
		Min: c.Min, Max: c.Max, MinExact: exact && c.Min != nil, MaxExact: exact && c.Max != nil,
	}
	if rows < 0 && c.Nulls != 0 || deleted && c.Nulls != 0 && c.Nulls != rows {
		out.Nulls = -1
	}
	return out
}

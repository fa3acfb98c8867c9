package parquetsql

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// BatchRows are the rows of a query, many at a time, for programs to which sql.Rows costs
// too much: a boxed value for each column of each row.
type BatchRows struct {
	rows    *rows
	columns []ColumnSchema
	batch   Batch
	err     error
}

// Batch is some rows by column.
type Batch struct {
	Rows    int
	Columns []BatchColumn
}

// BatchColumn is the values of one column.
type BatchColumn struct {
	// Values is a slice with an element for each row, whose value does not matter where
	// the row is NULL. By the column's type it is a []bool, []int64 (also for the narrower
	// integers), []uint64 (UBIGINT), []float32, []float64, []time.Time (DATE, TIMESTAMP,
	// TIMESTAMPTZ), [][]byte (BLOB, GEOMETRY, GEOGRAPHY), or else []string, with the text
	// that sql.Rows has.
	Values any
	// Null says which rows are NULL; nil: none.
	Null []bool
}

// QueryBatches runs a query and gives its rows in batches. The connection c is that of the
// function given to sql.Conn.Raw, or one that Connect of a connector has returned. The rows of
// several queries may be open at a time; they are closed before the connection is used
// otherwise:
//
//	err = connection.Raw(func(c any) error {
//		rows, err := parquetsql.QueryBatches(ctx, c, "SELECT id, price FROM orders")
//		if err != nil {
//			return err
//		}
//		defer rows.Close()
//		for rows.Next() {
//			ids, prices := rows.Batch().Columns[0].Values.([]int64), rows.Batch().Columns[1].Values.([]float64)
//			…
//		}
//		return rows.Err()
//	})
//
// The errors are those of db.Query, and one where c is a connection of another driver. A driver that
// wraps this one is seen through if its connection has a method Raw, as that of otelsql.
func QueryBatches(ctx context.Context, c any, query string, args ...any) (out *BatchRows, err error) {
	defer prefix(&err)
	own := ownConn(c)
	if own == nil {
		return nil, foreign("QueryBatches", c)
	}
	values, err := own.namedValues(args)
	if err != nil {
		return nil, err
	}
	r, err := own.QueryContext(ctx, query, values)
	if err != nil {
		return nil, err
	}
	out = &BatchRows{rows: r.(*rows)}
	for _, column := range out.rows.schema {
		out.columns = append(out.columns, columnSchema(column.Name, column.Type, column.Nullable))
	}
	return out, nil
}

// Columns are the types of the columns.
func (r *BatchRows) Columns() []ColumnSchema { return r.columns }

// Next reads the next batch. It returns false at the end and after an error, see Err.
func (r *BatchRows) Next() bool {
	if r.err != nil {
		return false
	}
	in := r.rows
	if r.err = in.fetch(); r.err != nil {
		return false
	}
	in.next = in.batch.Rows()
	r.batch.Rows = in.batch.Rows()
	if r.batch.Columns == nil {
		r.batch.Columns = make([]BatchColumn, len(in.cols))
	}
	for i := range in.cols {
		r.batch.Columns[i].fill(&in.cols[i], in.batch)
	}
	return true
}

// Batch is the batch that Next has read. Its slices are valid until the next call of
// Next; strings may be kept.
func (r *BatchRows) Batch() *Batch { return &r.batch }

// Err is the error that ended the rows; nil at their end.
func (r *BatchRows) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// Close stops the query and releases its memory and files.
func (r *BatchRows) Close() error { return r.rows.Close() }

// fill takes the values of a column that is loaded.
func (c *BatchColumn) fill(in *column, b *vector.Batch) {
	c.Null = in.nulls(b)
	v := in.values
	if moment := momentOf(v.Type); moment != nil {
		c.Values = gather(c.Values, in, b, func(i int) time.Time { return moment(v, i) })
		return
	}
	if write := writerOf(v.Type); write != nil {
		c.Values = written(c.Values, in, b, write)
		return
	}
	switch v.Type.Kind {
	case vector.Blob, vector.Geometry, vector.Geography:
		c.Values = gather(c.Values, in, b, func(i int) []byte { return []byte(v.Str[i]) })
		return
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		c.Values = gather(c.Values, in, b, func(i int) bool { return v.Bool[i] })
	case vector.StoreInt64:
		c.Values = gather(c.Values, in, b, func(i int) int64 { return v.I64[i] })
	case vector.StoreUint64:
		c.Values = gather(c.Values, in, b, func(i int) uint64 { return v.U64[i] })
	case vector.StoreFloat32:
		c.Values = gather(c.Values, in, b, func(i int) float32 { return v.F32[i] })
	case vector.StoreFloat64:
		c.Values = gather(c.Values, in, b, func(i int) float64 { return v.F64[i] })
	default: // text, and columns of nothing but NULL
		c.Values = gather(c.Values, in, b, func(i int) string {
			if in.clone {
				return strings.Clone(v.Str[i])
			}
			return v.Str[i]
		})
	}
}

// gather is the values of all rows, in the memory of those of the batch before.
func gather[T any](memory any, in *column, b *vector.Batch, value func(i int) T) []T {
	out, _ := memory.([]T)
	out = vector.Resize(out, b.Rows())
	for i := range out {
		if row := b.Row(i); !in.vec.IsNull(row) {
			out[i] = value(in.place(row))
		}
	}
	return out
}

// written is the texts of all rows, in one allocation.
func written(memory any, in *column, b *vector.Batch, write writer) []string {
	in.scratch, in.ends = in.scratch[:0], in.ends[:0]
	for i := range b.Rows() {
		if row := b.Row(i); !in.vec.IsNull(row) {
			in.scratch = write(in.scratch, in.values, in.place(row))
			in.ends = append(in.ends, len(in.scratch))
		}
	}
	texts, from, n := string(in.scratch), 0, 0
	return gather(memory, in, b, func(int) string {
		text := texts[from:in.ends[n]]
		from, n = in.ends[n], n+1
		return text
	})
}

// nulls says which rows are NULL; nil: none.
func (in *column) nulls(b *vector.Batch) []bool {
	if !in.vec.MayHaveNulls() {
		return nil
	}
	found := false
	in.null = vector.Resize(in.null, b.Rows())
	for i := range in.null {
		in.null[i] = in.vec.IsNull(b.Row(i))
		found = found || in.null[i]
	}
	if !found {
		return nil
	}
	return in.null
}

package arrow

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// Options say how rows become record batches. The zero value is what QueryArrow uses.
type Options struct {
	// Allocator has the memory of the batches; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
	// Dictionaries makes columns of VARCHAR and ENUM dictionary<int32, utf8>. Batches that have a
	// dictionary keep it, as many do that come from dictionary pages; the others get one of their own
	// values. The dictionary may change from batch to batch, which files of Arrow's IPC cannot have,
	// but streams can.
	Dictionaries bool
}

// QueryArrow runs a query and gives its rows as record batches. The database is one that is opened with
// the driver parquet. The reader holds a connection until it is released.
func QueryArrow(ctx context.Context, db *sql.DB, query string, args ...any) (array.RecordReader, error) {
	return Options{}.Query(ctx, db, query, args...)
}

// Query is QueryArrow with options.
func (o Options) Query(ctx context.Context, db *sql.DB, query string, args ...any) (array.RecordReader, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	r, err := o.start(ctx, conn, mapping{dictionaries: o.Dictionaries}, query, args)
	if err != nil {
		conn.Close()
		return nil, err
	}
	r.conn = conn
	return r, nil
}

// QueryConn is Query over a connection, whose transaction counts. The connection is not used otherwise
// before the reader is released, and remains the caller's.
func (o Options) QueryConn(ctx context.Context, conn *sql.Conn, query string, args ...any) (array.RecordReader, error) {
	r, err := o.start(ctx, conn, mapping{dictionaries: o.Dictionaries}, query, args)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// start runs a query.
func (o Options) start(ctx context.Context, conn *sql.Conn, m mapping, query string, args []any) (*reader, error) {
	var rows *parquetsql.VectorRows
	err := conn.Raw(func(c any) (err error) {
		rows, err = parquetsql.QueryVectors(ctx, c, query, args...)
		return err
	})
	if err != nil {
		return nil, err
	}
	mem := o.Allocator
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	r := &reader{rows: rows, maker: maker{mem: mem, mapping: m}}
	r.refs.Store(1)
	if r.schema, err = m.schema(rows.Schema()); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	r.dictionaries = make([]*dictionary, len(rows.Schema()))
	return r, nil
}

// reader is an array.RecordReader. Next is for one goroutine; Retain and Release are for any.
type reader struct {
	refs   atomic.Int64
	conn   *sql.Conn // nil: it is the caller's
	rows   *parquetsql.VectorRows
	schema *arrow.Schema
	maker

	batch   *vector.Batch     // what next is read of
	next    int               // the row of batch that comes next
	current arrow.RecordBatch // of the last Next; nil before and after the rows
	err     error
}

var _ array.RecordReader = (*reader)(nil)

// Retain is for another user of the reader, who calls Release too.
func (r *reader) Retain() { r.refs.Add(1) }

// Release ends the query when the last user has called it.
func (r *reader) Release() {
	if r.refs.Add(-1) != 0 {
		return
	}
	r.drop()
	for _, d := range r.dictionaries {
		d.release()
	}
	err := r.rows.Close()
	if r.conn != nil {
		err = errors.Join(err, r.conn.Close())
	}
	if r.err == nil {
		r.err = err
	}
}

// drop releases the batch of the last Next.
func (r *reader) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// Schema is the columns.
func (r *reader) Schema() *arrow.Schema { return r.schema }

// RecordBatch is the batch that Next has read. It is valid until the next call of Next, and longer where
// it is retained.
func (r *reader) RecordBatch() arrow.RecordBatch { return r.current }

// Record is RecordBatch, by an older name of the interface.
func (r *reader) Record() arrow.RecordBatch { return r.current }

// Err is the error that ended the rows; nil at their end.
func (r *reader) Err() error { return r.err }

// Next reads the next batch. It returns false at the end and after an error, see Err.
func (r *reader) Next() bool {
	r.drop()
	if r.err != nil {
		return false
	}
	if r.batch == nil {
		if !r.rows.Next() {
			r.err = r.rows.Err()
			return false
		}
		r.batch, r.next = r.rows.Batch(), 0
	}
	for n := r.batch.Rows() - r.next; ; n /= 2 {
		r.current, r.err = r.record(r.batch, r.next, n)
		if !errors.Is(r.err, errTooLong) || n == 1 {
			r.next += n
			break
		}
	}
	if r.err != nil {
		return false
	}
	if r.next == r.batch.Rows() {
		r.batch = nil
	}
	return true
}

// record is n rows of a batch.
func (r *reader) record(b *vector.Batch, from, n int) (arrow.RecordBatch, error) {
	rows := b.Sel
	switch {
	case rows != nil:
		rows = rows[from : from+n]
	case from > 0 || n < b.Len:
		rows = make([]int32, n)
		for i := range rows {
			rows[i] = int32(from + i)
		}
	}
	columns := make([]arrow.Array, 0, len(b.Cols))
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, v := range b.Cols {
		c, err := r.column(i, v, rows, n, r.schema.Field(i))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", r.schema.Field(i).Name, err)
		}
		columns = append(columns, c)
	}
	return array.NewRecordBatch(r.schema, columns, int64(n)), nil
}

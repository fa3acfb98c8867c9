package parquetsql

import (
	"context"
	"io"

	"github.com/parquetsql/parquetsql/vector"
)

// VectorRows are the rows of a query as the driver has them itself: columns of package vector, in
// which lists, maps, structs and VARIANTs are what they are and not JSON text. They are for
// modules that make columns of another kind of them, as module arrow does; package vector may
// change with each release.
type VectorRows struct {
	rows *rows
	err  error
}

// QueryVectors runs a query and gives its rows as vectors. The connection c and the errors are
// those of QueryBatches.
func QueryVectors(ctx context.Context, c any, query string, args ...any) (out *VectorRows, err error) {
	defer prefix(&err)
	own := ownConn(c)
	if own == nil {
		return nil, foreign("QueryVectors", c)
	}
	values, err := own.namedValues(args)
	if err != nil {
		return nil, err
	}
	statement, err := own.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := own.run(ctx, statement, values, true)
	if err != nil {
		return nil, err
	}
	return &VectorRows{rows: r}, nil
}

// Schema is the columns.
func (r *VectorRows) Schema() vector.Schema { return r.rows.schema }

// Next reads the next batch. It returns false at the end and after an error, see Err.
func (r *VectorRows) Next() bool {
	if r.err != nil {
		return false
	}
	if r.err = r.rows.advance(func(*vector.Batch) error { return nil }); r.err != nil {
		return false
	}
	r.rows.next = r.rows.batch.Rows()
	return true
}

// Batch is the batch that Next has read. It is valid until the next call of Next, its texts too.
func (r *VectorRows) Batch() *vector.Batch { return r.rows.batch }

// Err is the error that ended the rows; nil at their end.
func (r *VectorRows) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// Close stops the query and releases its memory and files.
func (r *VectorRows) Close() error { return r.rows.Close() }

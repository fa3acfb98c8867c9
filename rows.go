package parquetsql

import (
	"context"
	"database/sql/driver"
	"io"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/idle"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/vector"
)

// rows turns batches into rows. All layers below work on batches.
type rows struct {
	ctx    context.Context
	cancel context.CancelFunc
	result planner.Result
	schema vector.Schema
	batch  *vector.Batch
	next   int // the row of batch to hand out
	cols   []column
	long   bool  // values of batch may be long
	held   int64 // charged for those of the last row
	err    error // how the rows ended: io.EOF or a failure; each later call returns it
	closed bool
	stats  *watched

	distinctNames bool // see Config

	// again runs the query once more; nil once a row was handed out (see retry.go).
	again func() (planner.Result, error)
	fixed bool // the list of files is that of a transaction
}

var (
	_ driver.RowsColumnTypeDatabaseTypeName = (*rows)(nil)
	_ driver.RowsColumnTypeLength           = (*rows)(nil)
	_ driver.RowsColumnTypeNullable         = (*rows)(nil)
	_ driver.RowsColumnTypePrecisionScale   = (*rows)(nil)
	_ driver.RowsColumnTypeScanType         = (*rows)(nil)
)

func newRows(ctx context.Context, cancel context.CancelFunc, result planner.Result) *rows {
	r := &rows{ctx: ctx, cancel: cancel, result: result, schema: result.Root.Schema()}
	r.cols = make([]column, len(r.schema))
	for i, c := range r.schema {
		r.cols[i].convert = converterOf(c.Type)
		r.cols[i].coming = func(bytes int64) { r.result.Root.Coming(bytes) }
	}
	return r
}

func (r *rows) Columns() []string {
	names := make([]string, len(r.schema))
	for i, c := range r.schema {
		names[i] = c.Name
	}
	if r.distinctNames {
		distinct(names)
	}
	return names
}

// distinct puts numbers behind the names that one before them has, so that none has the
// name of another one.
func distinct(names []string) {
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	seen := map[string]bool{}
	for i, name := range names {
		for n := 1; seen[names[i]]; n++ {
			if other := name + "_" + strconv.Itoa(n); !taken[other] {
				names[i] = other
				taken[other] = true
			}
		}
		seen[names[i]] = true
	}
}

// Next fills dest with the next row's values. []byte values are valid until
// the next call.
func (r *rows) Next(dest []driver.Value) error {
	if r.batch == nil || r.next == r.batch.Rows() {
		if err := r.fetch(); err != nil {
			return err
		}
	}
	row := r.batch.Row(r.next)
	if r.long {
		if err := r.charge(row); err != nil {
			return err
		}
	}
	r.next++
	for i := range r.cols {
		dest[i] = r.cols[i].value(row)
	}
	return nil
}

// charge reserves memory for the copies of a row's values where they are long, in place of those of the row before. The
// program may have that one for longer; what it keeps is its own.
func (r *rows) charge(row int) error {
	if r.err != nil {
		return r.err
	}
	r.release()
	bytes := int64(0)
	for i := range r.cols {
		bytes += r.cols[i].copied(row)
	}
	if bytes -= quota.CopiedTexts; bytes <= 0 {
		return nil
	}
	if r.err = r.result.Root.Charge(bytes); r.err != nil {
		prefix(&r.err)
		return r.err
	}
	r.held = bytes
	return nil
}

func (r *rows) release() {
	if r.held > 0 {
		r.result.Root.Release(r.held)
		r.held = 0
	}
}

// fetch pulls the next batch that has rows and prepares its columns.
func (r *rows) fetch() error {
	r.release()
	return r.advance(func(batch *vector.Batch) error {
		r.long = false
		for i := range r.cols {
			if err := r.cols[i].load(batch, batch.Cols[i]); err != nil {
				return err
			}
			r.long = r.long || r.cols[i].long
		}
		return nil
	})
}

// advance pulls the next batch that has rows, for which use prepares. The one before is gone
// then, at the end too.
func (r *rows) advance(use func(*vector.Batch) error) (err error) {
	r.batch = nil
	if r.err != nil {
		return r.err
	}
	idle.Enter()
	defer idle.Leave()
	defer func() {
		prefix(&err)
		r.err = err
	}()
	defer errs.Recover(&err)
	for {
		// Without this check a query of empty batches would not see its context end.
		if err := r.ctx.Err(); err != nil {
			return err
		}
		batch, err := r.result.Root.Next(r.ctx)
		switch {
		case err == io.EOF: // a nil batch is the end; io.EOF would hide an error as one
			return io.ErrUnexpectedEOF
		case err != nil:
			if err := r.retry(err); err != nil {
				return err
			}
		case batch == nil:
			return io.EOF
		case batch.Rows() > 0:
			r.batch, r.next, r.again = batch, 0, nil
			r.stats.rows.Add(int64(batch.Rows()))
			return use(batch)
		}
	}
}

// drain reads the rows to their end and closes them.
func (r *rows) drain() error {
	for {
		if err := r.fetch(); err != nil {
			if err == io.EOF {
				err = nil
			}
			if closeErr := r.Close(); err == nil {
				err = closeErr
			}
			return err
		}
	}
}

// Close stops the query and releases its memory and files.
func (r *rows) Close() (err error) {
	defer prefix(&err)
	if r.closed {
		return nil
	}
	ended := r.err
	switch {
	case ended == io.EOF:
		ended = nil
	case ended == nil:
		ended = r.stats.ctx.Err()
	}
	if r.batch != nil {
		r.stats.rows.Add(int64(r.next - r.batch.Rows()))
	}
	r.closed, r.batch = true, nil
	r.release()
	r.cancel()
	err = r.result.Root.Close()
	if ended == nil {
		ended = err
	}
	r.stats.end(ended)
	return err
}

func (r *rows) ColumnTypeDatabaseTypeName(i int) string { return r.schema[i].Type.Name() }

func (r *rows) ColumnTypeNullable(i int) (nullable, ok bool) { return r.schema[i].Nullable, true }

// ColumnTypeLength is unlimited for text and bytes.
func (r *rows) ColumnTypeLength(i int) (int64, bool) {
	switch t := r.schema[i].Type; {
	case t.Kind == vector.UUID:
		return 36, true
	case t.Kind == vector.Decimal:
	case t.Storage() == vector.StoreString, t.Storage() == vector.StoreNested:
		return math.MaxInt64, true
	}
	return 0, false
}

func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	if t := r.schema[i].Type; t.Kind == vector.Decimal {
		return int64(t.Precision), int64(t.Scale), true
	}
	return 0, 0, false
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	switch r.schema[i].Type.Kind {
	case vector.Null:
		return reflect.TypeFor[any]()
	case vector.Boolean:
		return reflect.TypeFor[bool]()
	case vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt, vector.UTinyInt, vector.USmallInt, vector.UInteger:
		return reflect.TypeFor[int64]()
	case vector.UBigInt:
		return reflect.TypeFor[uint64]()
	case vector.Half, vector.Float:
		return reflect.TypeFor[float32]()
	case vector.Double:
		return reflect.TypeFor[float64]()
	case vector.Date, vector.Timestamp, vector.TimestampTZ:
		return reflect.TypeFor[time.Time]()
	case vector.Blob, vector.Geometry, vector.Geography:
		return reflect.TypeFor[[]byte]()
	}
	return reflect.TypeFor[string]()
}

package arrow

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parquetsql/parquetsql"
)

// WriteStream writes the rows of a query as a stream of Arrow's IPC, batch by batch.
func (o Options) WriteStream(ctx context.Context, w io.Writer, db *sql.DB, query string, args ...any) error {
	return o.write(ctx, w, db, mapping{dictionaries: o.Dictionaries}, query, args, func(w io.Writer, s *arrow.Schema, mem memory.Allocator) (sink, error) {
		return ipcSink{ipc.NewWriter(w, ipc.WithSchema(s), ipc.WithAllocator(mem))}, nil
	})
}

// WriteFile writes the rows of a query as a file of Arrow's IPC. Options.Dictionaries does not count: such
// a file has one dictionary for each column.
func (o Options) WriteFile(ctx context.Context, w io.Writer, db *sql.DB, query string, args ...any) error {
	return o.write(ctx, w, db, mapping{}, query, args, func(w io.Writer, s *arrow.Schema, mem memory.Allocator) (sink, error) {
		f, err := ipc.NewFileWriter(w, ipc.WithSchema(s), ipc.WithAllocator(mem))
		return ipcSink{f}, err
	})
}

// ParquetOptions say how WriteParquet writes. The zero value is good for most.
type ParquetOptions struct {
	// Compression is zstd, snappy, gzip, brotli, lz4 or none; empty: zstd.
	Compression string
	// RowGroupRows is the most rows of a row group; 0: 1,048,576.
	RowGroupRows int64
}

// The bytes of a row group: it is kept in memory until it is whole.
const rowGroupBytes = 128 << 20

var compressions = map[string]compress.Compression{
	"": compress.Codecs.Zstd, "zstd": compress.Codecs.Zstd, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip,
	"brotli": compress.Codecs.Brotli, "lz4": compress.Codecs.Lz4Raw, "none": compress.Codecs.Uncompressed,
}

// WriteParquet writes the rows of a query as a Parquet file, with statistics, a page index and the types
// that the columns have. TIME and TIMESTAMP in seconds become milliseconds, those of INT96 nanoseconds. An
// INTERVAL with a negative part or microseconds is an error: Parquet's has neither. So is an empty STRUCT.
func (o Options) WriteParquet(ctx context.Context, w io.Writer, p ParquetOptions, db *sql.DB, query string, args ...any) error {
	codec, ok := compressions[p.Compression]
	if !ok {
		return fmt.Errorf("there is no compression %q; there are zstd, snappy, gzip, brotli, lz4 and none", p.Compression)
	}
	if p.RowGroupRows <= 0 {
		p.RowGroupRows = 1 << 20
	}
	return o.write(ctx, w, db, mapping{parquet: true}, query, args, func(w io.Writer, s *arrow.Schema, mem memory.Allocator) (sink, error) {
		properties := parquet.NewWriterProperties(parquet.WithVersion(parquet.V2_LATEST), parquet.WithCompression(codec), parquet.WithAllocator(mem),
			parquet.WithPageIndexEnabled(true), parquet.WithStoreDecimalAsInteger(true), parquet.WithMaxRowGroupLength(p.RowGroupRows))
		f, err := pqarrow.NewFileWriter(s, w, properties, pqarrow.NewArrowWriterProperties(pqarrow.WithAllocator(mem)))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", parquetsql.ErrUnsupported, err)
		}
		return parquetSink{f}, nil
	})
}

// output is where a file goes. It has no Close: arrow-go would call it, and it is the caller's.
type output struct {
	io.Writer
	dead bool // what comes is dropped: the file is not to look whole
}

func (o *output) Write(b []byte) (int, error) {
	if o.dead {
		return len(b), nil
	}
	return o.Writer.Write(b)
}

// sink writes record batches. Close ends the file.
type sink interface {
	write(arrow.RecordBatch) error
	Close() error
}

// opener begins a file.
type opener func(io.Writer, *arrow.Schema, memory.Allocator) (sink, error)

// write runs a query and writes its batches. A statement without columns, such as SET, writes nothing.
func (o Options) write(ctx context.Context, w io.Writer, db *sql.DB, m mapping, query string, args []any, open opener) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	r, err := o.start(ctx, conn, m, query, args)
	if err != nil {
		return err
	}
	defer r.Release()
	if r.schema.NumFields() == 0 {
		r.Next()
		return r.Err()
	}
	to := &output{Writer: w}
	out, err := open(to, r.schema, r.mem)
	if err != nil {
		return err
	}
	for err == nil && r.Next() {
		err = out.write(r.RecordBatch())
	}
	if err == nil {
		err = r.Err()
	}
	if err != nil {
		to.dead = true
		_ = out.Close() // for its memory: what went wrong is known
		return err
	}
	return out.Close()
}

type ipcSink struct {
	file interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
}

func (s ipcSink) write(b arrow.RecordBatch) error { return s.file.Write(b) }
func (s ipcSink) Close() error                    { return s.file.Close() }

type parquetSink struct{ *pqarrow.FileWriter }

func (s parquetSink) write(b arrow.RecordBatch) error {
	if s.RowGroupTotalBytesWritten() >= rowGroupBytes {
		if err := s.NewBufferedRowGroupChecked(); err != nil {
			return err
		}
	}
	return s.WriteBuffered(b)
}

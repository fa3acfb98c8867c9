package server

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server/internal/wire"
)

// column is a column of rows as clients see it.
type column struct {
	name string
	of   wire.Type
}

func columnsOf(schema []parquetsql.ColumnSchema) []column {
	out := make([]column, len(schema))
	for i, c := range schema {
		out[i] = column{c.Name, wire.Of(c)}
	}
	return out
}

// source has rows, many at a time. parquetsql.BatchRows is one.
type source interface {
	Next() bool
	Batch() *parquetsql.Batch
	Err() error
	Close() error
}

// stream is the rows of a statement while they are handed out.
type stream struct {
	source
	columns []column
	cancel  context.CancelCauseFunc
	ctx     context.Context
	batch   *parquetsql.Batch // nil: the next one has to be read
	at      int               // the row of batch that comes next
	count   int64             // rows handed out
	most    int64             // that may be; 0: any number
	ended   func(error)       // told once
	spent   time.Duration     // how long it has run, over all messages
	ending  error             // the first error
	done    bool              // there are no more rows
}

// next makes batch and at those of the next row; false at the end.
func (r *stream) next() (bool, error) {
	for r.batch == nil || r.at == r.batch.Rows {
		if r.done {
			return false, nil
		}
		if !r.source.Next() {
			r.done, r.batch = true, nil
			r.ending = because(r.ctx, r.source.Err())
			return false, r.ending
		}
		r.batch, r.at = r.source.Batch(), 0
	}
	if r.most > 0 && r.count == r.most {
		r.done, r.batch = true, nil
		r.ending = &Error{Code: "54000", Message: fmt.Sprintf("the statement has more than %d rows, which is the most that one may return here", r.most)}
		return false, r.ending
	}
	return true, nil
}

// close ends the statement.
func (r *stream) close() error {
	if r.source == nil {
		return nil
	}
	err := r.source.Close()
	r.source, r.batch, r.done = nil, nil, true
	r.cancel(nil)
	if r.ending == nil {
		r.ending = err
	}
	r.ended(r.ending)
	return err
}

// maxColumns is how many columns a row of the protocol has: their number is an int16.
const maxColumns = math.MaxInt16

// query starts a query.
func (n *session) query(ctx context.Context, text string, args []any) (*stream, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &stream{cancel: cancel, most: n.server.config.Limits.Rows}
	stop := n.during(cancel, &r.spent)
	defer stop()
	begin := time.Now()
	grant, err := n.grant(ctx)
	if err != nil {
		err = because(ctx, err)
		cancel(nil)
		return nil, err
	}
	ctx, watcher := parquetsql.Watch(parquetsql.WithSession(ctx, n.session(grant)))
	r.ctx = ctx
	n.server.metrics.running.Add(1)
	r.ended = func(err error) {
		n.server.memory.release(grant)
		n.server.metrics.running.Add(-1)
		n.told(text, begin, watcher, err)
	}
	rows, err := parquetsql.QueryBatches(ctx, n.conn, text, args...)
	if err != nil {
		err = because(ctx, err)
		cancel(nil)
		r.ended(err)
		return nil, err
	}
	r.source, r.columns = rows, columnsOf(rows.Columns())
	if len(r.columns) > maxColumns {
		r.ending = &Error{Code: "54011", Message: fmt.Sprintf("the rows have %d columns, and those of PostgreSQL's protocol at most %d", len(r.columns), maxColumns)}
		_ = r.close() // the error is the other one
		return nil, r.ending
	}
	return r, nil
}

// grant waits for the memory of a query.
func (n *session) grant(ctx context.Context) (int64, error) {
	wait, cancel := context.WithTimeout(ctx, n.server.config.Limits.Wait)
	defer cancel()
	grant, err := n.server.memory.acquire(wait)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return 0, &Error{Code: "53200", Message: "there is no memory for another query: others have not ended in " + n.server.config.Limits.Wait.String()}
	}
	return grant, err
}

// session is what queries know of this connection.
func (n *session) session(grant int64) parquetsql.Session {
	limit := grant
	if most := n.server.config.Limits.QueryMemory; most > 0 && (limit == 0 || most < limit) {
		limit = most
	}
	return parquetsql.Session{User: n.user, Database: n.database, Version: serverVersion, Setting: n.settings.snapshot(), PostgreSQL: true, MemoryLimit: limit}
}

// told logs and counts a query that has ended.
func (n *session) told(text string, begin time.Time, w *parquetsql.Watcher, err error) {
	stats := w.Stats()
	n.server.metrics.query(time.Since(begin), stats)
	level, attrs := slog.LevelInfo, []slog.Attr{
		slog.String("user", n.user), slog.String("database", n.database), slog.Uint64("connection", uint64(n.number)),
		slog.String("text", clip(text)), slog.Duration("duration", time.Since(begin)), slog.Int64("rows", stats.Rows),
		slog.Int64("files", stats.Files), slog.Int64("files_pruned", stats.FilesPruned), slog.Int64("bytes_read", stats.BytesRead),
		slog.Int64("peak_memory", stats.PeakMemory), slog.Int64("spilled", stats.SpilledBytes),
	}
	if err != nil {
		attrs = append(attrs, slog.String("code", asError(err).Code), slog.String("error", err.Error()))
	}
	n.server.log.LogAttrs(context.Background(), level, "query", attrs...)
}

// clip is the beginning of a text.
func clip(text string) string {
	if len(text) > 1000 {
		return text[:1000] + "…"
	}
	return text
}

// rowWriter appends rows as messages.
type rowWriter struct {
	begin func(*parquetsql.Batch)                 // rows of another batch follow
	row   func(dst []byte, i int) ([]byte, error) // row i of the batch
}

// hand sends rows, most at a time, 0 being all. more says that there may be others.
func (n *session) hand(r *stream, write rowWriter, most int64) (sent int64, more bool, err error) {
	if most <= 0 {
		most = math.MaxInt64
	}
	stop := n.during(r.cancel, &r.spent)
	defer stop()
	for sent < most {
		ok, err := r.next()
		if !ok || err != nil {
			return sent, false, err
		}
		if sent == 0 || r.at == 0 {
			write.begin(r.batch)
		}
		before := len(n.out.buffer)
		if n.out.buffer, err = write.row(n.out.buffer, r.at); err != nil {
			n.out.buffer = n.out.buffer[:before]
			r.ending = err
			return sent, false, err
		}
		r.at++
		r.count++
		sent++
		if n.out.full(); n.out.err != nil {
			r.ending = n.out.err
			return sent, false, n.out.err
		}
	}
	return sent, true, nil
}

// dataRows writes rows as DataRow.
func dataRows(columns []column, formats []int16, style wire.Style) rowWriter {
	of := fieldsOf(columns, func(i int) int16 { return formatOf(formats, i) }, style)
	return rowWriter{of.begin, func(dst []byte, i int) ([]byte, error) {
		at := len(dst) + 1
		dst = append(dst, 'D', 0, 0, 0, 0, byte(len(of)>>8), byte(len(of)))
		dst, err := of.append(dst, i)
		return framed(dst, at, err)
	}}
}

// framed puts the length of a message before it: at is where the length stands.
func framed(dst []byte, at int, err error) ([]byte, error) {
	if err == nil && len(dst)-at > math.MaxInt32 {
		err = &Error{Code: "54000", Message: "a row is longer than 2 GiB, which PostgreSQL's protocol cannot carry"}
	}
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at))
	return dst, err
}

// fields are the columns of a batch whose rows are written.
type fields []wire.Field

func fieldsOf(columns []column, format func(i int) int16, style wire.Style) fields {
	of := make(fields, len(columns))
	for i, c := range columns {
		of[i] = c.of.Field(format(i), style)
	}
	return of
}

func (of fields) begin(b *parquetsql.Batch) {
	for c := range of {
		of[c].Begin(&b.Columns[c])
	}
}

// append appends the values of a row, each behind its length.
func (of fields) append(dst []byte, i int) (_ []byte, err error) {
	for c := range of {
		if dst, err = of[c].Append(dst, i); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// formatOf is the format of a column: no formats mean text, one is for all columns.
func formatOf(formats []int16, i int) int16 {
	switch {
	case len(formats) == 0:
		return 0
	case len(formats) == 1:
		return formats[0]
	case i < len(formats):
		return formats[i]
	}
	return 0
}

// textRows is rows of texts, for what the server answers itself.
type textRows struct {
	batch parquetsql.Batch
	given bool
}

func newTextRows(columns int, rows [][]string) *textRows {
	r := &textRows{batch: parquetsql.Batch{Rows: len(rows)}}
	for c := range columns {
		values := make([]string, len(rows))
		for i, row := range rows {
			values[i] = row[c]
		}
		r.batch.Columns = append(r.batch.Columns, parquetsql.BatchColumn{Values: values})
	}
	return r
}

func (r *textRows) Next() bool {
	more := !r.given && r.batch.Rows > 0
	r.given = true
	return more
}

func (r *textRows) Batch() *parquetsql.Batch { return &r.batch }
func (r *textRows) Err() error               { return nil }
func (r *textRows) Close() error             { return nil }

// listing is a stream of texts.
func listing(ctx context.Context, names []string, rows [][]string) *stream {
	ctx, cancel := context.WithCancelCause(ctx)
	var columns []column
	for _, name := range names {
		columns = append(columns, column{name, wire.Of(parquetsql.ColumnSchema{Type: "NULL"})})
	}
	return &stream{source: newTextRows(len(names), rows), columns: columns, ctx: ctx, cancel: cancel, ended: func(error) {}}
}

// passing is a rowWriter that writes nothing.
func passing(*stream) rowWriter {
	return rowWriter{func(*parquetsql.Batch) {}, func(dst []byte, _ int) ([]byte, error) { return dst, nil }}
}

// Package query runs statements and writes their rows.
package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
)

// ErrCancelled is returned for a query that the user has interrupted.
var ErrCancelled = errors.New("cancelled")

// Runner runs statements, one at a time.
type Runner struct {
	DB     *sql.DB
	Format string
	Opts   format.Options
	Timing bool

	Stdout, Stderr *os.File
	File           io.Writer // where rows go instead of Stdout; may be nil
	Whole          bool      // File is to be a file of Arrow's, not a stream
	Interactive    bool      // a second interrupt does not end the process
	Progress       bool      // Stderr is a terminal

	Names *strings.Replacer // see Message

	full io.Writer // the output that has a binary result already
}

// Run runs a statement and writes its rows. Interrupts end it with ErrCancelled.
func (r *Runner) Run(ctx context.Context, text string, args []any) error {
	interrupted, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !r.Interactive {
		context.AfterFunc(interrupted, stop) // the next signal ends the process
	}
	watched, bar := r.startBar(interrupted)
	defer bar.stop()
	begin := time.Now()
	err := r.write(watched, bar, text, args)
	bar.stop()
	switch {
	case errors.Is(err, syscall.EPIPE):
		err = nil // nobody reads any more, as with head
	case err != nil && interrupted.Err() != nil:
		return ErrCancelled
	}
	if r.Timing {
		fmt.Fprintf(r.Stderr, "Time: %.3f s\n", time.Since(begin).Seconds())
	}
	return err
}

// write runs the statement and writes its rows to where they go.
func (r *Runner) write(ctx context.Context, bar *bar, text string, args []any) (err error) {
	if format.IsBinary(r.Format) {
		return r.writeColumns(ctx, bar, text, args)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows, err := r.DB.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := r.output(bar.stop)
	defer func() {
		if closeErr := out.close(); err == nil {
			err = closeErr
		}
	}()
	return r.copy(rows, out, cancel)
}

// copy writes the rows in the format of the moment.
func (r *Runner) copy(rows *sql.Rows, out io.Writer, cancel func()) error {
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	if len(types) == 0 {
		return rows.Err()
	}
	writer, err := format.New(r.Format, out, r.options())
	if err != nil {
		return err
	}
	if err := writer.Head(format.Columns(types)); err != nil {
		return err
	}
	if err := writeRows(rows, writer, len(types), cancel); err != nil {
		return err
	}
	return writer.Tail()
}

// options are those of where the rows go: a file has all rows, without colours.
func (r *Runner) options() format.Options {
	o := r.Opts
	if r.File != nil {
		o.Color, o.MaxRows = false, 0
	}
	return o
}

// Show writes rows that no statement has made.
func (r *Runner) Show(columns []format.Column, rows [][]any) (err error) {
	out := r.output(nil)
	defer func() {
		if closeErr := out.close(); err == nil {
			err = closeErr
		}
	}()
	writer, err := format.New(r.Format, out, r.options())
	if err != nil {
		return err
	}
	if err := writer.Head(columns); err != nil {
		return err
	}
	for _, row := range rows {
		if err := writer.Row(row); err != nil {
			return err
		}
	}
	return writer.Tail()
}

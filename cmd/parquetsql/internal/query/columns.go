package query

import (
	"context"
	"fmt"
	"io"

	"github.com/parquetsql/parquetsql/arrow"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// writeColumns runs a statement and writes its rows as Arrow or Parquet.
func (r *Runner) writeColumns(ctx context.Context, bar *bar, text string, args []any) (err error) {
	var to io.Writer = r.Stdout
	if r.File != nil {
		to = r.File
	}
	switch {
	case r.File == nil && terminal.Is(r.Stdout):
		return fmt.Errorf("%s is not for a terminal: name a file with -o, or use a pipe", r.Format)
	case to == r.full:
		return fmt.Errorf("an output of %s takes the rows of one statement", r.Format)
	}
	out := &counted{output: r.output(bar.stop)}
	defer func() {
		if out.bytes > 0 {
			r.full = to
		}
		if closeErr := out.close(); err == nil {
			err = closeErr
		}
	}()
	var options arrow.Options
	switch {
	case r.Format == "parquet":
		return options.WriteParquet(ctx, out, arrow.ParquetOptions{}, r.DB, text, args...)
	case r.Whole:
		return options.WriteFile(ctx, out, r.DB, text, args...)
	}
	return options.WriteStream(ctx, out, r.DB, text, args...)
}

// counted knows whether something was written.
type counted struct {
	*output
	bytes int
}

func (c *counted) Write(b []byte) (int, error) {
	c.bytes += len(b)
	return c.output.Write(b)
}

package scaling

import (
	"context"
	"fmt"
	"os"

	"github.com/parquetsql/parquetsql/fragments"
)

// Counted is a folder whose operations are noted in a file beside it, by all processes that use it: as requests
// of a bucket. The bytes are those of rows.
type Counted struct {
	fragments.Store
	notes *os.File
}

func notes(folder string) string { return folder + ".requests" }

// NewCounted is the store of a folder.
func NewCounted(folder string) (*Counted, error) {
	f, err := os.OpenFile(notes(folder), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &Counted{fragments.Dir(folder), f}, err
}

// Close closes the file of notes.
func (c *Counted) Close() error { return c.notes.Close() }

func (c *Counted) note(kind string, n int64) error {
	_, err := fmt.Fprintln(c.notes, kind, n) // one write, which others do not cut
	return err
}

// Create implements fragments.Store.
func (c *Counted) Create(ctx context.Context, name string) (fragments.Writer, error) {
	w, err := c.Store.Create(ctx, name)
	return &countedWriter{Writer: w, of: c}, err
}

type countedWriter struct {
	fragments.Writer
	of *Counted
	n  int64
}

// Write implements io.Writer.
func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += int64(n)
	return n, err
}

// Close implements fragments.Writer: a PUT for each part.
func (w *countedWriter) Close() error {
	for left := w.n; left > 0; left -= partBytes {
		if err := w.of.note("put", min(left, partBytes)); err != nil {
			return err
		}
	}
	return w.Writer.Close()
}

// CreateNew implements fragments.Store.
func (c *Counted) CreateNew(ctx context.Context, name string, data []byte) error {
	if err := c.note("put", 0); err != nil {
		return err
	}
	return c.Store.CreateNew(ctx, name, data)
}

// ReadRange implements fragments.Store: what is in several parts is a GET for each.
func (c *Counted) ReadRange(ctx context.Context, name string, off, n int64) ([]byte, error) {
	for from := off; from < off+n; {
		some := min(off+n-from, partBytes-from%partBytes)
		if err := c.note("get", some); err != nil {
			return nil, err
		}
		from += some
	}
	return c.Store.ReadRange(ctx, name, off, n)
}

// ReadAll implements fragments.Store.
func (c *Counted) ReadAll(ctx context.Context, name string) ([]byte, error) {
	data, err := c.Store.ReadAll(ctx, name)
	if failed := c.note("manifest", int64(len(data))); failed != nil {
		return nil, failed
	}
	return data, err
}

// RemoveAll removes as package bucket does: pages of a listing, and an object each.
func (c *Counted) RemoveAll(ctx context.Context, prefix string) error {
	names, err := c.List(ctx, prefix)
	if err != nil {
		return err
	}
	for i, name := range names {
		if i%pageKeys == 0 {
			if err := c.note("list", 0); err != nil {
				return err
			}
		}
		if err := c.note("delete", 0); err != nil {
			return err
		}
		if err := c.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

package storage

import (
	"context"
	"io/fs"
	"iter"
)

// Nowhere is a store without files: that of a table whose files are all elsewhere.
var Nowhere Store = nowhere{}

type nowhere struct{}

// Stat implements Store.
func (nowhere) Stat(_ context.Context, name string) (Entry, error) {
	return Entry{Name: name}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// List implements Store.
func (nowhere) List(context.Context, string, Walk) iter.Seq2[[]Entry, error] {
	return func(func([]Entry, error) bool) {}
}

// Open implements Store.
func (nowhere) Open(e Entry) File { return noFile{e.Name} }

// Cost implements Store.
func (nowhere) Cost() Cost { return Remote }

type noFile struct{ name string }

func (f noFile) missing() error {
	return &OpenError{&fs.PathError{Op: "open", Path: f.name, Err: fs.ErrNotExist}}
}

// ReadAt implements File.
func (f noFile) ReadAt(context.Context, []byte, int64) (int, error) { return 0, f.missing() }

// Unchanged implements File.
func (f noFile) Unchanged(context.Context) error { return f.missing() }

// Verify implements File.
func (f noFile) Verify(context.Context) error { return f.missing() }

// Close implements File.
func (noFile) Close() error { return nil }

package storage

import (
	"context"
	"iter"
	"strings"
)

// Below is a folder of a store, as a store. Names are joined as they are: in a bucket a//b and
// a/b are two.
func Below(s Store, folder string) Store {
	folder = strings.TrimSuffix(folder, "/")
	if folder == "" || folder == "." {
		return s
	}
	return below{s, folder + "/"}
}

type below struct {
	Store
	prefix string
}

// Stat implements Store.
func (b below) Stat(ctx context.Context, name string) (Entry, error) {
	e, err := b.Store.Stat(ctx, b.prefix+name)
	e.Name = name
	return e, err
}

// List implements Store.
func (b below) List(ctx context.Context, dir string, w Walk) iter.Seq2[[]Entry, error] {
	full := strings.TrimSuffix(b.prefix, "/")
	if dir != "." {
		full = b.prefix + dir
	}
	return func(yield func([]Entry, error) bool) {
		for page, err := range b.Store.List(ctx, full, w) {
			for i := range page {
				page[i].Name = strings.TrimPrefix(page[i].Name, b.prefix)
			}
			if !yield(page, err) {
				return
			}
		}
	}
}

// Open implements Store.
func (b below) Open(e Entry) File {
	e.Name = b.prefix + e.Name
	return b.Store.Open(e)
}

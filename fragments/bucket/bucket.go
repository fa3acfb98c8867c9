// Package bucket has the exchange of fragments in a bucket:
//
//	import (
//		"github.com/parquetsql/parquetsql/fragments/bucket"
//		_ "github.com/parquetsql/parquetsql/store/s3" // or azure, or gcs
//	)
//
//	store, err := bucket.Open("s3://bucket/exchange?region=eu-central-1")
//
// The location is one as a DSN has it. Credentials are those that the module of the store finds; they need to
// list, read, write and remove objects below the prefix.
//
// A manifest is an object, which only the first attempt can create: a PUT with the condition that there is
// none of its name. A file of rows is objects of 8 MiB, named after it with a dot and their number: a worker
// that is killed leaves no unfinished upload which nobody sees and somebody pays for.
package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

const (
	// partBytes is the size of all parts of a file but the last. The writer holds one.
	partBytes = 8 << 20
	// mostSmall bounds what ReadAll reads.
	mostSmall = 256 << 20
)

// Bucket is a fragments.Store. Several goroutines may use it.
type Bucket struct {
	objects *remote.Store
	prefix  string // with a slash at its end, or ""
}

var _ fragments.Store = (*Bucket)(nil)

// Open opens a location such as s3://bucket/prefix, with the options that a DSN may have. It makes no request.
func Open(location string) (*Bucket, error) {
	c, err := parquetsql.ParseDSN(location)
	if err != nil {
		return nil, err
	}
	a, ok := storage.ParseAddress(c.Path)
	if !ok {
		return nil, errors.New("an exchange in a bucket has an address such as s3://bucket/prefix; fragments.Dir is one in a folder")
	}
	s, err := storage.SchemeOf(a.Scheme)
	if err == nil {
		err = s.Check(c.StoreOptions)
	}
	if err != nil {
		return nil, fmt.Errorf("exchange %q: %w", a, err)
	}
	root, err := s.Open(a, c.StoreOptions)
	if err != nil {
		return nil, fmt.Errorf("exchange %q: %w", a, err)
	}
	objects, ok := root.Store.(*remote.Store)
	if !ok || !objects.Writes() {
		return nil, fmt.Errorf("exchange %q: nothing can be written there: %w", a, parquetsql.ErrUnsupported)
	}
	if root.Name == "" {
		return &Bucket{objects: objects}, nil
	}
	prefix := strings.TrimSuffix(root.Name, "/")
	// Some servers keep objects as files, for which a//b is a/b. A listing has other names than those that were
	// written there: nothing would be found, and nothing removed.
	if prefix == "." || !fs.ValidPath(prefix) {
		return nil, fmt.Errorf("exchange %q: between the slashes of a prefix there must be names, none that is empty, \".\" or \"..\"", a)
	}
	return &Bucket{objects: objects, prefix: prefix + "/"}, nil
}

// Close lets go of idle connections.
func (b *Bucket) Close() error { return b.objects.Close() }

// key is the name of an object.
func (b *Bucket) key(name string) string { return b.prefix + name }

// CreateNew implements fragments.Store.
func (b *Bucket) CreateNew(ctx context.Context, name string, data []byte) error {
	err := b.objects.Put(ctx, b.key(name), data, true)
	var e *remote.Error
	if !errors.As(err, &e) || e.Kind != remote.Changed {
		return err
	}
	// There is one: that of another, or of our own request whose answer was lost and which was repeated.
	there, err := b.ReadAll(ctx, name)
	if err != nil {
		return err
	}
	if bytes.Equal(there, data) {
		return nil
	}
	return &fs.PathError{Op: "create", Path: b.objects.Address(b.key(name)), Err: fs.ErrExist}
}

// ReadAll implements fragments.Store.
func (b *Bucket) ReadAll(ctx context.Context, name string) ([]byte, error) {
	return b.objects.Read(ctx, b.key(name), 0, mostSmall, true)
}

// ReadRange implements fragments.Store: a request for each part that has some of the bytes.
func (b *Bucket) ReadRange(ctx context.Context, name string, off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > mostSmall {
		return nil, fmt.Errorf("%s: %d bytes at %d are no range", name, n, off)
	}
	out := []byte{}
	for n > 0 {
		within := off % partBytes
		some := min(n, partBytes-within)
		data, err := b.objects.Read(ctx, b.key(part(name, off/partBytes)), within, some, false)
		if err != nil {
			return nil, err
		}
		if some == n && len(out) == 0 {
			return data, nil
		}
		out = append(out, data...)
		off, n = off+some, n-some
	}
	return out, nil
}

// List implements fragments.Store: parts have names of their own.
func (b *Bucket) List(ctx context.Context, prefix string) (out []string, err error) {
	dir, rest := path.Split(b.key(prefix))
	for page, err := range b.objects.List(ctx, strings.TrimSuffix(dir, "/"), storage.Walk{Depth: -1, Prefix: rest}) {
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			out = append(out, strings.TrimPrefix(e.Name, b.prefix))
		}
	}
	return out, nil
}

// Remove implements fragments.Store: a file goes with its parts.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if err := b.objects.Delete(ctx, b.key(name)); err != nil || isPart(name) {
		return err
	}
	return b.RemoveAll(ctx, name+".")
}

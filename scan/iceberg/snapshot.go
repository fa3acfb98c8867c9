package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/storage"
)

// Snapshot is the files of a table at one time. It is immutable.
type Snapshot struct {
	Of        *metadata.Snapshot // nil: the table has no rows
	Manifests []*manifest.Manifest
	Data      []*manifest.File // sorted by path
	Deletes   []*manifest.File

	from *metadata.Table
}

// read reads the manifests of a snapshot, unless it is the one that was read last.
func (p *Pinned) read(ctx context.Context, of *metadata.Snapshot) (*Snapshot, error) {
	t := p.of
	t.mu.Lock()
	known := t.snapshot
	t.mu.Unlock()
	if known != nil && known.from == p.Table && known.Of == of {
		return known, nil
	}
	out := &Snapshot{Of: of, from: p.Table}
	if of != nil {
		var err error
		if out.Manifests, err = p.Manifests(ctx, of); err != nil {
			return nil, err
		}
		if err := p.readFiles(ctx, out); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	t.snapshot = out
	t.mu.Unlock()
	return out, nil
}

// Manifests are those of a snapshot.
func (p *Pinned) Manifests(ctx context.Context, s *metadata.Snapshot) ([]*manifest.Manifest, error) {
	if s.KeyID != "" {
		return nil, p.of.named(errs.Unsupported("tables with encrypted metadata"))
	}
	if s.ManifestList == "" {
		var out []*manifest.Manifest
		for _, m := range s.Manifests {
			out = append(out, manifest.Alone(m, s.ID))
		}
		return out, nil
	}
	data, name, err := p.metadataFile(ctx, s.ManifestList, -1)
	if err != nil {
		return nil, err
	}
	out, err := manifest.ReadList(data)
	return out, p.of.corrupt(name, err)
}

// metadataFile reads a file that metadata name, of a length if that is known: where a look at the
// file takes a request, it is read right away. Where a writer has put it is not always where the
// table is: then it is looked for beside the metadata file.
func (p *Pinned) metadataFile(ctx context.Context, file string, length int64) (data []byte, name string, err error) {
	a, err := p.locator.locate(ctx, file)
	var e storage.Entry
	if err == nil && length > 0 && !a.store.Cost().IsLocal() {
		if data, err := readAll(ctx, a.store, storage.Entry{Name: a.name, Size: length}); err == nil {
			return data, a.name, nil
		}
	}
	if err == nil {
		e, err = statFile(ctx, a.store, a.name)
	}
	if err != nil && ctx.Err() == nil {
		beside := path.Join(path.Dir(p.file), path.Base(strings.TrimRight(file, "/")))
		if own, err2 := statFile(ctx, p.of.store, beside); err2 == nil {
			a, e, err = at{store: p.of.store, name: beside}, own, nil
		}
	}
	if err == nil {
		data, err = readAll(ctx, a.store, e)
	}
	return data, e.Name, p.of.named(err)
}

// What a file takes in memory besides the bytes of its manifest, and a column of it.
const (
	fileBytes   = 600
	columnBytes = 96
)

// readFiles reads the manifests, several at a time.
func (p *Pinned) readFiles(ctx context.Context, s *Snapshot) error {
	budget := quota.New(p.of.options.Memory)
	lists := make([][]*manifest.File, len(s.Manifests))
	err := parallel.Some(max(4, min(16, p.of.store.Cost().AtOnce)), len(s.Manifests), func(i int) error {
		m := s.Manifests[i]
		if m.AddedFiles == 0 && m.ExistingFiles == 0 {
			return nil
		}
		return parallel.Recovered(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, name, err := p.metadataFile(ctx, m.Path, m.Length)
			if err != nil {
				return err
			}
			if lists[i], err = manifest.Read(data, m, p.Specs); err != nil {
				return p.of.corrupt(name, err)
			}
			return p.of.named(charge(budget, lists[i]))
		})
	})
	if err != nil {
		return err
	}
	for i, m := range s.Manifests {
		if m.Deletes {
			s.Deletes = append(s.Deletes, lists[i]...)
		} else {
			s.Data = append(s.Data, lists[i]...)
		}
	}
	slices.SortStableFunc(s.Data, func(a, b *manifest.File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// charge counts what is known of files. Where their columns would take more than half of the memory,
// they are left out: they only save work.
func charge(b *quota.Budget, list []*manifest.File) error {
	for _, f := range list {
		if err := b.Need(fileBytes + int64(len(f.Path)+len(f.Key))); err != nil {
			return err
		}
		n := int64(0)
		for _, c := range f.Columns {
			n += columnBytes + int64(len(c.Lower)+len(c.Upper))
		}
		if b.Limit() > 0 && b.Used()+n > b.Limit()/2 || b.Need(n) != nil {
			f.Columns = nil
		}
	}
	return nil
}

// isOther reports whether an error says anything but that bytes are wrong.
func isOther(err error) bool {
	var corrupt *errs.CorruptError
	return errors.Is(err, errs.ErrUnsupported) || errors.Is(err, errs.ErrMemoryLimit) || errors.As(err, &corrupt) ||
		errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// unread is why a file cannot be read at all; nil: it can.
func unread(f *manifest.File) error {
	if f.Format == "parquet" || f.Format == "puffin" && f.Content == manifest.Positions {
		return nil
	}
	return fmt.Errorf("file %q: %w", f.Path, errs.Unsupported("%s files of Iceberg tables; Parquet files are read", strings.ToUpper(f.Format)))
}

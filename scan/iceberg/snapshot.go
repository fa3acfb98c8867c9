package iceberg

import (
	"cmp"
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

// Snapshot is the files of a table at one time. Its manifests are read when they are needed, and stay.
type Snapshot struct {
	Of        *metadata.Snapshot // nil: the table has no rows
	Manifests []*manifest.Manifest

	from   *metadata.Table
	parts  []*part       // by Manifests
	budget *quota.Budget // of what is known of files
}

// part is the files of a manifest. Snapshots that have the same manifest share it.
type part struct {
	turn  chan struct{} // to read it, and for what follows
	read  bool
	files []*manifest.File
	bytes int64
}

func newPart() *part { return &part{turn: make(chan struct{}, 1)} }

// identity is what the files of a manifest depend on: what they inherit from the list, too.
func identity(m *manifest.Manifest) manifest.Manifest {
	return manifest.Manifest{Path: m.Path, Length: m.Length, Spec: m.Spec, Deletes: m.Deletes, Sequence: m.Sequence, Snapshot: m.Snapshot, FirstRow: m.FirstRow}
}

// snapshot is a snapshot of which no manifest need be read, unless it is the one that was last asked
// for. What is known of manifests that the last one has, too, is taken over.
func (p *Pinned) snapshot(ctx context.Context, of *metadata.Snapshot) (*Snapshot, error) {
	t := p.of
	t.mu.Lock()
	known := t.snapshot
	t.mu.Unlock()
	if known != nil && known.from == p.Table && known.Of == of {
		return known, nil
	}
	out := &Snapshot{Of: of, from: p.Table, budget: quota.New(t.options.Memory)}
	if of != nil {
		var err error
		if out.Manifests, err = p.manifests(ctx, of, out.budget); err != nil {
			return nil, err
		}
	}
	out.take(known)
	t.mu.Lock()
	t.snapshot = out
	t.mu.Unlock()
	return out, nil
}

// take makes the parts of a snapshot: those of another one where it has the same manifests, as long as
// there is room for them.
func (s *Snapshot) take(from *Snapshot) {
	known := map[string]*part{}
	if from != nil {
		for i, m := range from.Manifests {
			known[fmt.Sprint(identity(m))] = from.parts[i]
		}
	}
	for _, m := range s.Manifests {
		own := newPart()
		if old := known[fmt.Sprint(identity(m))]; old != nil && s.shares(old) {
			own = old
		}
		s.parts = append(s.parts, own)
	}
}

// shares reports whether a part that was read has room in a snapshot.
func (s *Snapshot) shares(p *part) bool {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
		return p.read && s.budget.Need(p.bytes) == nil
	default: // it is being read
		return false
	}
}

// ManifestsAt are the manifests of a snapshot.
func (p *Pinned) ManifestsAt(ctx context.Context, at At) ([]*manifest.Manifest, error) {
	s, _, err := p.find(at)
	if err != nil || s == nil {
		return nil, p.of.named(err)
	}
	return p.manifests(ctx, s, quota.New(p.of.options.Memory))
}

func (p *Pinned) manifests(ctx context.Context, s *metadata.Snapshot, b *quota.Budget) ([]*manifest.Manifest, error) {
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
	data, name, err := p.metadataFile(ctx, s.ManifestList, -1, b)
	if err != nil {
		return nil, err
	}
	defer b.Release(int64(len(data)))
	out, err := manifest.ReadList(data, b)
	return out, p.of.corrupt(name, err)
}

// metadataFile reads a file that metadata name, of a length if that is known: where a look at the
// file takes a request, it is read right away. Where a writer has put it is not always where the
// table is: then it is looked for beside the metadata file. Its bytes are charged.
func (p *Pinned) metadataFile(ctx context.Context, file string, length int64, b *quota.Budget) (data []byte, name string, err error) {
	a, err := p.locator.locate(ctx, file)
	var e storage.Entry
	if err == nil && length > 0 && !a.store.Cost().IsLocal() {
		if data, err := readAll(ctx, a.store, claimed(a.name, length), b); err == nil {
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
		data, err = readAll(ctx, a.store, e, b)
	}
	return data, e.Name, p.of.named(err)
}

// read reads some manifests, several at a time, and has visit look at the files of each.
func (p *Pinned) read(ctx context.Context, s *Snapshot, which []int, visit func(i int, list []*manifest.File) error) error {
	return parallel.Some(max(4, min(16, p.of.store.Cost().AtOnce)), len(which), func(n int) error {
		return parallel.Recovered(func() error {
			list, err := p.filesOf(ctx, s, which[n])
			if err != nil {
				return err
			}
			return p.of.named(visit(which[n], list))
		})
	})
}

// filesOf are the files of a manifest.
func (p *Pinned) filesOf(ctx context.Context, s *Snapshot, i int) ([]*manifest.File, error) {
	m, own := s.Manifests[i], s.parts[i]
	select {
	case own.turn <- struct{}{}:
		defer func() { <-own.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if own.read {
		return own.files, nil
	}
	if m.AddedFiles == 0 && m.ExistingFiles == 0 {
		own.read = true
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, name, err := p.metadataFile(ctx, m.Path, m.Length, s.budget)
	if err != nil {
		return nil, err
	}
	defer s.budget.Release(int64(len(data)))
	list, bytes, err := manifest.Read(data, m, p.Specs, s.budget)
	if err != nil {
		return nil, p.of.corrupt(name, err)
	}
	own.files, own.bytes, own.read = list, bytes, true
	return list, nil
}

// Files are the data files and the delete files of a snapshot.
func (p *Pinned) Files(ctx context.Context, at At) ([]*manifest.File, error) {
	of, _, err := p.find(at)
	if err != nil {
		return nil, p.of.named(err)
	}
	s, err := p.snapshot(ctx, of)
	if err != nil {
		return nil, err
	}
	lists := make([][]*manifest.File, len(s.Manifests))
	if err := p.read(ctx, s, s.all(), func(i int, list []*manifest.File) error {
		lists[i] = list
		return nil
	}); err != nil {
		return nil, err
	}
	out := slices.Concat(lists...)
	slices.SortStableFunc(out, func(a, b *manifest.File) int {
		if a, b := min(a.Content, 1), min(b.Content, 1); a != b {
			return int(a) - int(b)
		}
		if a.Content != manifest.Data {
			return 0
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return out, nil
}

// all are the places of all manifests.
func (s *Snapshot) all() []int {
	out := make([]int, len(s.Manifests))
	for i := range out {
		out[i] = i
	}
	return out
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

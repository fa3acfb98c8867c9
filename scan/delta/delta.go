// Package delta makes file sets of the versions of Delta Lake tables. Package log below it reads
// the log; here its files become those of a table: with the columns that the log gives, the
// values of their partitions, bounds of its statistics, and the rows that it deletes.
//
//	log        which files a version has
//	action     the actions of JSON and Parquet files
//	schema     the table's types, partition values and statistics
//	deletion   deletion vectors
package delta

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
)

// Table is a folder with a log. It keeps the state of the version that was read last. It may be
// used by several goroutines.
type Table struct {
	store   storage.Store
	folder  string
	log     *log.Table
	footers *files.Footers // of all versions: data files are never overwritten

	cache *Cache

	mu   sync.Mutex
	last *Version
}

// New is the table of a folder of a store, whose files are opened with a cache, and whose state is
// in another.
func New(store storage.Store, folder string, opened *files.Cache, kept *Cache, o log.Options) *Table {
	return &Table{store: store, folder: folder, log: log.New(store, folder, o), footers: opened.Footers(), cache: kept}
}

// Pin lists the log: all that is read by the result is of the versions of this moment.
func (t *Table) Pin(ctx context.Context) (*Pinned, error) {
	l, err := t.log.Log(ctx)
	if err != nil {
		return nil, err
	}
	return &Pinned{table: t, log: l}, nil
}

// Pinned is the versions that a table has at one moment. It may be used by several goroutines.
type Pinned struct {
	table *Table
	log   *log.Log
	last  atomic.Pointer[Version] // that was read: the table may not keep it
}

// At says which version is meant: by default the newest.
type At struct {
	Version *int64     // nil: not by number
	Time    *time.Time // the newest that is not younger; nil: not by time
}

// Version reads a version. It says what it is unable to read: see log.Log.Snapshot.
func (p *Pinned) Version(ctx context.Context, at At) (*Version, error) {
	number := p.log.Newest()
	var err error
	switch {
	case at.Version != nil:
		number = *at.Version
	case at.Time != nil:
		if number, err = p.log.VersionAt(ctx, *at.Time); err != nil {
			return nil, err
		}
	}
	if number < 0 {
		return nil, fmt.Errorf("version %d of a Delta table: versions are counted from 0", number)
	}
	if last := p.last.Load(); last != nil && last.Version == number {
		return last, nil
	}
	s, err := p.log.Snapshot(ctx, number)
	if err != nil {
		return nil, err
	}
	v, err := p.table.version(s)
	if err != nil {
		return nil, err
	}
	p.last.Store(v)
	return v, nil
}

// version is that of a snapshot, the one that was made before if it is of the same.
func (t *Table) version(s *log.Snapshot) (*Version, error) {
	t.mu.Lock()
	last := t.last
	t.mu.Unlock()
	if last != nil && last.Snapshot == s {
		t.cache.use(t)
		return last, nil
	}
	v, err := newVersion(t, s)
	if err != nil {
		return nil, fmt.Errorf("the Delta table %q: %w", t.folder, err)
	}
	v.evidence.kept = func(bytes int64) bool { return t.cache.keep(t, v, bytes) }
	if t.cache.keep(t, v, 0) && last != nil {
		v.evidence.adopt(last.evidence)
	}
	return v, nil
}

// set makes a version the one that is kept, nil none.
func (t *Table) set(v *Version) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last = v; v == nil {
		t.log.Forget()
	}
}

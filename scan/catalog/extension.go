package catalog

import (
	"context"
	"fmt"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/storage"
)

// Which files of a folder make tables: those with a Parquet extension or, with
// Config.AnyExtension, all that begin as Parquet files do. Hive, Impala and Athena write
// Parquet files without an extension ("000000_0").

// parquet returns the entries that make tables, and folders that could not be read, which
// may contain such files.
func (s *Snapshot) parquet(ctx context.Context, l *listing) ([]storage.Entry, error) {
	magic := map[string]error{} // by path, of the files without a Parquet extension that make tables
	if s.catalog.config.AnyExtension {
		var err error
		if magic, err = s.withMagic(ctx, l.others()); err != nil {
			return nil, err
		}
	}
	out := make([]storage.Entry, 0, len(l.entries))
	for _, e := range l.entries {
		err, ok := magic[e.Name]
		if !ok && !isParquet(e.Name) && !e.Folder {
			continue
		}
		if err != nil {
			e = storage.Entry{Name: e.Name, Err: err}
		}
		out = append(out, e)
	}
	return out, nil
}

// others are the files without a Parquet extension.
func (l *listing) others() (out []storage.Entry) {
	for _, e := range l.entries {
		if !isParquet(e.Name) && !e.Folder {
			out = append(out, e)
		}
	}
	return out
}

// withMagic returns the files that begin as Parquet files do, and those that cannot be read,
// with the error: they may be such files, and nobody would miss their rows. Several are read
// at a time.
func (s *Snapshot) withMagic(ctx context.Context, files []storage.Entry) (map[string]error, error) {
	var mu sync.Mutex
	out, next := map[string]error{}, make(chan storage.Entry)
	var readers sync.WaitGroup
	for range min(len(files), maxFooterReaders) {
		readers.Go(func() {
			for e := range next {
				if ok, err := s.hasMagic(ctx, e); ok || err != nil {
					mu.Lock()
					out[e.Name] = err
					mu.Unlock()
				}
			}
		})
	}
	for _, e := range files {
		next <- e // hasMagic ends with ctx
	}
	close(next)
	readers.Wait()
	return out, ctx.Err()
}

// hasMagic reports whether a file begins as a Parquet file does. The answer is kept until the
// file changes.
func (s *Snapshot) hasMagic(ctx context.Context, e storage.Entry) (ok bool, err error) {
	defer errs.Recover(&err)
	if e.Err != nil {
		return false, e.Err
	}
	return s.footers.HasMagic(ctx, s.tableFile(e))
}

// mostProbed is how many files are looked at in order to say that they were left out.
const mostProbed = 16

// LeftOut says which Parquet files of the location are in no table since their names have no
// Parquet extension, and what would help; "" if there are none. It looks at a few files only.
func (s *Snapshot) LeftOut(ctx context.Context) (string, error) {
	if s.location.kind != atDirectory || len(s.catalog.config.Only) > 0 || s.catalog.config.AnyExtension {
		return "", nil
	}
	if err := s.ready(ctx); err != nil {
		return "", err
	}
	others := s.listing.others()
	found, err := s.withMagic(ctx, others[:min(len(others), mostProbed)])
	if err != nil {
		return "", err
	}
	first, n := "", 0
	for _, e := range others {
		if err, ok := found[e.Name]; ok && err == nil {
			if n++; first == "" {
				first = e.Name
			}
		}
	}
	if n == 0 {
		return "", nil
	}
	return fmt.Sprintf("Parquet files whose names do not end in .parquet, .parq or .pq are in no table, %q for one: the option extensions=any makes tables of them, and a path or glob names them", first), nil
}

package catalog

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
)

// load makes a table from a source's files.
func (s *Snapshot) load(ctx context.Context, t *tableSource) (*files.Set, error) {
	if t.isLake() {
		return s.loadLake(ctx, t, version{})
	}
	if err := t.refuseLake(); err != nil {
		return nil, err
	}
	entries, err := s.pins.known(t.name, t.entries)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Err != nil {
			return nil, fmt.Errorf("table %q: file %q: %w", t.name, e.Name, e.Err)
		}
	}
	list := s.tableFiles(entries)
	schemas, err := s.readSchemas(ctx, list)
	if err != nil {
		return nil, err
	}
	if list, schemas, err = s.expandSummaries(ctx, list, schemas); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	paths := make([]string, len(list))
	for i, f := range list {
		paths[i] = f.Path
	}
	return s.unite(ctx, t.name, list, schemas, partitionColumns(s.hive(t), paths))
}

// tableFile makes the File of an entry.
func (s *Snapshot) tableFile(e storage.Entry) *files.File {
	return s.tableFiles([]storage.Entry{e})[0]
}

// tableFiles makes the Files of some entries.
func (s *Snapshot) tableFiles(entries []storage.Entry) []*files.File {
	made, out := s.footers.Files(len(entries)), make([]*files.File, len(entries))
	for i, e := range entries {
		f := &made[i]
		f.Store, f.Entry, f.Path = s.location.store, e, s.catalog.config.Remote.shown(e.Name)
		if s.location.kind == atFile {
			f.Entry.Name = s.location.file
		}
		out[i] = f
	}
	return out
}

// maxFooterReaders bounds the goroutines that read footers. There may be more of them
// than processors, because they mostly wait.
const maxFooterReaders = 16

// farFooterReaders is that for a store of objects, which itself bounds how many requests go on at
// once: 10,000 files of 30 ms each, 16 at a time, would take 19 seconds.
const farFooterReaders = 64

// farFooterBytes bounds the memory of footers that are being read, which is not charged.
const farFooterBytes = 64 << 20

// footerReaders is how many footers are read at the same time.
func (s *Snapshot) footerReaders(list []*files.File) int {
	if !s.location.flat {
		return min(len(list), max(4, runtime.GOMAXPROCS(0)), maxFooterReaders)
	}
	longest := int64(1)
	for _, f := range list {
		longest = max(longest, s.location.store.Cost().Tail(f.Size()))
	}
	return min(len(list), farFooterReaders, int(max(1, farFooterBytes/longest)))
}

// readSchemas finds the schemas of all files, several at a time. It returns the error
// of the first file that has one. With OnCorruptSkip, a corrupt file has no schema and
// keeps its error; only if all files are corrupt, that is an error.
func (s *Snapshot) readSchemas(ctx context.Context, list []*files.File) ([]*files.Schema, error) {
	out, failed := make([]*files.Schema, len(list)), make([]error, len(list))
	var unknown []int
	for i, f := range list {
		if out[i] = s.footers.KnownSchema(f); out[i] == nil {
			unknown = append(unknown, i)
		}
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(len(unknown), s.footerReaders(list)) {
		wg.Go(func() {
			for i := range next {
				out[i], failed[i] = s.footers.Schema(ctx, list[i])
			}
		})
	}
feed:
	for _, i := range unknown {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	good := 0
	for i, err := range failed {
		if err == nil {
			good++
			continue
		}
		var corrupt *errs.CorruptError
		if !s.catalog.config.Scan.OnCorruptSkip || !errors.As(err, &corrupt) {
			return nil, err
		}
		list[i].Err = err
	}
	if good == 0 && len(failed) > 0 {
		return nil, failed[0]
	}
	return out, nil
}

// expandSummaries replaces each summary file by the files that it names.
func (s *Snapshot) expandSummaries(ctx context.Context, list []*files.File, schemas []*files.Schema) ([]*files.File, []*files.Schema, error) {
	var outFiles []*files.File
	var outSchemas []*files.Schema
	for i, f := range list {
		if schemas[i] == nil || !schemas[i].Summary {
			outFiles, outSchemas = append(outFiles, f), append(outSchemas, schemas[i])
			continue
		}
		parts, err := s.footers.Parts(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range parts {
			part, err := s.part(ctx, f, p)
			if err != nil {
				return nil, nil, err
			}
			part.TakeFooterOf(f)
			outFiles, outSchemas = append(outFiles, part), append(outSchemas, schemas[i])
		}
	}
	return outFiles, outSchemas, nil
}

// part makes a File that a summary names by a path relative to the summary.
func (s *Snapshot) part(ctx context.Context, summary *files.File, of fileformat.Part) (*files.File, error) {
	if of.Path == "" { // row groups of the summary file itself
		f := s.footers.File(summary.Store, summary.Entry, summary.Path)
		f.UseFooter(of)
		return f, nil
	}
	name := of.Path
	fail := func(err error) error {
		return &errs.CorruptError{File: summary.Path, RowGroup: -1, Offset: -1, Err: fmt.Errorf("it names the file %q: %w", name, err)}
	}
	full := path.Join(path.Dir(summary.Path), name)
	if clean, ok := cleanName(full); !ok || path.IsAbs(name) || clean != full || s.location.kind == atFile {
		return nil, fail(storage.ErrOutside)
	}
	e, err := regular(s.location.store.Stat(ctx, full))
	if err != nil {
		return nil, fail(err)
	}
	f := s.tableFile(e)
	f.UseFooter(of)
	return f, nil
}

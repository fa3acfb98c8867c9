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
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/storage"
)

// load makes a table from a source's files.
func (s *Snapshot) load(ctx context.Context, t *tableSource) (*Table, error) {
	if t.delta != "" {
		return nil, fmt.Errorf("table %q: %w", t.name, errs.Unsupported("folder %q has a _delta_log: reading its files without the log would return deleted rows too; to read them anyway, name them by path or glob", t.delta))
	}
	files := make([]*File, len(t.entries))
	for i, e := range t.entries {
		if e.Err != nil {
			return nil, fmt.Errorf("table %q: file %q: %w", t.name, e.Name, e.Err)
		}
		files[i] = s.tableFile(e)
	}
	schemas, err := s.readSchemas(ctx, files)
	if err != nil {
		return nil, err
	}
	if files, schemas, err = s.expandSummaries(ctx, files, schemas); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := s.unite(ctx, t, files, schemas)
	if err != nil {
		return nil, err
	}
	out.Scan = s.catalog.config.Scan
	return out, nil
}

// tableFile makes the File of an entry.
func (s *Snapshot) tableFile(e storage.Entry) *File {
	f := &File{Path: e.Name, Size: e.Size, ModTime: e.Time, snapshot: s, entry: e}
	if s.location.kind == atFile {
		f.entry.Name = s.location.file
	}
	return f
}

// maxFooterReaders bounds the goroutines that read footers. There may be more of them
// than processors, because they mostly wait.
const maxFooterReaders = 16

// readSchemas finds the schemas of all files, several at a time. It returns the error
// of the first file that has one. With OnCorruptSkip, a corrupt file has no schema and
// keeps its error; only if all files are corrupt, that is an error.
func (s *Snapshot) readSchemas(ctx context.Context, files []*File) ([]*schema, error) {
	out, failed := make([]*schema, len(files)), make([]error, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(len(files), max(4, runtime.GOMAXPROCS(0)), maxFooterReaders) {
		wg.Go(func() {
			for i := range next {
				out[i], failed[i] = s.readSchema(ctx, files[i])
			}
		})
	}
feed:
	for i := range files {
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
		var corrupt *errs.CorruptError
		switch {
		case err == nil:
			good++
		case s.catalog.config.Scan.OnCorruptSkip && errors.As(err, &corrupt):
			files[i].err = err
		default:
			return nil, err
		}
	}
	if good == 0 && len(failed) > 0 {
		return nil, failed[0]
	}
	return out, nil
}

// readSchema returns the schema from the catalog's cache, or else from the footer. It
// recovers panics: in a goroutine of its own a panic would end the program.
func (s *Snapshot) readSchema(ctx context.Context, f *File) (out *schema, err error) {
	defer errs.Recover(&err)
	if known, ok := cached[*schema](s.catalog.schema, metaKey{fileKey: s.fileKey(f)}); ok {
		return known, nil
	}
	own, err := s.readFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	return own.schema, nil
}

// readFooter gets the footer from the cache or the file.
func (s *Snapshot) readFooter(ctx context.Context, f *File) (*footer, error) {
	if known := s.knownFooter(metaKey{fileKey: s.fileKey(f)}); known != nil {
		return known, nil
	}
	h := s.location.store.Open(f.entry)
	defer h.Close()
	return s.footer(ctx, f, h)
}

func (s *Snapshot) fileKey(f *File) fileKey {
	key := fileKey{path: f.entry.Name, size: f.Size, modTime: f.ModTime.UnixNano(), version: f.entry.Version}
	if f.ModTime.IsZero() && key.version == "" {
		key.snapshot = s
	}
	return key
}

// footer gets the footer from the cache or the open file.
func (s *Snapshot) footer(ctx context.Context, f *File, h storage.File) (*footer, error) {
	key := metaKey{fileKey: s.fileKey(f)}
	if known := s.knownFooter(key); known != nil {
		return known, nil
	}
	file, err := fileformat.OpenContext(ctx, countingReader{ctx, f, h}, f.Size, s.formatOptions(f))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // after a long footer
		return nil, err
	}
	columns, err := nested.Columns(file.Schema, s.nestedOptions())
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", f.Path, err)
	}
	parts, err := file.Parts()
	if err != nil {
		return nil, err
	}
	own, bytes := s.catalog.schemas.share(schema{fields: fieldsOf(file), columns: columns, summary: len(parts) > 0, encrypted: file.Encrypted()})
	out := &footer{file, own}
	if !file.FooterKeyMissing() || !s.catalog.config.KeysMayCome {
		s.keepFooter(key, out)
	}
	s.catalog.schema.put(key, own, bytes)
	return out, nil
}

// knownFooter is a footer that was read, or nil.
func (s *Snapshot) knownFooter(key metaKey) *footer {
	if known, ok := cached[*footer](s.catalog.meta, key); ok {
		return known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.large.key == key {
		return s.large.footer
	}
	return nil
}

func (s *Snapshot) keepFooter(key metaKey, f *footer) {
	bytes := f.bytes()
	s.catalog.meta.put(key, f, bytes)
	if bytes < largeBytes || s.catalog.meta.holds(bytes) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.large = largeFooter{key, f}
}

func (s *Snapshot) formatOptions(f *File) fileformat.Options {
	c := &s.catalog.config
	o := fileformat.Options{Name: f.Path, VerifyChecksums: c.VerifyChecksums, Memory: c.FooterMemory, Tail: s.location.store.Cost().Tail(f.Size)}
	if keys := c.Keys; keys != nil {
		o.Keys = keys(f)
	}
	return o
}

// expandSummaries replaces each summary file by the files that it names.
func (s *Snapshot) expandSummaries(ctx context.Context, files []*File, schemas []*schema) ([]*File, []*schema, error) {
	var outFiles []*File
	var outSchemas []*schema
	for i, f := range files {
		if schemas[i] == nil || !schemas[i].summary {
			outFiles, outSchemas = append(outFiles, f), append(outSchemas, schemas[i])
			continue
		}
		own, err := s.readFooter(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		parts, err := own.file.Parts()
		if err != nil {
			return nil, nil, err
		}
		for _, p := range parts {
			part, err := s.part(ctx, f, p)
			if err != nil {
				return nil, nil, err
			}
			part.footerRead.Add(f.footerRead.Swap(0))
			outFiles, outSchemas = append(outFiles, part), append(outSchemas, schemas[i])
		}
	}
	return outFiles, outSchemas, nil
}

// part makes a File that a summary names by a path relative to the summary.
func (s *Snapshot) part(ctx context.Context, summary *File, of fileformat.Part) (*File, error) {
	if of.Path == "" { // row groups of the summary file itself
		f := s.tableFile(storage.Entry{Name: summary.Path, Size: summary.Size, Time: summary.ModTime, Version: summary.entry.Version})
		f.part = of.File(f.Size, s.formatOptions(f))
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
	f.part = of.File(f.Size, s.formatOptions(f))
	return f, nil
}

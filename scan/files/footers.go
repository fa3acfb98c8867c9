package files

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/storage"
)

// The memory of a parsed footer, measured on 511 files, those of testdata and
// generated wide ones (TestFooterBytes): a fixed part, a part per node of the schema
// and per column chunk, and a multiple of the footer's bytes in the file, which are
// mostly names, bounds and key-value pairs.
const (
	footerFixed  = 2<<10 + 256
	nodeBytes    = 360
	chunkBytes   = 360
	footerFactor = 3

	// unlockedBytes is more for an encrypted column chunk: its keys, and once more the
	// chunk when a query has unlocked it.
	unlockedBytes = 2 * chunkBytes
)

// footer is a file's parsed metadata.
type footer struct {
	file   *fileformat.File
	schema *Schema
}

// bytes returns the memory of the footer, or a little more. An encrypted file also keeps
// the chunks that were unlocked.
func (f *footer) bytes() int64 {
	n := int64(footerFixed + footerFactor*f.file.FooterSize() + nodeBytes*nodes(f.file.Schema.Root))
	for _, g := range f.file.RowGroups() {
		n += int64(chunkBytes * (1 + len(g.Columns)))
		for _, c := range g.Columns {
			if c.Encrypted() {
				n += unlockedBytes
			}
		}
	}
	if f.file.Encrypted() {
		n *= 2
	}
	return n
}

// nodes counts a node of the schema and all nodes below it.
func nodes(n *fileformat.Node) int {
	sum := 1
	for _, c := range n.Children {
		sum += nodes(c)
	}
	return sum
}

// fileKey identifies a file as it was read: a changed file has another key. If the store has
// neither versions nor times of the last change, a change may go unseen; the key is then valid only
// among the files of one Footers.
type fileKey struct {
	root    string
	path    string
	size    int64
	modTime int64 // nanoseconds
	version string
	groups  string // File.VariantGroups: the columns depend on them
	within  *Footers
}

// Footers reads the footers of the files of one moment. It may be used by several goroutines.
type Footers struct {
	cache *Cache

	mu    sync.Mutex
	large largeFooter
}

// largeFooter is the last footer that took long to read and that the cache cannot hold: between
// the binding of a query and its scan it would be read twice.
type largeFooter struct {
	key metaKey
	*footer
}

// largeBytes is the size of a footer from which on reading it twice takes long.
const largeBytes = 8 << 20

// File is a file about which nothing is known but its name. Its users know it by path.
func (s *Footers) File(store storage.Store, e storage.Entry, path string) *File {
	return &File{Path: path, Entry: e, Store: store, Rows: -1, footers: s}
}

// Files are so many files about which nothing is known yet, next to each other: of very many that takes less
// time than one after the other. Their Store, Entry and Path have to be set.
func (s *Footers) Files(n int) []File {
	out := make([]File, n)
	for i := range out {
		out[i].Rows, out[i].footers = -1, s
	}
	return out
}

// description is what is known of very many files: of each file it takes little.
type description struct {
	schema *Schema
	rows   int64
}

// Schema is the file's schema, from the cache or else from the footer. It sets the file's Rows. It
// recovers panics: in a goroutine of its own a panic would end the program.
func (s *Footers) Schema(ctx context.Context, f *File) (out *Schema, err error) {
	defer errs.Recover(&err)
	if known := s.KnownSchema(f); known != nil {
		return known, nil
	}
	own, err := s.read(ctx, f, f.entry())
	if err != nil {
		return nil, err
	}
	f.Rows = own.rows()
	return own.schema, nil
}

// KnownSchema is Schema if the cache has it, else nil.
func (s *Footers) KnownSchema(f *File) *Schema {
	known, ok := cached[description](s.cache.schema, metaKey{fileKey: s.fileKey(f, f.entry())})
	if !ok {
		return nil
	}
	f.Rows = known.rows
	return known.schema
}

// rows is the number of rows of all row groups.
func (f *footer) rows() (n int64) {
	for _, g := range f.file.RowGroups() {
		n += g.NumRows
	}
	return n
}

// Parts are the files that a summary file names, none of any other file.
func (s *Footers) Parts(ctx context.Context, f *File) ([]fileformat.Part, error) {
	own, err := s.read(ctx, f, f.entry())
	if err != nil {
		return nil, err
	}
	return own.file.Parts()
}

// read gets the footer from the cache or the file, which is the entry e.
func (s *Footers) read(ctx context.Context, f *File, e storage.Entry) (*footer, error) {
	if known := s.known(metaKey{fileKey: s.fileKey(f, e)}, cached); known != nil {
		return known, nil
	}
	h := f.Store.Open(e)
	defer h.Close()
	return s.footer(ctx, f, e, h)
}

func (s *Footers) fileKey(f *File, e storage.Entry) fileKey {
	key := fileKey{root: f.Root, path: e.Name, size: e.Size, modTime: e.Time.UnixNano(), version: e.Version, groups: f.VariantGroups}
	if e.Time.IsZero() && key.version == "" {
		key.within = s
	}
	return key
}

// footer gets the footer from the cache or the file that is open as the entry e.
func (s *Footers) footer(ctx context.Context, f *File, e storage.Entry, h storage.File) (*footer, error) {
	key := metaKey{fileKey: s.fileKey(f, e)}
	if known := s.known(key, cached); known != nil {
		return known, nil
	}
	raw, isKept, err := s.raw(ctx, key, f, e, h)
	if err == nil && isKept {
		err = f.readError(h.Unchanged(ctx))
	}
	if err != nil {
		return nil, err
	}
	file, err := raw.Open(ctx, f.formatOptions(e))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // after a long footer
		return nil, err
	}
	if known, ok := cached[description](s.cache.schema, key); ok && isKept {
		out := &footer{file, known.schema}
		s.keep(key, out)
		return out, nil
	}
	columns, err := nested.Columns(file.Schema, f.NestedOptions())
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", f.Path, err)
	}
	parts, err := file.Parts()
	if err != nil {
		return nil, err
	}
	own, bytes := s.cache.schemas.share(&Schema{fields: f.VariantGroups + fieldsOf(file), Columns: columns, Summary: len(parts) > 0, Encrypted: file.Encrypted()})
	out := &footer{file, own}
	if !file.FooterKeyMissing() || !s.cache.options.KeysMayCome {
		s.keep(key, out)
	}
	if !isKept && s.cache.raw != nil && !file.Encrypted() {
		s.cache.raw.put(key, raw, int64(raw.Len()))
	}
	s.cache.schema.put(key, description{own, out.rows()}, bytes)
	return out, nil
}

// raw is the footer as it is in the file, from the cache or the open file.
func (s *Footers) raw(ctx context.Context, key metaKey, f *File, e storage.Entry, h storage.File) (out fileformat.Footer, isKept bool, err error) {
	if s.cache.raw != nil {
		if known, ok := cached[fileformat.Footer](s.cache.raw, key); ok {
			return known, true, nil
		}
	}
	out, err = fileformat.ReadFooter(countingReader{ctx, f, h}, e.Size, f.formatOptions(e))
	return out, false, err
}

// known is a footer that was read, or nil: look is cached or present.
func (s *Footers) known(key metaKey, look func(*metaCache, metaKey) (*footer, bool)) *footer {
	if known, ok := look(s.cache.meta, key); ok {
		return known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.large.key == key {
		return s.large.footer
	}
	return nil
}

func (s *Footers) keep(key metaKey, f *footer) {
	bytes := f.bytes()
	s.cache.meta.put(key, f, bytes)
	if bytes < largeBytes || s.cache.meta.holds(bytes) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.large = largeFooter{key, f}
}

func (f *File) formatOptions(e storage.Entry) fileformat.Options {
	c := &f.footers.cache.options
	o := fileformat.Options{Name: f.Path, VerifyChecksums: c.VerifyChecksums, Memory: c.FooterMemory, Tail: cmp.Or(e.Tail, f.Store.Cost().Tail(e.Size))}
	if keys := c.Keys; keys != nil {
		o.Keys = keys(f)
	}
	return o
}

// countingReader counts the bytes of a footer that are read until a context ends.
type countingReader struct {
	ctx  context.Context
	file *File
	h    storage.File
}

// ReadAt implements io.ReaderAt.
func (c countingReader) ReadAt(p []byte, off int64) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.h.ReadAt(c.ctx, p, off)
	c.file.footerRead.Add(int64(n))
	return n, c.file.readError(err)
}

package catalog

import (
	"context"

	"github.com/parquetsql/parquetsql/fileformat"
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
	schema *schema
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

// fileKey identifies a file as it was read: a changed file has another key. If the
// file system has no modification times, a change may go unseen; the key is then
// valid only within one snapshot.
type fileKey struct {
	path     string
	size     int64
	modTime  int64 // nanoseconds
	version  string
	snapshot *Snapshot
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

// Metadata returns the file's footer, which is read anew only if the cache does not
// have it. The file may have changed since the snapshot: it is for estimates.
func (f *File) Metadata(ctx context.Context) (*fileformat.File, error) {
	if f.err != nil {
		return nil, f.err
	}
	if f.part != nil {
		return f.part, nil
	}
	own, err := f.snapshot.readFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	return own.file, nil
}

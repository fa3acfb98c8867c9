package catalog

import (
	"io"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/fileformat"
)

// What a parsed footer holds, measured over the 550 files of testdata and generated
// wide ones (TestFooterBytes): a fixed part, a part for each node of the schema and
// for each column chunk, and a multiple of the bytes in the file, which are mostly
// names, bounds and key-value pairs.
const (
	footerFixed  = 2 << 10
	nodeBytes    = 360
	chunkBytes   = 330
	footerFactor = 3
)

// footer is what a file's metadata was read into.
type footer struct {
	file   *fileformat.File
	schema *schema
}

// bytes is what the footer holds, or a little more.
func (f *footer) bytes() int64 {
	n := int64(footerFixed + footerFactor*f.file.FooterSize() + nodeBytes*nodes(f.file.Schema.Root))
	for _, g := range f.file.RowGroups() {
		n += int64(chunkBytes * (1 + len(g.Columns)))
	}
	return n
}

// nodes is how many nodes a schema has from one on.
func nodes(n *fileformat.Node) int {
	sum := 1
	for _, c := range n.Children {
		sum += nodes(c)
	}
	return sum
}

// fileKey tells whether a file is still the one that was read. A file system
// that knows no modification times gives no such certainty: then what was read
// is only good within one snapshot.
type fileKey struct {
	path     string
	size     int64
	modTime  int64 // nanoseconds
	snapshot *Snapshot
}

// countingReader counts the bytes that are read.
type countingReader struct {
	io.ReaderAt
	bytes *atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (c countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.bytes.Add(int64(n))
	return n, err
}

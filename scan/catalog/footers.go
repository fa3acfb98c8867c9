package catalog

import (
	"io"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/fileformat"
)

const (
	// footerFactor is about how much larger a footer is in memory than in the file.
	footerFactor = 6
	footerFixed  = 4 << 10
)

// footer is what a file's metadata was read into.
type footer struct {
	file   *fileformat.File
	schema *schema
}

func (f *footer) bytes() int64 { return int64(f.file.FooterSize())*footerFactor + footerFixed }

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

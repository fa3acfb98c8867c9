package reader

import (
	"context"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/scan/files"
)

// meteredFile counts the bytes that are read.
type meteredFile struct {
	ctx   context.Context // of the scan: reads end with it
	open  *files.OpenFile
	bytes *atomic.Int64
	read  atomic.Bool // something was
}

// ReadAt implements io.ReaderAt.
func (m *meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.open.ReadAt(m.ctx, p, off)
	m.bytes.Add(int64(n))
	m.read.Store(true)
	return n, err
}

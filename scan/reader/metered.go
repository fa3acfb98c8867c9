package reader

import (
	"context"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/scan/catalog"
)

// meteredFile counts the bytes that are read, and checks after each read whether the
// file was replaced, so that bytes of the old and the new file are not mixed.
type meteredFile struct {
	ctx   context.Context // of the scan: reads end with it
	open  *catalog.OpenFile
	bytes *atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (m *meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.open.ReadUntil(m.ctx, p, off)
	m.bytes.Add(int64(n))
	if changed := m.open.Unchanged(); changed != nil {
		return 0, changed
	}
	return n, err
}

package files

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"

	"github.com/parquetsql/parquetsql/storage"
)

// ReadBeside reads the file whose name is that of f between prefix and suffix, in the
// folder of f. It has at most limit bytes.
func (f *File) ReadBeside(ctx context.Context, prefix, suffix string, limit int) ([]byte, error) {
	folder, base := path.Split(f.Entry.Name)
	name := folder + prefix + base + suffix
	e, err := f.Store.Stat(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case e.Folder:
		return nil, storage.ErrNotRegular
	case e.Err != nil:
		return nil, e.Err
	}
	if e.Size > int64(limit) {
		return nil, fmt.Errorf("the file %q has more than %d bytes", name, limit)
	}
	h := f.Store.Open(e)
	defer h.Close()
	out := make([]byte, e.Size)
	if n, err := h.ReadAt(ctx, out, 0); n < len(out) {
		return nil, cmp.Or(err, io.ErrUnexpectedEOF)
	}
	return out, nil
}

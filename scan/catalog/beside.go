package catalog

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
)

// ReadBeside reads the file whose name is that of f between prefix and suffix, in the
// folder of f. It has at most limit bytes.
func (f *File) ReadBeside(ctx context.Context, prefix, suffix string, limit int) ([]byte, error) {
	folder, base := path.Split(f.entry.Name)
	name := folder + prefix + base + suffix
	store := f.snapshot.location.store
	e, err := regular(store.Stat(ctx, name))
	if err != nil {
		return nil, err
	}
	if e.Size > int64(limit) {
		return nil, fmt.Errorf("the file %q has more than %d bytes", name, limit)
	}
	h := store.Open(e)
	defer h.Close()
	out := make([]byte, e.Size)
	if n, err := h.ReadAt(ctx, out, 0); n < len(out) {
		return nil, cmp.Or(err, io.ErrUnexpectedEOF)
	}
	return out, nil
}

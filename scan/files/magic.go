package files

import (
	"context"
	"io"
)

// magicBytes is the length of what a Parquet file begins with: PAR1, or PARE where its footer
// is encrypted. It ends with the same, behind the four bytes of the footer's length.
const magicBytes = 4

// HasMagic reports whether a file begins as a Parquet file does. The answer is kept until the
// file changes.
func (s *Footers) HasMagic(ctx context.Context, f *File) (bool, error) {
	if f.Entry.Size < magicBytes+4+magicBytes {
		return false, nil
	}
	key := metaKey{fileKey: s.fileKey(f, f.Entry), kind: magics}
	if known, ok := cached[bool](s.cache.schema, key); ok {
		return known, nil
	}
	h := f.Store.Open(f.Entry)
	defer h.Close()
	b := make([]byte, magicBytes)
	if n, err := h.ReadAt(ctx, b, 0); n < len(b) {
		if err == nil || err == io.EOF {
			return false, nil // it has become shorter
		}
		return false, err
	}
	ok := string(b) == "PAR1" || string(b) == "PARE"
	s.cache.schema.put(key, ok, 0)
	return ok, nil
}

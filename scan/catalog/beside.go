package catalog

import (
	"fmt"
	"io"
	"path"
)

// ReadBeside reads the file whose name is that of f between prefix and suffix, in the
// folder of f. It has at most limit bytes.
func (f *File) ReadBeside(prefix, suffix string, limit int) ([]byte, error) {
	folder, base := path.Split(f.name)
	name := folder + prefix + base + suffix
	h, err := f.snapshot.location.fsys.open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	out, err := io.ReadAll(io.NewSectionReader(h, 0, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(out) > limit {
		return nil, fmt.Errorf("the file %q has more than %d bytes", name, limit)
	}
	return out, nil
}

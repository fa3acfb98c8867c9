package mutant

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Seed is an undamaged file.
type Seed struct {
	Name string
	Data []byte
}

// Corpus is the files of at most limit bytes below a folder, without those that are damaged
// already.
func Corpus(dir string, limit int64) ([]Seed, error) {
	var out []Seed
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "corrupt":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".parquet"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && int64(len(data)) <= limit {
			out = append(out, Seed{path, data})
		}
		return err
	})
	return out, err
}

package mutant

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Seed is an undamaged file.
type Seed struct {
	Name string
	Data []byte
	Keys *Keys // of an encrypted file
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
			out = append(out, Seed{Name: path, Data: data})
		}
		return err
	})
	return out, err
}

// Encrypted is the encrypted files below the folder files of dir whose keys are known from
// their answers in the folder expected.
func Encrypted(dir string) ([]Seed, error) {
	var out []Seed
	err := filepath.WalkDir(filepath.Join(dir, "files"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".encrypted") {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		var answer struct{ Config *Keys }
		text, err := os.ReadFile(filepath.Join(dir, "expected", name+".json"))
		if err != nil {
			return nil
		}
		if err := json.Unmarshal(text, &answer); err != nil || answer.Config == nil {
			return err
		}
		data, err := os.ReadFile(path)
		out = append(out, Seed{path, data, answer.Config})
		return err
	})
	return out, err
}

package nested

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

// lengths are the lengths of a column's rows: 0 of a STRUCT, -1 of NULL. Rows are skipped at
// random unless r is nil; their lengths are left at -2.
func lengths(g *fileformat.RowGroup, data []byte, c Column, fields []vector.Path, r *rand.Rand) ([]int, error) {
	reader, err := NewReader(c, fields, Options{}, func(leaf int, levels bool) (*column.Reader, error) {
		return column.NewReader(g.Columns[leaf], column.Options{Source: bytes.NewReader(data), Levels: levels})
	})
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	out := make([]int, g.NumRows)
	for i := range out {
		out[i] = -2
	}
	var v vector.Vector
	for {
		batch := vector.BatchSize
		if r != nil {
			batch = 1 + r.IntN(100)
			if err := reader.Skip(min(r.Int64N(50), g.NumRows-reader.Row())); err != nil {
				return nil, err
			}
		}
		from := int(reader.Row())
		n, err := reader.Read(batch, &v)
		if n == 0 || err != nil {
			return out, err
		}
		for i := range n {
			switch {
			case v.IsNull(i):
				out[from+i] = -1
			case v.Type.HasElements():
				out[from+i] = int(v.Offsets[i+1] - v.Offsets[i])
			default:
				out[from+i] = 0
			}
		}
	}
}

// TestOnlyLevels compares lengths and NULLs that are read without values with those of whole
// values, of all columns of the test files that are not scalars.
func TestOnlyLevels(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	compared := 0
	err := filepath.WalkDir(filepath.Join(testdata, "files"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".parquet") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: path, VerifyChecksums: true})
		if err != nil {
			return nil // damaged on purpose
		}
		columns, err := Columns(f.Schema, Options{})
		if err != nil {
			return nil
		}
		for _, c := range columns {
			if !c.Type.HasElements() && c.Type.Kind != vector.Struct {
				continue
			}
			for _, g := range f.RowGroups() {
				want, err := lengths(g, data, c, nil, nil)
				if err != nil || g.NumRows > 100_000 {
					continue
				}
				for _, random := range []*rand.Rand{nil, r, r} {
					got, err := lengths(g, data, c, []vector.Path{}, random)
					if err != nil {
						t.Fatalf("seed %d, %s, column %s: %v", seed, path, c.Name, err)
					}
					for row, n := range got {
						if n != -2 && n != want[row] {
							t.Fatalf("seed %d, %s, column %s, row %d: length %d, want %d", seed, path, c.Name, row, n, want[row])
						}
					}
				}
				compared++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if compared < 100 {
		t.Errorf("%d columns were compared", compared)
	}
}

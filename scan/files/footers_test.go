package files

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/scantest"
)

// TestFooterBytes: the cache never counts fewer bytes for a footer than the parsed
// footer takes. The files come from many writers; others are wide tables with few and
// many row groups.
func TestFooterBytes(t *testing.T) {
	files := map[string][]byte{}
	root := filepath.Join("..", "..", "testdata")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".parquet" {
			return err
		}
		if seen++; testing.Short() && seen%8 != 0 {
			return nil
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1, 10, 1000} {
		var fields []scantest.Field
		for i := range width {
			fields = append(fields, scantest.Int64(fmt.Sprintf("c%d", i)))
		}
		for _, groups := range []int{0, 1, 40} {
			files[fmt.Sprintf("%d columns, %d row groups", width, groups)] = scantest.File(fields, make([]string, groups)...)
		}
	}
	worst, measured := 0.0, 0
	for name, data := range files {
		held, counted, err := footerBytes(data)
		if err != nil {
			continue // a damaged file
		}
		measured++
		worst = max(worst, float64(held)/float64(counted))
		if held > counted {
			t.Errorf("%s: the footer takes %d bytes, the cache counts %d", name, held, counted)
		}
	}
	if measured < 50 {
		t.Errorf("only %d footers were measured", measured)
	}
	t.Logf("%d footers; they take at most %.0f %% of the bytes counted", measured, 100*worst)
}

// footerBytes returns the heap bytes of a parsed footer, and the bytes that the cache counts for it.
func footerBytes(data []byte) (held, counted int64, err error) {
	const (
		copies = 16
		noise  = 16 << 10 // what the runtime keeps meanwhile, most of it with the race detector
	)
	footers := make([]*footer, copies)
	var before, after runtime.MemStats
	r := bytes.NewReader(data)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range footers {
		file, err := fileformat.Open(r, int64(len(data)), fileformat.Options{Name: "t/file.parquet"})
		if err != nil {
			return 0, 0, err
		}
		if i == 0 {
			if _, err := nested.Columns(file.Schema, nested.Options{}); err != nil {
				return 0, 0, err
			}
		}
		footers[i] = &footer{file: file}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held = (int64(after.HeapAlloc-before.HeapAlloc) - noise) / copies
	counted = footers[0].bytes()
	runtime.KeepAlive(footers)
	return held, counted, nil
}

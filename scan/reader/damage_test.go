package reader

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand"
	"os"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSalvage damages bytes anywhere in the pages of a file with checksums:
// with filters and pruning, all rows that are returned are right, and all missing rows
// were reported.
func TestSalvage(t *testing.T) {
	salvage(t, 1795305932712532966) // it damages num_values in a page header
	salvage(t, time.Now().UnixNano())
}

func salvage(t *testing.T, seed int64) {
	t.Helper()
	const name = "datapage_v1-snappy-compressed-checksum.parquet"
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	whole := openTable(t, copyOf(t, name, func([]byte) {}))
	columns := []scan.Projection{{Column: 0}, {Column: 1}, {Column: columnNamed(whole, "_row")}}
	want, _, err := readRows(whole, scan.Request{Limit: -1, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		at := 0
		path := copyOf(t, name, func(data []byte) {
			footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
			at = 4 + rng.Intn(footer-4)
			data[at] ^= 1 << rng.Intn(8)
		})
		table := openTable(t, path)
		told := 0
		r := scan.Request{Limit: -1, Columns: columns, Options: scan.Options{OnCorruptSkip: true, Pruning: scan.AllPruners, OnSkip: func(*errs.CorruptError) { told++ }}}
		if rng.Intn(2) == 0 {
			e := expr.NewColumn(1, "", table.Columns[1].Type)
			r.Filter = []expr.Expr{compare(t, expr.OpGe, e, vector.IntScalar(0))}
		}
		expected, _, err := readRows(whole, r)
		if err != nil {
			t.Fatal(err)
		}
		got, c, err := readRows(table, r)
		if errors.Is(err, errs.ErrUnsupported) { // an encoding that does not exist
			continue
		}
		if err != nil || int(c.PagesSkippedCorrupt) != told || (len(got) < len(expected)) != (told > 0) && len(r.Filter) == 0 {
			t.Fatalf("seed %d, byte %d: %v, told %d times, %+v, %d of %d rows", seed, at, err, told, c, len(got), len(expected))
		}
		for number, text := range got {
			if want[number] != text || expected[number] != text {
				t.Fatalf("seed %d, byte %d: row %d is %q, want %q", seed, at, number, text, want[number])
			}
		}
	}
}

// TestReplacedFile: a file that changes under a scan is an error.
func TestReplacedFile(t *testing.T) {
	path := copyOf(t, "alltypes_tiny_pages.parquet", func([]byte) {})
	table := openTable(t, path)
	s, err := New(context.Background(), table, scan.Request{Limit: -1, Columns: []scan.Projection{{Column: 0}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	r := s.NewReader()
	defer r.Close()
	b, err := r.Next(context.Background())
	for b != nil && err == nil {
		b, err = r.Next(context.Background())
	}
	if err == nil {
		t.Fatal("no error")
	}
}

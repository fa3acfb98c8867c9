package enginetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestMutants breaks files at random and reads them: there may be rows or an
// error, but no panic, no hang and no memory out of proportion.
func TestMutants(t *testing.T) {
	corpus := smallFiles(t, 64<<10)
	mutants := 20_000
	if testing.Short() {
		mutants = 1_000
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d mutants of %d files, seed %d", mutants, len(corpus), seed)
	r := rand.New(rand.NewPCG(seed, 3))
	answers, failures := 0, 0
	for range mutants {
		original := corpus[r.IntN(len(corpus))]
		mutant := mutate(r, original.data)
		err := readMutant(t, mutant)
		var bug *errs.PanicError
		if errors.As(err, &bug) || errors.Is(err, context.DeadlineExceeded) {
			name := filepath.Join(os.TempDir(), "mutant.parquet")
			_ = os.WriteFile(name, mutant, 0o644)
			t.Fatalf("%s, kept as %s: %v", original.name, name, err)
		}
		if err == nil {
			answers++
		} else {
			failures++
		}
	}
	if answers == 0 || failures == 0 {
		t.Errorf("%d answers and %d errors: the mutations are too mild or too strong to test anything", answers, failures)
	}
}

type corpusFile struct {
	name string
	data []byte
}

func smallFiles(t testing.TB, limit int64) []corpusFile {
	var out []corpusFile
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "corrupt" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".parquet") {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() > limit {
			return err
		}
		data, err := os.ReadFile(path)
		out = append(out, corpusFile{path, data})
		return err
	})
	if err != nil || len(out) < 100 {
		t.Fatalf("only %d files, %v", len(out), err)
	}
	return out
}

// mutate changes a few bytes, or cuts, repeats or overwrites a piece, mostly near the
// end of the file, where the footer is.
func mutate(r *rand.Rand, original []byte) []byte {
	data := bytes.Clone(original)
	for range 1 + r.IntN(3) {
		if len(data) < 16 {
			return data
		}
		at := r.IntN(len(data))
		if r.IntN(2) == 0 {
			at = len(data) - 1 - r.IntN(min(len(data), 2000))
		}
		switch r.IntN(6) {
		case 0:
			data[at] ^= 1 << r.IntN(8)
		case 1:
			data[at] = byte(r.Uint32())
		case 2:
			data = data[:at]
		case 3: // a piece in the middle is missing
			n := min(1+r.IntN(64), len(data)-at)
			data = append(data[:at:at], data[at+n:]...)
		case 4: // a piece is repeated
			n := min(1+r.IntN(64), len(data)-at)
			data = append(data[:at+n:at+n], data[at:]...)
		case 5: // an extreme varint or length
			copy(data[at:], [][]byte{{0xff, 0xff, 0xff, 0xff, 0x0f}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}}[r.IntN(4)])
		}
	}
	return data
}

// readMutant selects everything, within 1 GiB of allocations.
func readMutant(t *testing.T, data []byte) error {
	connector, err := parquetsql.NewConnector(&parquetsql.Config{
		FS: fstest.MapFS{"m.parquet": {Data: data}}, Path: "m.parquet", VerifyChecksums: len(data)%2 == 0, Parallelism: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	defer cancel()
	before := leaktest.Allocated()
	err = drainQuery(ctx, db, "SELECT * FROM m LIMIT 100000")
	if used := leaktest.Allocated() - before; used > 1<<30 {
		name := filepath.Join(os.TempDir(), "mutant.parquet")
		_ = os.WriteFile(name, data, 0o644)
		t.Fatalf("%d bytes allocated for a file of %d, kept as %s", used, len(data), name)
	}
	return err
}

func drainQuery(ctx context.Context, db *sql.DB, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row := make([]any, len(names))
	for i := range row {
		row[i] = new(sql.RawBytes)
	}
	for rows.Next() {
		if err := rows.Scan(row...); err != nil {
			return err
		}
	}
	return rows.Err()
}

package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/mutant"
)

// TestMutants breaks files at random, half of them behind checksums that are right, and
// reads them: there may be rows or an error, but no panic, no hang and no memory out of
// proportion.
func TestMutants(t *testing.T) {
	corpus := smallFiles(t, 64<<10)
	mutants := 10_000
	if testing.Short() {
		mutants = 1_000
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d mutants of %d files, seed %d", mutants, len(corpus), seed)
	r := rand.New(rand.NewPCG(seed, 3))
	answers, failures := 0, 0
	for range mutants {
		original := corpus[r.IntN(len(corpus))]
		data, _ := mutant.File(r, original.data)
		err := readMutant(t, data)
		var bug *errs.PanicError
		if errors.As(err, &bug) || errors.Is(err, context.DeadlineExceeded) {
			name := filepath.Join(os.TempDir(), "mutant.parquet")
			_ = os.WriteFile(name, data, 0o644)
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
	files, err := mutant.Corpus("testdata", limit)
	if err != nil || len(files) < 100 {
		t.Fatalf("only %d files, %v", len(files), err)
	}
	out := make([]corpusFile, len(files))
	for i, f := range files {
		out[i] = corpusFile{f.Name, f.Data}
	}
	return out
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

package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/mutant"
)

// logTable is a Delta table in memory.
type logTable struct {
	name  string
	files fstest.MapFS
	log   []string // what may be damaged: files of the log and deletion vectors
	rows  int
}

// TestDeltaMutants breaks files of logs and deletion vectors at random. There may be rows or an
// error, but no panic, no hang and no memory out of proportion. A deletion vector has a checksum:
// there are the right rows or an error.
func TestDeltaMutants(t *testing.T) {
	mutants := 2000
	if testing.Short() {
		mutants = 400
	}
	breakTables(t, logTables(t), mutants, 4, ".bin", func(files fstest.MapFS) (int, error) { return readLogMutant(t, files) })
}

// breakTables reads so many tables with a damaged file each. Files whose names end with checked
// have a checksum: with one of them there are the right rows or an error.
func breakTables(t *testing.T, corpus []logTable, mutants int, stream uint64, checked string, read func(fstest.MapFS) (int, error)) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d mutants of %d tables, seed %d", mutants, len(corpus), seed)
	r := rand.New(rand.NewPCG(seed, stream))
	answers, failures := 0, 0
	for range mutants {
		table := corpus[r.IntN(len(corpus))]
		name := table.log[r.IntN(len(table.log))]
		files := maps.Clone(table.files)
		files[name] = &fstest.MapFile{Data: damaged(r, name, files[name].Data)}
		rows, err := read(files)
		var bug *errs.PanicError
		switch {
		case errors.As(err, &bug) || errors.Is(err, context.DeadlineExceeded):
			t.Fatalf("seed %d, %s of %s: %v", seed, name, table.name, err)
		case err != nil:
			failures++
		default:
			answers++
			if strings.HasSuffix(name, checked) && rows != table.rows {
				t.Errorf("seed %d, %s of %s: %d rows, want %d", seed, name, table.name, rows, table.rows)
			}
		}
	}
	if answers == 0 || failures == 0 {
		t.Errorf("%d answers and %d errors: the mutations are too mild or too strong to test anything", answers, failures)
	}
}

// logTables are the small tables of the corpus that can be read.
func logTables(t *testing.T) (out []logTable) {
	for _, dir := range deltaTables(t) {
		table := logTable{name: dir, files: fstest.MapFS{}}
		size := 0
		err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, p))
			size += len(data)
			table.files["t/"+p] = &fstest.MapFile{Data: data}
			if strings.HasPrefix(p, "_delta_log/") && !strings.HasSuffix(p, ".crc") || strings.HasSuffix(p, ".bin") {
				table.log = append(table.log, "t/"+p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(table.log)
		if table.rows, err = readLogMutant(t, table.files); err == nil && size < 200<<10 {
			out = append(out, table)
		}
	}
	if len(out) < 50 {
		t.Fatalf("only %d tables", len(out))
	}
	return out
}

// damaged is a damaged copy of a file: of Parquet by its structure, of others by bytes.
func damaged(r *rand.Rand, name string, data []byte) []byte {
	if strings.HasSuffix(name, ".parquet") && r.IntN(4) > 0 {
		out, _ := mutant.File(r, data)
		return out
	}
	out := slices.Clone(data)
	if len(out) == 0 {
		return []byte{byte(r.IntN(256))}
	}
	for range 1 + r.IntN(3) {
		at := r.IntN(len(out))
		switch r.IntN(5) {
		case 0:
			out = out[:at+1]
		case 1:
			end := min(len(out), at+r.IntN(200))
			out = append(out[:at:at], out[end:]...)
			if len(out) == 0 {
				return out
			}
		case 2:
			end := min(len(out), at+r.IntN(200))
			out = slices.Concat(out[:end], out[at:])
		case 3:
			words := []string{`"`, "{", "}", "null", "-1", "99999999999999999999", "1e300", `"\u0000"`, "[[[[", `{"type":`, "\\"}
			out = slices.Concat(out[:at], []byte(words[r.IntN(len(words))]), out[at:])
		default:
			out[at] ^= 1 << r.IntN(8)
		}
	}
	return out
}

// readLogMutant selects everything, and is how many rows there are.
func readLogMutant(t *testing.T, files fstest.MapFS) (rows int, err error) {
	return readTableMutant(t, files, []string{"SELECT * FROM t", "SELECT COUNT(*) FROM t", "SELECT * FROM `t$files`", "SELECT * FROM `t$properties`", "SELECT * FROM `t$history`"})
}

// readTableMutant runs queries, within 1 GiB of allocations, until one fails, and is how many rows the first
// has.
func readTableMutant(t *testing.T, files fstest.MapFS, queries []string) (rows int, err error) {
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, Path: ".", VerifyChecksums: true, Parallelism: 2, MemoryLimit: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	ctx, cancel := context.WithTimeout(t.Context(), watchdog)
	defer cancel()
	before := leaktest.Allocated()
	rows, err = logRows(ctx, db, queries[0])
	for _, query := range queries[1:] {
		if err == nil {
			_, err = logRows(ctx, db, query)
		}
	}
	if used := leaktest.Allocated() - before; used > 1<<30 {
		t.Fatalf("%d bytes allocated", used)
	}
	return rows, err
}

func logRows(ctx context.Context, db *sql.DB, query string) (n int, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

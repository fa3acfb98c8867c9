package scan

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// foreignFiles are the files of several writers: those of testdata and, where
// it is there, of a copy of apache/parquet-testing beside the repository.
func foreignFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{filepath.Join("..", "testdata"), filepath.Join("..", "..", "shared", "parquet-testing", "data")} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".parquet") && !strings.Contains(path, "corrupt") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// openTable is the table of one file; nil, and the reason is logged, where the
// file cannot be read.
func openTable(t *testing.T, path string) *Table {
	t.Helper()
	c, err := NewCatalog(Config{Path: path, VerifyChecksums: true})
	if err == nil {
		var s *Snapshot
		if s, err = c.Snapshot(context.Background()); err == nil {
			var table *Table
			if table, err = s.Table(context.Background(), s.TableNames()[0]); err == nil {
				return table
			}
		}
	}
	t.Logf("%s: %v", path, err)
	return nil
}

// row is one row as text, by column, under its number.
type rowText map[int64]string

// readRows runs a scan with some readers and returns the rows by their number.
func readRows(table *Table, r Request) (rowText, Counters, error) {
	s, err := table.Scan(context.Background(), r)
	if err != nil {
		return nil, Counters{}, err
	}
	defer s.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	rows, first := rowText{}, error(nil)
	for range max(1, r.Parallelism) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			reader := s.NewReader()
			defer reader.Close()
			for {
				b, err := reader.Next(context.Background())
				mu.Lock()
				if err != nil && first == nil {
					first = err
				}
				if err == nil && b != nil {
					err = addRows(rows, b)
				}
				mu.Unlock()
				if err != nil || b == nil {
					return
				}
			}
		}()
	}
	wg.Wait()
	return rows, s.Counters(), first
}

// addRows renders a batch whose last column is _row.
func addRows(rows rowText, b *vector.Batch) error {
	var line []byte
	for i := range b.Rows() {
		row := b.Row(i)
		line = line[:0]
		for _, c := range b.Cols[:len(b.Cols)-1] {
			line = append(nested.AppendJSON(line, c, row), ' ')
		}
		number := b.Cols[len(b.Cols)-1].Get(row).I64
		if _, twice := rows[number]; twice {
			return fmt.Errorf("row %d twice", number)
		}
		rows[number] = string(line)
	}
	return nil
}

func columnNamed(t *Table, name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// sample are some values of every column that is not nested.
func sample(table *Table) (map[int][]vector.Scalar, error) {
	r := Request{Limit: -1}
	var columns []int
	for i, c := range table.Columns {
		if !c.Type.IsNested() && c.Type.Kind != vector.Variant {
			r.Columns = append(r.Columns, Projection{Column: i})
			columns = append(columns, i)
		}
	}
	s, err := table.Scan(context.Background(), r)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	reader := s.NewReader()
	defer reader.Close()
	out := map[int][]vector.Scalar{}
	for {
		b, err := reader.Next(context.Background())
		if b == nil || err != nil {
			return out, err
		}
		for i := 0; i < b.Rows(); i += 1 + b.Rows()/8 {
			for k, c := range columns {
				if x := b.Cols[k].Get(b.Row(i)); !x.Null && len(out[c]) < 200 {
					x.Str = strings.Clone(x.Str)
					out[c] = append(out[c], x)
				}
			}
		}
	}
}

// randomConjunct is a condition on a column with values near those that it has.
func randomConjunct(rng *rand.Rand, table *Table, values map[int][]vector.Scalar) (expr.Expr, error) {
	at := rng.Intn(len(table.Columns))
	c := table.Columns[at]
	var e expr.Expr = expr.NewColumn(at, c.Name, c.Type)
	if len(values[at]) == 0 || rng.Intn(12) == 0 {
		return expr.NewIsNull(e, rng.Intn(2) == 0), nil
	}
	pick := func() expr.Expr {
		s := values[at][rng.Intn(len(values[at]))]
		switch s.Type.Storage() { // sometimes a value that is not there
		case vector.StoreInt64:
			s.I64 += int64(rng.Intn(3)-1) * int64(rng.Intn(2))
		case vector.StoreString:
			if rng.Intn(4) == 0 && c.Type.IsText() && len(s.Str) > 0 {
				s.Str = s.Str[:rng.Intn(len(s.Str))]
			}
		}
		return expr.NewConst(s)
	}
	switch rng.Intn(8) {
	case 0:
		return expr.NewIn(e, []expr.Expr{pick(), pick(), pick()}, rng.Intn(4) == 0)
	case 1, 2:
		return expr.NewBetween(e, pick(), pick(), rng.Intn(4) == 0)
	case 3:
		if c.Type.IsText() {
			return expr.NewLike(e, expr.NewConst(vector.StringScalar(values[at][0].Str+"%")), nil, false, rng.Intn(3) == 0)
		}
	case 4:
		return expr.NewDistinctFrom(e, pick(), rng.Intn(2) == 0)
	}
	return expr.NewCompare(expr.OpEq+expr.Op(rng.Intn(6)), e, pick())
}

func randomFilter(rng *rand.Rand, table *Table, values map[int][]vector.Scalar) []expr.Expr {
	var out []expr.Expr
	for range 1 + rng.Intn(3) {
		e, err := randomConjunct(rng, table, values)
		if err == nil && rng.Intn(4) == 0 {
			var other expr.Expr
			if other, err = randomConjunct(rng, table, values); err == nil {
				e, err = expr.NewOr(e, other)
			}
		}
		if err == nil {
			out = append(out, e)
		}
	}
	return out
}

// TestPruningOracle: the same rows with pruning off, with all of it, and with
// each level alone, for random filters over files of several writers.
func TestPruningOracle(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	cases := 8
	if n, err := strconv.Atoi(os.Getenv("PRUNING_CASES")); err == nil {
		cases = n // a file, for a long run
	}
	var total Counters
	files := 0
	for _, path := range foreignFiles(t) {
		table := openTable(t, path)
		if table == nil {
			continue
		}
		values, err := sample(table)
		if err != nil {
			t.Logf("%s: %v", path, err)
			continue
		}
		files++
		for range cases {
			filter := randomFilter(rng, table, values)
			if c := comparePruning(t, rng, path, table, filter); t.Failed() {
				t.Fatalf("seed %d", seed)
			} else {
				total.RowGroupsPrunedStatistics += c.RowGroupsPrunedStatistics
				total.RowGroupsPrunedBloom += c.RowGroupsPrunedBloom
				total.RowGroupsPrunedDictionary += c.RowGroupsPrunedDictionary
				total.PagesPruned += c.PagesPruned
			}
		}
	}
	t.Logf("%d files: %+v", files, total)
	if files > 0 && (total.RowGroupsPrunedStatistics == 0 || total.PagesPruned == 0) {
		t.Error("nothing was pruned")
	}
}

func comparePruning(t *testing.T, rng *rand.Rand, path string, table *Table, filter []expr.Expr) (out Counters) {
	t.Helper()
	r := Request{Limit: -1, Filter: filter}
	for range rng.Intn(4) {
		r.Columns = append(r.Columns, Projection{Column: rng.Intn(len(table.Columns))})
	}
	r.Columns = append(r.Columns, Projection{Column: columnNamed(table, "_row")})
	want, _, err := readRows(table, r)
	if err != nil {
		t.Logf("%s: %v", path, err)
		return out
	}
	r.Pruning = true
	levels := []pruneLevel{0, allLevels &^ levelStatistics, allLevels &^ levelBloom, allLevels &^ levelDictionary, allLevels &^ levelPages}
	for _, without := range levels {
		r.without, r.Parallelism, r.morselRows = without, 1+rng.Intn(3), int64(rng.Intn(2)*(1+rng.Intn(300)))
		got, counters, err := readRows(table, r)
		if without == 0 {
			out = counters
		}
		if err != nil {
			t.Errorf("%s, %v, without levels %b: %v", path, filter, without, err)
			return out
		}
		for row, text := range want {
			if got[row] != text {
				t.Errorf("%s, %v, without levels %b: row %d is %q, want %q", path, filter, without, row, got[row], text)
				return out
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s, %v, without levels %b: %d rows, want %d", path, filter, without, len(got), len(want))
		}
		if counters.PagesPruned > counters.PagesTotal || counters.RowsReturned != int64(len(got)) {
			t.Errorf("%s, %v: %+v", path, filter, counters)
		}
	}
	return out
}

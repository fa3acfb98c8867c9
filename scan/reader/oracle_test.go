package reader

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
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// foreignFiles are the files of several writers below testdata.
func foreignFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	root := filepath.Join("..", "..", "testdata")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if path == filepath.Join(root, "delta") { // tables with a log: internal/enginetest reads them
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".parquet") && !strings.Contains(path, "corrupt") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// openTable is the table of one file; nil, and the reason is logged, where the
// file cannot be read.
func openTable(t *testing.T, path string) *files.Set {
	t.Helper()
	c, err := catalog.New(catalog.Config{Path: path, VerifyChecksums: true})
	if err == nil {
		var s *catalog.Snapshot
		if s, err = c.Snapshot(context.Background()); err == nil {
			names, other := s.TableNames(context.Background())
			if other != nil {
				t.Fatal(other)
			}
			var table *files.Set
			if table, err = s.Table(context.Background(), names[0]); err == nil {
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
func readRows(table *files.Set, r scan.Request) (rowText, scan.Counters, error) {
	return readRowsWith(table, r, minMorselRows, nil)
}

// readRowsWith is readRows with a run-time probe that is set after the first
// batch, as a TopN's bound is, if at all, and row groups cut into morsels of so
// many rows.
func readRowsWith(table *files.Set, r scan.Request, morselRows int64, condition expr.Expr) (rowText, scan.Counters, error) {
	s, err := newScan(context.Background(), table, r, morselRows)
	if err != nil {
		return nil, scan.Counters{}, err
	}
	defer s.Close()
	slot := s.AddProbe(nil)
	var mu sync.Mutex
	var wg sync.WaitGroup
	rows, first := rowText{}, error(nil)
	for range max(1, r.Readers) {
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
				if condition != nil {
					s.SetBound(slot, condition)
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

// randomMorsel is how many rows a morsel has: as usual, or very few.
func randomMorsel(rng *rand.Rand) int64 {
	if rng.Intn(2) == 0 {
		return minMorselRows
	}
	return 1 + rng.Int63n(300)
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

func columnNamed(t *files.Set, name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// sample are some values of every column that is not nested.
func sample(table *files.Set) (map[int][]vector.Scalar, error) {
	r := scan.Request{Limit: -1}
	var columns []int
	for i, c := range table.Columns {
		if !c.Type.IsNested() && c.Type.Kind != vector.Variant {
			r.Columns = append(r.Columns, scan.Projection{Column: i})
			columns = append(columns, i)
		}
	}
	s, err := New(context.Background(), table, r)
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
func randomConjunct(rng *rand.Rand, table *files.Set, values map[int][]vector.Scalar) (expr.Expr, error) {
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

func randomFilter(rng *rand.Rand, table *files.Set, values map[int][]vector.Scalar) []expr.Expr {
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

// prunerSets are what the oracle compares with no pruning: all, each pruner
// alone, and all but each. Run-time probes and orders rule nothing out alone:
// they come with the evidence that they look at.
func prunerSets() []scan.Pruners {
	sets := []scan.Pruners{scan.AllPruners, scan.PruneOrder | scan.PruneStatistics, scan.PruneOrder | scan.PrunePages, scan.PruneRunTime | scan.PruneStatistics, scan.PruneRunTime | scan.PrunePages, scan.PruneRunTime | scan.PruneBloom}
	for p := scan.PrunePaths; p <= scan.PrunePages; p <<= 1 {
		sets = append(sets, p, scan.AllPruners&^p)
	}
	return append(sets, scan.AllPruners&^scan.PruneRunTime, scan.AllPruners&^scan.PruneOrder)
}

// oracleCase is a filter over a table, and what else makes a scan leave rows out.
type oracleCase struct {
	table   *files.Set
	request scan.Request
	probe   expr.Expr // as a run-time probe: rows where it is not TRUE may be left out; or nil
	must    rowText   // rows that have to come
	may     rowText   // rows that may
}

// TestPruningOracle: the same rows without pruning, with all of it, with each
// pruner alone and with all but each, for random filters over files of several
// writers. PRUNING_CASES is the number of filters per file.
func TestPruningOracle(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	cases := 5
	if n, err := strconv.Atoi(os.Getenv("PRUNING_CASES")); err == nil {
		cases = n
	}
	pruned := map[scan.Pruners]int64{} // what each pruner alone ruled out
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
		for range cases {
			c, err := newOracleCase(rng, table, values)
			if err != nil {
				t.Logf("%s: %v", path, err)
				continue
			}
			for _, set := range prunerSets() {
				counters, err := c.check(rng, set)
				if err != nil {
					t.Fatalf("seed %d: %s, %v, run time %v, pruners %b: %v", seed, path, c.request.Filter, c.probe, set, err)
				}
				pruned[set] += counters.FilesPruned + counters.RowGroupsPrunedStatistics + counters.RowGroupsPrunedBloom + counters.RowGroupsPrunedDictionary
				if set&scan.PrunePages != 0 {
					pruned[set] += counters.PagesPruned
				}
			}
		}
	}
	t.Logf("pruned, by set: %v", pruned)
	for _, alone := range []scan.Pruners{scan.PruneStatistics, scan.PrunePages} {
		if len(pruned) > 0 && pruned[alone] == 0 {
			t.Errorf("nothing was pruned by %b", alone)
		}
	}
}

func newOracleCase(rng *rand.Rand, table *files.Set, values map[int][]vector.Scalar) (*oracleCase, error) {
	c := &oracleCase{table: table, request: scan.Request{Limit: -1, Filter: randomFilter(rng, table, values)}}
	for range rng.Intn(4) {
		c.request.Columns = append(c.request.Columns, scan.Projection{Column: rng.Intn(len(table.Columns))})
	}
	with := c.request
	if rng.Intn(2) == 0 {
		probe, err := randomConjunct(rng, table, values)
		if err != nil {
			return nil, err
		}
		c.probe = probe
		for _, column := range expr.ColumnsOf(probe) { // else its statistics are not at hand
			c.request.Columns = append(c.request.Columns, scan.Projection{Column: column})
		}
		with.Filter = append(with.Filter[:len(with.Filter):len(with.Filter)], probe)
	}
	c.request.Columns = append(c.request.Columns, scan.Projection{Column: columnNamed(table, "_row")})
	with.Columns = c.request.Columns
	if rng.Intn(2) == 0 {
		c.request.First = &scan.RowOrder{Column: c.request.Columns[0].Column, Descending: rng.Intn(2) == 0}
	}
	var err error
	if c.may, _, err = readRows(table, c.request); err != nil {
		return nil, err
	}
	c.must, _, err = readRows(table, with)
	return c, err
}

// check reads with some pruners; the error says which row is wrong.
func (c *oracleCase) check(rng *rand.Rand, set scan.Pruners) (scan.Counters, error) {
	r := c.request
	r.Pruning, r.Readers = set, 1+rng.Intn(3)
	got, counters, err := readRowsWith(c.table, r, randomMorsel(rng), c.probe)
	if err != nil {
		return counters, err
	}
	for row, text := range got {
		if want, ok := c.may[row]; !ok || text != want {
			return counters, fmt.Errorf("row %d is %q, want %q", row, text, want)
		}
	}
	for row, text := range c.must {
		if _, ok := got[row]; !ok {
			return counters, fmt.Errorf("row %d, %q, is missing", row, text)
		}
	}
	if c.probe == nil && len(got) != len(c.may) || counters.PagesPruned > counters.PagesTotal || counters.RowsReturned != int64(len(got)) {
		return counters, fmt.Errorf("%d rows of %d, %+v", len(got), len(c.may), counters)
	}
	return counters, nil
}

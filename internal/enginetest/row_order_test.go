package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRowOrder reads a table of many files with many workers: without ORDER BY the rows
// come in the order of the files and of the rows in each, and those of a UNION ALL in
// the order of its inputs.
func TestRowOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := tree(t, orderedFiles(r))
	for _, options := range []string{"?parallelism=1", "?parallelism=2", "?parallelism=7", "?parallelism=7&pruning=off", "?parallelism=4&memory_limit=64MB"} {
		db := openDir(t, dir+options)
		all := numbersOf(t, db, "SELECT n FROM t")
		if !ascending(all) || len(all) != 24*rowsPerFile {
			t.Fatalf("%s: %d rows, in order: %v", options, len(all), ascending(all))
		}
		some := func(keep func(n int64) bool) (out []int64) {
			for _, n := range all {
				if keep(n) {
					out = append(out, n)
				}
			}
			return out
		}
		from, step := r.Int64N(int64(len(all))), 1+r.Int64N(500)
		limit, offset := 1+r.IntN(len(all)/2), r.IntN(len(all)/2)
		rare := func(n int64) bool { return n%step == 0 }
		for query, want := range map[string][]int64{
			fmt.Sprintf("SELECT n FROM t WHERE n >= %d", from):                                       some(func(n int64) bool { return n >= from }),
			fmt.Sprintf("SELECT n FROM t WHERE n %% %d = 0", step):                                   some(rare),
			fmt.Sprintf("SELECT n FROM t LIMIT %d", limit):                                           all[:limit],
			fmt.Sprintf("SELECT n FROM t LIMIT %d OFFSET %d", limit, offset):                         all[offset : offset+limit],
			fmt.Sprintf("SELECT n FROM t WHERE n %% %d = 0 LIMIT 10", step):                          some(rare)[:min(10, len(some(rare)))],
			fmt.Sprintf("SELECT n FROM (SELECT n, n * 2 AS m FROM t) WHERE m >= %d LIMIT 3", 2*from): all[from:min(int(from)+3, len(all))],
			"SELECT n FROM t WHERE g IN (3, 7, 11) AND n % 2 = 1":                                    some(func(n int64) bool { return slices.Contains([]int64{3, 7, 11}, n/rowsPerFile) && n%2 == 1 }),
			fmt.Sprintf("SELECT n FROM t WHERE n < %d UNION ALL SELECT n FROM t", from):              append(slices.Clone(all[:from]), all...),
			"SELECT n FROM (SELECT n, row_number() OVER () AS k FROM t) WHERE n = k - 1":             all,
			"SELECT a.n FROM t a POSITIONAL JOIN (SELECT n AS m FROM t) b WHERE a.n = b.m":           all,
		} {
			if got := numbersOf(t, db, query); !slices.Equal(got, want) {
				t.Errorf("%s: %s: %d rows, want %d; first difference at %d", options, query, len(got), len(want), firstDifference(got, want))
			}
		}
	}
}

const rowsPerFile = 2400

// orderedFiles are files whose rows are numbered through; g is the number of the file.
func orderedFiles(r *rand.Rand) map[string][]byte {
	files := map[string][]byte{}
	for f := range 24 {
		pages := 1 + r.IntN(6)
		n := paged{flat: longs("n"), index: r.IntN(2) == 0, pages: pagesOf(6, rowsPerFile/6, func(row int) int64 { return int64(f*rowsPerFile + row) })}
		g := paged{flat: longs("g"), index: r.IntN(2) == 0, pages: pagesOf(pages, rowsPerFile/pages, func(int) int64 { return int64(f) })}
		g.pages[pages-1] = pagesOf(1, rowsPerFile-(pages-1)*(rowsPerFile/pages), func(int) int64 { return int64(f) })[0]
		files[fmt.Sprintf("t/%03d.parquet", f)] = pagedFile(n, g)
	}
	return files
}

func numbersOf(t *testing.T, db *sql.DB, query string) (out []int64) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			t.Fatal(query, err)
		}
		out = append(out, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(query, err)
	}
	return out
}

func ascending(list []int64) bool {
	for i, n := range list {
		if n != int64(i) {
			return false
		}
	}
	return true
}

func firstDifference(a, b []int64) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestLyingStatistics: statistics, indexes and filters that are wrong in a way that
// can be noticed lose no row, in any comparison.
func TestLyingStatistics(t *testing.T) {
	for _, file := range corruptFiles(t) {
		want, _ := fateOf(t, file.name)
		group, _, _ := strings.Cut(file.name, "-")
		if !slices.Contains([]string{"statistics", "column", "offset", "boundary", "index", "bloom"}, group) || want.fails {
			continue
		}
		t.Run(file.name, func(t *testing.T) {
			db, ctx, table := oneFile(t, file, nil)
			for x := 98; x <= 117; x += map[bool]int{false: 1, true: 5}[testing.Short()] {
				for _, c := range []struct {
					where string
					holds func(v int) bool
				}{
					{"v = %d", func(v int) bool { return v == x }},
					{"v <> %d", func(v int) bool { return v != x }},
					{"v < %d", func(v int) bool { return v < x }},
					{"v >= %d", func(v int) bool { return v >= x }},
					{"v BETWEEN %[1]d - 2 AND %[1]d", func(v int) bool { return v >= x-2 && v <= x }},
					{"v IN (%[1]d, 104, 111)", func(v int) bool { return v == x || v == 104 || v == 111 }},
					{"NOT v > %d", func(v int) bool { return v <= x }},
				} {
					where := fmt.Sprintf(c.where, x)
					got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table+" WHERE "+where)
					if !rightOrFailed(got, want, matching(c.holds)) {
						t.Fatalf("%s: got %v, %v, want %v", where, got.ids, got.err, matching(c.holds))
					}
				}
			}
			if file.name == "column-index-right" && !strings.Contains(oneOf[string](t, db, "EXPLAIN ANALYZE FORMAT=JSON SELECT id, v FROM "+table+" WHERE v = 105"), `"pages_pruned": 2`) {
				t.Errorf("the index is not used: these tests show nothing")
			}
			checkNullTests(t, file, want)
			checkMetadataAnswers(ctx, t, db, table, want)
		})
	}
}

func matching(holds func(v int) bool) []int {
	var out []int
	for id := range 16 {
		if holds(100 + id) {
			out = append(out, id)
		}
	}
	return out
}

func rightOrFailed(got outcome, want fate, ids []int) bool {
	var corrupt *parquetsql.CorruptError
	if got.err != nil {
		return want.lenient && errors.As(got.err, &corrupt)
	}
	return sameSet(got.ids, ids)
}

func checkNullTests(t *testing.T, file corpusFile, want fate) {
	t.Helper()
	db, ctx, table := oneFile(t, file, nil)
	for where, ids := range map[string][]int{
		"v IS NULL": nil, "v IS NOT NULL": within(allRows), "v IS DISTINCT FROM NULL": within(allRows), "COALESCE(v, 105) = 105": {5},
	} {
		if got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table+" WHERE "+where); !rightOrFailed(got, want, ids) {
			t.Errorf("%s: got %v, %v, want %v", where, got.ids, got.err, ids)
		}
	}
	got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table+" ORDER BY v DESC LIMIT 3")
	if !rightOrFailed(got, want, []int{13, 14, 15}) {
		t.Errorf("ORDER BY v DESC LIMIT 3: %v, %v", got.ids, got.err)
	}
}

// checkMetadataAnswers runs queries that metadata alone may answer.
func checkMetadataAnswers(ctx context.Context, t *testing.T, db *sql.DB, table string, want fate) {
	t.Helper()
	for query, answer := range map[string]string{
		"SELECT MIN(v) FROM %s": "100", "SELECT MAX(v) FROM %s": "115", "SELECT COUNT(v) FROM %s": "16", "SELECT COUNT(*) FROM %s": "16",
		"SELECT MIN(v) FROM %s WHERE _row_group = 0": "100", "SELECT MAX(v) FROM %s WHERE _row_group = 0": "111", "SELECT COUNT(v) FROM %s WHERE _row_group = 0": "12",
	} {
		var got any
		err := db.QueryRowContext(ctx, fmt.Sprintf(query, table)).Scan(&got)
		var corrupt *parquetsql.CorruptError
		if err != nil && want.lenient && errors.As(err, &corrupt) {
			continue
		}
		if err != nil || fmt.Sprint(got) != answer {
			t.Errorf(query+": got %v, %v, want %s", table, got, err, answer)
		}
	}
}

// TestChecksumsOff: a page whose checksum alone is wrong is read without the check.
func TestChecksumsOff(t *testing.T) {
	for _, name := range []string{"page-crc-wrong", "page-crc-0-wrong", "dictionary-crc-wrong"} {
		file := corpusFile{name, readFile(t, filepath.Join("testdata", "corrupt", name+".parquet"))}
		db, ctx, table := oneFile(t, file, func(c *parquetsql.Config) { c.VerifyChecksums = false })
		got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table)
		checkValues(t, name, got)
		if got.err != nil || !sameSet(got.ids, within(allRows)) {
			t.Errorf("%s: %v, %v", name, got.ids, got.err)
		}
	}
}

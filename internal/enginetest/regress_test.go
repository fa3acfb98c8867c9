package enginetest

import (
	"context"
	"testing"
)

// TestFloatOutsideBounds: parquet-go 0.32 wrote min 0.1 and max 0.4 for a
// dictionary-encoded chunk that holds NaN and -0.3.
func TestFloatOutsideBounds(t *testing.T) {
	for _, options := range []string{"", "?pruning=off"} {
		db := openDir(t, "testdata/files/regress/float_outside_bounds.parquet"+options)
		if n := one[int64](t, db, "SELECT COUNT(*) FROM float_outside_bounds WHERE `k007.k009.k014 a.k016` = -0.3e0"); n != 5 {
			t.Errorf("%q: %d rows, want 5", options, n)
		}
	}
}

// TestColumnIndexCut: segmentio/parquet-go cut the greatest values of a column
// index to 16 bytes, so that they were less than all values of the page.
func TestColumnIndexCut(t *testing.T) {
	for _, options := range []string{"", "?pruning=off"} {
		db := openDir(t, "testdata/files/regress/column_index_cut.parquet"+options)
		for condition, want := range map[string]int64{
			"path = '/very/long/common/prefix/00123'":        1,
			"path > '/very/long/common/prefix/00123'":        176,
			"path IN ('/very/long/common/prefix/00000', '')": 1,
			"path LIKE '/very/long/common/prefix/0029%'":     10,
			"path = '/very/long/common/zzz'":                 0,
			"fixed >= 'sixteen bytes ok0150'::BLOB":          150,
			"fixed = 'sixteen bytes ok0299'::BLOB":           1,
		} {
			if n := one[int64](t, db, "SELECT COUNT(*) FROM column_index_cut WHERE "+condition); n != want {
				t.Errorf("%q, %s: %d rows, want %d", options, condition, n, want)
			}
		}
	}
}

// TestNullsMiscounted: null_pages of Polars are also pages with a NaN, those of
// parquet-rs also pages of a list with as many NULLs and empty lists as rows, and
// null_count of hyparquet-writer also counts the JSON text null.
func TestNullsMiscounted(t *testing.T) {
	for _, c := range []struct {
		file, query string
		want        int64
	}{
		{"polars/nan", "SELECT COUNT(*) FROM nan WHERE x IS NOT NULL", 160},
		{"polars/nan", "SELECT COUNT(x) FROM nan", 160},
		{"polars/nan", "SELECT COUNT(*) FROM nan WHERE x >= 40", 70},
		{"polars/nan", "SELECT COUNT(*) FROM nan WHERE x IS NULL", 40},
		{"parquet-rs/null_pages", "SELECT COUNT(*) FROM null_pages p, p.tags e WHERE e.item IS NOT NULL", 200},
		{"parquet-rs/null_pages", "SELECT COUNT(*) FROM null_pages p, p.tags e WHERE e.item >= 't0'", 200},
		{"parquet-rs/null_pages", "SELECT COUNT(*) FROM null_pages p, p.tags e WHERE e.item IS NULL", 100},
		{"hyparquet/json_v0.10.1", "SELECT COUNT(j) FROM `json_v0.10.1`", 60},
		{"hyparquet/json_v0.10.1", "SELECT COUNT(*) FROM `json_v0.10.1` WHERE j IS NULL", 0},
	} {
		for _, options := range []string{"", "?pruning=off"} {
			db := openDir(t, "testdata/files/"+c.file+".parquet"+options)
			if n := one[int64](t, db, c.query); n != c.want {
				t.Errorf("%q, %s: %d, want %d", options, c.query, n, c.want)
			}
		}
	}
}

// TestListShorterThanWindow: a list column delivers fewer rows than were asked
// for after other columns have skipped ahead; the window is read again.
func TestListShorterThanWindow(t *testing.T) {
	query := "SELECT t.id, e1.pos, t.`k003`.`k005-` FROM list_shorter_than_window t LEFT JOIN t.`k001` e1 WHERE t.`k003`.`k004\"` >= x'2d2d2d2d2d'"
	on := openDir(t, "testdata/files/regress/list_shorter_than_window.parquet")
	off := openDir(t, "testdata/files/regress/list_shorter_than_window.parquet?pruning=off&parallelism=1")
	got, err := queryTable(on, query)
	if err != nil {
		t.Fatal(err)
	}
	want, err := queryTable(off, query)
	if err != nil || len(want.rows) == 0 || len(got.rows) != len(want.rows) {
		t.Errorf("%d rows with pruning, %d without: %v", len(got.rows), len(want.rows), err)
	}
	if err := drainQuery(context.Background(), on, "SELECT * FROM list_shorter_than_window"); err != nil {
		t.Error(err)
	}
}

// TestDictionaryEqualEntries: what counts codes in place of values must see that two codes
// are one value, and that an entry without a row is none.
func TestDictionaryEqualEntries(t *testing.T) {
	const table = " FROM dictionary_equal_entries"
	for _, options := range []string{"", "?pruning=off"} {
		db := openDir(t, "testdata/files/crafted/dictionary_equal_entries.parquet"+options)
		for query, want := range map[string]int64{
			"SELECT COUNT(*) FROM (SELECT DISTINCT id, t, d" + table + ")":                                2,
			"SELECT COUNT(*) FROM (SELECT DISTINCT t" + table + ")":                                       2,
			"SELECT COUNT(DISTINCT t) + 10 * COUNT(DISTINCT d) + 100 * COUNT(DISTINCT id)" + table:        222,
			"SELECT MAX(n) FROM (SELECT COUNT(*) AS n" + table + " GROUP BY t)":                           4,
			"SELECT MAX(n) FROM (SELECT COUNT(*) AS n" + table + " GROUP BY d)":                           4,
			"SELECT MIN(id) + 100 * MAX(id)" + table:                                                      807,
			"SELECT LENGTH(MIN(t) || MAX(t))" + table:                                                     2,
			"SELECT COUNT(*)" + table + " WHERE t = 'a'":                                                  4,
			"SELECT COUNT(*)" + table + " WHERE t NOT IN ('a', 'zzz')":                                    4,
			"SELECT COUNT(*)" + table + " WHERE t IN ('zzz', '') OR id = 99 OR d = 1e300":                 0,
			"SELECT COUNT(*)" + table + " WHERE d = 'NaN'":                                                4,
			"SELECT COUNT(*)" + table + " WHERE d = 0":                                                    4,
			"SELECT COUNT(*)" + table + " a JOIN dictionary_equal_entries b ON a.t = b.t AND a.d = b.d":   32,
			"SELECT COUNT(*)" + table + " a SEMI JOIN (SELECT 7 AS id) b USING (id)":                      4,
			"SELECT SUM(n) FROM (SELECT COUNT(*) OVER (PARTITION BY t, d) AS n" + table + ")":             32,
			"SELECT COUNT(*) FROM (SELECT t" + table + " INTERSECT SELECT t" + table + " WHERE id = 8)":   1,
			"SELECT COUNT(*) FROM (SELECT DISTINCT ON (d) d, id" + table + " ORDER BY d, id) WHERE d = 0": 1,
		} {
			if n := one[int64](t, db, query); n != want {
				t.Errorf("%q, %s: %d, want %d", options, query, n, want)
			}
		}
	}
}

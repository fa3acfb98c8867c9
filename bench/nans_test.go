package bench

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// TestNaNsOfDuckDB: DuckDB writes no bounds of floats for row groups with a NaN, so that bounds of its files
// answer MIN and MAX. If a version wrote them, the rows that are lost would show here.
func TestNaNsOfDuckDB(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nans.parquet")
	writer, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	// Of the seven row groups the third has NaNs, of columns with few values and with many, alone and
	// with NULLs and infinities; the sixth has nothing else.
	const copied = `COPY (SELECT i,
		CASE WHEN i // 2048 = 5 OR i = 2048 * 2 + %d THEN 'nan'::DOUBLE ELSE i / 8 END AS many,
		CASE WHEN i // 2048 = 5 OR i = 2048 * 2 + %d THEN 'nan'::DOUBLE ELSE i %% 7 - 3 END AS few,
		CASE WHEN i // 2048 = 5 OR i = 2048 * 2 + %d THEN 'nan'::FLOAT WHEN i %% 3 = 0 THEN NULL ELSE -i END::FLOAT AS short,
		CASE WHEN i = 2048 * 2 + %d THEN 'nan'::DOUBLE WHEN i = 2048 * 2 + 9 THEN 'inf'::DOUBLE WHEN i = 11 THEN '-inf'::DOUBLE ELSE i END AS ends,
		i::DOUBLE AS clean, (i / 4)::FLOAT AS cleanshort,
		CASE i %% 3 WHEN 0 THEN 0.0 WHEN 1 THEN -0.0 END::DOUBLE AS zeros,
		[i::DOUBLE, CASE WHEN i = 2048 * 2 + %d THEN 'nan'::DOUBLE ELSE 1 END] AS list
		FROM range(2048 * 7) t(i)) TO '%s' (ROW_GROUP_SIZE 2048)`
	for _, at := range []int{0, 1000, 2047} {
		if _, err := writer.Exec(fmt.Sprintf(copied, at, at, at, at, at, filepath.ToSlash(file))); err != nil {
			t.Fatal(err)
		}
		ours, duck := open(t, file, "nans")
		for _, column := range []string{"many", "few", "short", "ends", "clean", "cleanshort"} {
			for _, text := range []string{
				"SELECT max(%s), min(%[1]s), count(%[1]s) FROM nans", "SELECT max(%s) FROM nans", "SELECT min(%s) FROM nans",
				"SELECT max(%s) FROM nans WHERE i < 4096", "SELECT count(*) FROM nans WHERE %s > 1e300", "SELECT count(*) FROM nans WHERE %s >= 'nan'",
				"SELECT count(*) FROM nans WHERE %s > 1000", "SELECT count(*) FROM nans WHERE NOT %s <= 0", "SELECT count(*) FROM nans WHERE isnan(%s)",
				"SELECT i FROM nans ORDER BY %s DESC NULLS LAST, i LIMIT 5",
			} {
				compare(t, ours, duck, fmt.Sprintf(text, column))
			}
		}
		compare(t, ours, duck, "SELECT max(zeros) = 0, min(zeros) = 0, count(*) FROM nans WHERE zeros >= 0")
		compare(t, ours, duck, "SELECT count(*) FROM nans WHERE list_contains(list, 'nan'::DOUBLE)")
		if s := explain(t, ours, "SELECT max(i) FROM nans WHERE clean > 14000"); s.ByStats == 0 {
			t.Errorf("no row group is left out: %+v", s)
		}
		ours.Close()
	}
}

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

package deltas

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestBig reads checkpoints of so many files that several goroutines decode each: every file is there
// once, with what its own row says, also where the checkpoint has it twice.
func TestBig(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, parts := range []int{1, 3} {
		dir := filepath.Join(t.TempDir(), "t")
		l := Log{Files: 60_000, Partitions: 700, Columns: 2, Parts: parts}
		if err := Big(dir, l); err != nil {
			t.Fatal(err)
		}
		if parts == 1 {
			name := filepath.Join(dir, "_delta_log", version(0)+".checkpoint.parquet")
			rows := l.table()
			for i := range l.Files {
				if rows = append(rows, l.add(i)); i%5 == 0 {
					rows = append(rows, l.add(i*7%l.Files))
				}
			}
			if err := writeCheckpoint(name, rows); err != nil {
				t.Fatal(err)
			}
		}
		var want []string
		for i := range l.Files {
			a := l.add(i).Add
			want = append(want, fmt.Sprintf("t/%s|%d|1000|0|{\"day\":\"%s\"}|%s|", a.Path, a.Size, *a.Partition["day"], *a.Stats))
		}
		slices.Sort(want)
		db := open(t, filepath.Dir(dir))
		_, rows, err := answer(db, "SELECT file, size, rows, deleted_rows, partition_values, statistics FROM `t$files`")
		if err != nil || !slices.Equal(rows, want) {
			t.Fatalf("%d parts: %d rows, want %d, %v", parts, len(rows), len(want), err)
		}
		for query, want := range map[string]string{
			"SELECT COUNT(*), MIN(c1), MAX(c0), COUNT(c1) FROM t":               fmt.Sprintf("%d|1|%d|%d|", l.Files*1000, l.Files*10-1, l.Files*1000),
			"SELECT COUNT(*), MIN(c0) FROM t WHERE day = 'day-0031'":            "86000|310|",
			"SELECT COUNT(*) FROM t WHERE day IN ('day-0000', 'x', 'day-0699')": "171000|",
		} {
			if _, rows, err := answer(db, query); err != nil || len(rows) != 1 || rows[0] != want {
				t.Errorf("%s: %q, %v, want %s", query, rows, err, want)
			}
		}
	}
}

package deltas

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHuge: sizes and numbers of rows whose sum is no BIGINT are no rows, and no panic: the files are read,
// which are not there.
func TestHuge(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t")
	log := filepath.Join(dir, "_delta_log")
	if err := os.MkdirAll(log, 0o700); err != nil {
		t.Fatal(err)
	}
	l := Log{Files: 37, Partitions: 1, Columns: 1}
	actions, stats := l.table(), `{"numRecords":500000000000000000}`
	for i := range l.Files {
		a := l.add(i)
		a.Add.Size, a.Add.Stats = 1<<62, &stats
		actions = append(actions, a)
	}
	if err := writeJSON(filepath.Join(log, version(0)+".json"), actions); err != nil {
		t.Fatal(err)
	}
	db := open(t, filepath.Dir(dir))
	for _, from := range []string{"t", "t a JOIN t b USING (c0)"} {
		_, rows, err := answer(db, fmt.Sprintf("SELECT COUNT(*) FROM %s", from))
		if err == nil || !strings.Contains(err.Error(), "is not there") {
			t.Errorf("%s: %q, %v", from, rows, err)
		}
	}
}

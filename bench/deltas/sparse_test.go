package deltas

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/storage"
)

// lists is a sink that notes how long the lists of files are that it may keep.
type lists struct {
	action.Sink
	files []string
	room  int
}

func (l *lists) Add(list ...action.File) error {
	for _, f := range list {
		l.files = append(l.files, f.Path)
	}
	l.room += cap(list)
	return nil
}

// TestSparse: files that are few among the rows of a checkpoint take no more room than they need.
func TestSparse(t *testing.T) {
	l := Log{Files: 5, Partitions: 1, Columns: 1}
	var rows []Action
	var want []string
	for i := range l.Files {
		rows = append(append(rows, l.add(i)), make([]Action, 2047)...)
		want = append(want, rows[i*2048].Add.Path)
	}
	name := filepath.Join(t.TempDir(), "checkpoint.parquet")
	if err := writeCheckpoint(name, rows); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := &lists{}
	if err := action.ReadParquet(t.Context(), name, bytes.NewReader(data), int64(len(data)), action.Options{Cost: storage.Local}, got, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.files, want) {
		t.Errorf("%q, want %q", got.files, want)
	}
	if got.room > 2*len(want) {
		t.Errorf("%d files take the room of %d", len(want), got.room)
	}
}

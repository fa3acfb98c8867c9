package delta

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
)

// TestCounted: rows are counted by what the log says only where that can be.
func TestCounted(t *testing.T) {
	const most = math.MaxInt64
	for name, x := range map[string]struct {
		rows    []int64 // of each file
		deleted int64   // of the first one; 0: it has no vector
		apart   bool    // each file is a partition
		counted int
		sum     int64
	}{
		"plain":              {[]int64{10, 20}, 3, false, 2, 27},
		"all deleted":        {[]int64{10, 20}, 10, false, 2, 20},
		"more deleted":       {[]int64{10, 20}, 11, false, 0, 0},
		"more deleted alone": {[]int64{10, 20}, 11, true, 1, 20},
		"less than none":     {[]int64{10, 20}, -1, true, 1, 20},
		"unknown":            {[]int64{-1, 20}, 0, false, 0, 0},
		"too many":           {[]int64{most, 1}, 0, false, 0, 0},
		"too many apart":     {[]int64{most, 1}, 0, true, 1, most},
		"as many as can be":  {[]int64{most - 1, 1}, 0, true, 2, most},
	} {
		table := &Table{cache: NewCache(0), log: log.New(storage.NewLocal(t.TempDir(), false, nil), ".", log.Options{}), footers: files.NewCache(files.Options{}).Footers()}
		v := &Version{Snapshot: &log.Snapshot{}, table: table, evidence: &evidence{rows: x.rows, kept: func(int64) bool { return false }}}
		partition := &action.Partition{}
		for i := range x.rows {
			if x.apart {
				partition = &action.Partition{}
			}
			f := &action.File{Path: string(rune('a' + i)), Size: most, Partition: partition}
			if i == 0 && x.deleted != 0 {
				f.Deletion = &action.Deletion{Storage: "i", Rows: x.deleted}
			}
			v.Files = append(v.Files, f)
		}
		if err := v.divide(nil); err != nil {
			t.Fatal(err)
		}
		if v.found.bytes != most {
			t.Errorf("%s: %d bytes", name, v.found.bytes)
		}
		found, err := v.find(t.Context(), files.Wanted{Count: true})
		if err != nil || found.Counted != x.counted || found.Rows != x.sum || len(found.Files)+found.Counted != len(x.rows) {
			t.Errorf("%s: %d files with %d rows are counted, %d are left, %v", name, found.Counted, found.Rows, len(found.Files), err)
		}
		for _, f := range found.Files {
			if d := f.Deletes; d != nil && f.Rows >= 0 && (d.Rows < -1 || d.Rows > f.Rows) {
				t.Errorf("%s: of %d rows %d are deleted", name, f.Rows, d.Rows)
			}
		}
	}
}

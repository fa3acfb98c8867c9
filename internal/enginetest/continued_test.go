package enginetest

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestContinuedLists reads the row after a list that continues although its levels
// say that it is empty: all later values are at other places than the levels say. In
// [1,2], [3,4], [5] one entry of the second list has lost its value.
func TestContinuedLists(t *testing.T) {
	k := paged{flat: longs("k"), pages: pagesOf(1, 3, func(row int) int64 { return int64(row) })}
	for lost := 2; lost <= 3; lost++ {
		xs := &listColumn{paged: paged{flat: longs("xs"), v2: true}}
		xs.repeated = true
		def := []byte{1, 1, 1, 1, 1}
		def[lost] = 0
		xs.addPage([]byte{0, 1, 0, 1, 0}, def, []int64{1, 2, 3, 4, 5}, 3)
		path := filepath.Join(tree(t, map[string][]byte{"c.parquet": pagedFile(k, xs.paged)}), "c.parquet")
		for _, onCorrupt := range []string{"skip", "fail"} {
			db := openDir(t, path+"?on_corrupt="+onCorrupt)
			for _, where := range []string{"", " WHERE k = 2"} {
				got, err := queryTable(db, "SELECT k, xs FROM c"+where)
				var corrupt *parquetsql.CorruptError
				if onCorrupt == "fail" && !errors.As(err, &corrupt) || onCorrupt == "skip" && (err != nil || len(got.rows) > 0) {
					t.Errorf("%d, %s, %q: %s, %v", lost, onCorrupt, where, fmt.Sprint(got.rows), err)
				}
			}
		}
	}
}

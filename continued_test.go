package parquetsql_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestContinuedLists asks for the row behind one whose list goes on although it
// has no elements: the values behind are not where its levels say.
func TestContinuedLists(t *testing.T) {
	k := paged{flat: longs("k"), pages: pagesOf(1, 3, func(row int) int64 { return int64(row) })}
	xs := &listColumn{paged: paged{flat: longs("xs"), v2: true}}
	xs.repeated = true
	// [1,2], [3,4], [5], where the second entry of the second list has lost its value.
	xs.addPage([]byte{0, 1, 0, 1, 0}, []byte{1, 1, 1, 0, 1}, []int64{1, 2, 3, 4, 5}, 3)
	config := parquetsql.NewConfig()
	config.Path = filepath.Join(tree(t, map[string][]byte{"c.parquet": pagedFile(k, xs.paged)}), "c.parquet")
	config.OnCorrupt = "skip"
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, where := range []string{"", " WHERE k = 2"} {
		got, err := queryTable(db, "SELECT k, xs FROM c"+where)
		if err != nil || len(got.rows) > 0 {
			t.Errorf("%q: %s, %v", where, fmt.Sprint(got.rows), err)
		}
	}
}

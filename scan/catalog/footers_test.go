package catalog

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/scan/scantest"
)

// TestLargeFooterOnce: a footer that no cache can hold is read once by a query, which needs it for
// the table's columns and for its rows; a small one is not kept.
func TestLargeFooterOnce(t *testing.T) {
	for _, c := range []struct {
		columns int
		kept    bool
	}{{20000, true}, {20, false}} {
		fields := make([]scantest.Field, c.columns)
		for i := range fields {
			fields[i] = scantest.Int64(fmt.Sprintf("c%d", i))
		}
		cat, err := New(Config{FS: scantest.FS(map[string][]byte{"t.parquet": scantest.File(fields, "")}), Path: ".", FooterCacheBytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		snap, err := cat.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		table, err := snap.Table(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		file := table.Files[0]
		if file.TakeFooterBytes() == 0 {
			t.Fatal("the footer was not read")
		}
		if _, _, err := file.Metadata(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again := file.TakeFooterBytes(); (again == 0) != c.kept {
			t.Errorf("%d columns: the footer was kept: %v, want %v; %d bytes were read again", c.columns, again == 0, c.kept, again)
		}
	}
}

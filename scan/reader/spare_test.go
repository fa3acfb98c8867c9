package reader

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSpareColumns: what is known of the columns of one file is not said of another one. There are
// files of one schema with other values of their folder between them, and files of another schema.
func TestSpareColumns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t")
	for i, name := range []string{"penguins", "penguins", "seattle_weather", "penguins", "seattle_weather", "penguins"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(dir, fmt.Sprintf("k=%d", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".parquet"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := catalog.New(catalog.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	table, err := snapshot.Table(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	kAt, k := columnOf(table, "k")
	fileAt, file := columnOf(table, "_file")
	_, species := columnOf(table, "Species")
	_, rain := columnOf(table, "precipitation")
	_, row := columnOf(table, "_row")
	text := func(s string) vector.Scalar { return vector.StringScalar(s) }
	// Of the 344 penguins 124 are Gentoos; the weather has 1461 days, of which one had 55.9 mm.
	for name, x := range map[string]struct {
		filter []expr.Expr
		want   map[string]int
	}{
		"all":    {nil, map[string]int{"0": 344, "1": 344, "2": 1461, "3": 344, "4": 1461, "5": 344}},
		"folder": {[]expr.Expr{compare(t, expr.OpGe, k, vector.IntScalar(3))}, map[string]int{"3": 344, "4": 1461, "5": 344}},
		"text":   {[]expr.Expr{compare(t, expr.OpEq, species, text("Gentoo"))}, map[string]int{"0": 124, "1": 124, "3": 124, "5": 124}},
		"number": {[]expr.Expr{compare(t, expr.OpGt, rain, vector.FloatScalar(55))}, map[string]int{"2": 1, "4": 1}},
		"file":   {[]expr.Expr{compare(t, expr.OpGt, file, text("k=2"))}, map[string]int{"2": 1461, "3": 344, "4": 1461, "5": 344}},
		"row":    {[]expr.Expr{compare(t, expr.OpGe, row, vector.IntScalar(343))}, map[string]int{"0": 1, "1": 1, "2": 1118, "3": 1, "4": 1118, "5": 1}},
		"both":   {[]expr.Expr{compare(t, expr.OpEq, species, text("Gentoo")), compare(t, expr.OpLt, k, vector.IntScalar(2))}, map[string]int{"0": 124, "1": 124}},
		"none":   {[]expr.Expr{compare(t, expr.OpGt, rain, vector.FloatScalar(56))}, map[string]int{}},
	} {
		for _, pruning := range []scan.Pruners{0, scan.AllPruners} {
			request := scan.Request{Limit: -1, Options: scan.Options{Pruning: pruning}, Columns: []scan.Projection{{Column: kAt}, {Column: fileAt}}, Filter: x.filter}
			s, err := New(t.Context(), table, request)
			if err != nil {
				t.Fatal(err)
			}
			got, reader := map[string]int{}, s.NewReader()
			for {
				b, err := reader.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if b == nil {
					break
				}
				for i := range b.Rows() {
					of := string(nested.AppendJSON(nil, b.Cols[0], b.Row(i)))
					if path := b.Cols[1].Get(b.Row(i)).Str; filepath.Base(filepath.Dir(path)) != "k="+of {
						t.Fatalf("%s: a row of %s has k = %s", name, path, of)
					}
					got[of]++
				}
			}
			reader.Close()
			s.Close()
			if !maps.Equal(got, x.want) {
				t.Errorf("%s, pruning %v: %v, want %v", name, pruning, got, x.want)
			}
		}
	}
}

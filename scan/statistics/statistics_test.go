package statistics

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/scan/catalog"
)

const testdata = "../../testdata"

// TestOf compares the estimates for four tables with their rows. Distinct values are a
// guess from the size of dictionaries: it must be right by a factor of four.
// One that is taken from the range of a column may be too large.
func TestOf(t *testing.T) {
	c, err := catalog.New(catalog.Config{Path: testdata})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"penguins", "movies", "airports", "seattle_weather"} {
		table, err := s.Table(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(testdata, "expected", name+".parquet.json"))
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Columns []struct{ Name string }
			Rows    [][]any
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got := Of(t.Context(), table)
		if got.Rows() != float64(len(want.Rows)) {
			t.Errorf("%s: %v rows, want %d", name, got.Rows(), len(want.Rows))
		}
		for i, column := range want.Columns {
			nulls, values := 0.0, map[string]bool{}
			for _, r := range want.Rows {
				if r[i] == nil {
					nulls++
					continue
				}
				v, _ := json.Marshal(r[i])
				values[string(v)] = true
			}
			st := got.Column(i)
			if part := nulls / float64(len(want.Rows)); st.Nulls >= 0 && math.Abs(st.Nulls-part) > 1e-9 {
				t.Errorf("%s.%s: %v are NULL, want %v", name, column.Name, st.Nulls, part)
			}
			n := float64(len(values))
			if st.Distinct != 0 && (st.Distinct > 4*n || n > 4*st.Distinct) {
				t.Errorf("%s.%s: %v different values, want %v", name, column.Name, st.Distinct, n)
			}
		}
	}
}

// TestDrawsFrom: of a set of 1,000 values, 2,000 draws give 1000·(1-1/e²) ≈ 865
// different ones.
func TestDrawsFrom(t *testing.T) {
	if got := drawsFrom(864.66, 2000); got < 990 || got > 1010 {
		t.Errorf("%v, want 1000", got)
	}
	if !math.IsInf(drawsFrom(2000, 2000), 1) {
		t.Error("only different values: the set may have any size")
	}
}

package bench

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/bench/points"
)

// TestBoxQueries: a query for a small box over two million points that are near each
// other in the file reads less than 2 % of it.
func TestBoxQueries(t *testing.T) {
	n := 1 << 21
	if testing.Short() {
		n = 1 << 18
	}
	file := filepath.Join(t.TempDir(), "points.parquet")
	if err := points.Write(file, n); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, where string
		inside      func(x, y float64) bool
	}{
		{"box", "ST_Intersects(geometry, ST_MakeEnvelope(10, 50, 11, 51))", func(x, y float64) bool { return x >= 10 && x <= 11 && y >= 50 && y <= 51 }},
		{"box operator", "geometry && ST_MakeEnvelope(-75, -1, -74, 0)", func(x, y float64) bool { return x >= -75 && x <= -74 && y >= -1 && y <= 0 }},
		{"distance", "ST_DWithin(ST_Point(100, -45), geometry, 0.5)", func(x, y float64) bool { return (x-100)*(x-100)+(y+45)*(y+45) <= 0.25 }},
		{"ordinates", "ST_X(geometry) BETWEEN 10 AND 11 AND ST_Y(geometry) BETWEEN 50 AND 51", func(x, y float64) bool { return x >= 10 && x <= 11 && y >= 50 && y <= 51 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := sql.Open("parquet", file) // anew, so that the footer is read and counted
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			want := 0
			for i := range n {
				if c.inside(points.At(i, n)) {
					want++
				}
			}
			s := explain(t, db, "SELECT COUNT(*) FROM points WHERE "+c.where)
			if limit := info.Size() / 50; s.Bytes > limit || want == 0 {
				t.Errorf("%d bytes of %d read: %+v", s.Bytes, info.Size(), s)
			}
			t.Logf("%d rows of %d: %d bytes of %d, %d of %d pages", want, n, s.Bytes, info.Size(), s.Pages-s.PagesPruned, s.Pages)
			var got int
			if err := db.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM points WHERE %s", c.where)).Scan(&got); err != nil || got != want {
				t.Errorf("got %d rows, %v; want %d", got, err, want)
			}
		})
	}
}

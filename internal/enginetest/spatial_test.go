package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSpatialJoins compares joins by an R-tree with joins over all pairs: IS TRUE around
// the condition claims nothing about boxes.
func TestSpatialJoins(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	folder := t.TempDir()
	small := openDir(t, folder+"?memory_limit=100kB&temp_dir="+folder)
	large := openDir(t, t.TempDir())
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		with := fmt.Sprintf("WITH a AS (SELECT i, g::GEOMETRY g FROM (VALUES %s) v(i, g)), b AS (SELECT i, g::GEOMETRY g FROM (VALUES %s) v(i, g)) ",
			randomGeometries(r, 30+r.IntN(40)), randomGeometries(r, 30+r.IntN(40)))
		for _, on := range []string{
			"ST_Intersects(a.g, b.g)", "ST_Contains(a.g, b.g)", "ST_Within(a.g, b.g)", "a.g && b.g", "ST_DWithin(a.g, b.g, 2)", "ST_DWithin(b.g, a.g, 0)",
			"ST_Touches(a.g, b.g)", "ST_Intersects(a.g, b.g) AND a.i < b.i",
		} {
			for _, query := range []string{
				"SELECT a.i, b.i FROM a JOIN b ON %s", "SELECT a.i, b.i FROM a LEFT JOIN b ON %s", "SELECT a.i, b.i FROM a RIGHT JOIN b ON %s", "SELECT a.i, b.i FROM a FULL JOIN b ON %s",
				"SELECT a.i FROM a WHERE EXISTS (SELECT 1 FROM b WHERE %s)", "SELECT a.i FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE %s)", "SELECT a.i, b.i FROM a, b WHERE %s",
			} {
				want := spatialRows(t, large, with+fmt.Sprintf(query, "("+on+") IS TRUE"))
				if got := spatialRows(t, large, with+fmt.Sprintf(query, on)); !slices.Equal(got, want) {
					t.Fatalf("round %d: "+query+"\n%d rows, want %d\n%s", round, on, len(got), len(want), with)
				}
				if got := spatialRows(t, small, with+fmt.Sprintf(query, on)); !slices.Equal(got, want) {
					t.Fatalf("round %d, little memory: "+query+"\n%d rows, want %d\n%s", round, on, len(got), len(want), with)
				}
			}
		}
	}
}

func spatialRows(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := sortedRows(db, query, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return rows
}

// randomGeometries are rows of VALUES with points on a grid, lines, triangles, empty
// geometries and NULL.
func randomGeometries(r *rand.Rand, n int) string {
	rows := make([]string, n)
	for i := range rows {
		x, y := r.IntN(20), r.IntN(20)
		g := fmt.Sprintf("'POINT (%d %d)'", x, y)
		switch r.IntN(10) {
		case 0:
			g = "NULL"
		case 1:
			g = "'POLYGON EMPTY'"
		case 2, 3:
			g = fmt.Sprintf("'LINESTRING (%d %d, %d %d)'", x, y, x+1+r.IntN(4), y+r.IntN(4))
		case 4, 5, 6:
			g = fmt.Sprintf("'POLYGON ((%d %d, %d %d, %d %d, %d %d))'", x, y, x+2+r.IntN(3), y, x, y+2+r.IntN(3), x, y)
		}
		rows[i] = fmt.Sprintf("(%d, %s)", i, g)
	}
	return strings.Join(rows, ", ")
}

// TestSpatialJoinPlan: EXPLAIN shows the R-tree, and which joins have none.
func TestSpatialJoinPlan(t *testing.T) {
	db := openDir(t, t.TempDir())
	with := "WITH a AS (SELECT i, ST_Point(i, i) g FROM range(9) t(i)), b AS (SELECT i, ST_Point(i, 2) g FROM range(9) t(i)) "
	for on, want := range map[string]bool{
		"ST_Intersects(a.g, b.g)": true, "b.g && a.g": true, "ST_DWithin(a.g, b.g, 2)": true, "ST_Covers(a.g, b.g) AND a.i < b.i": true,
		"ST_Disjoint(a.g, b.g)": false, "ST_DWithin(a.g, b.g, a.i)": false, "ST_Intersects(a.g, b.g) AND a.i = b.i": false,
		"ST_Intersects(a.g, b.g) OR a.i = 1": false, "NOT ST_Intersects(a.g, b.g)": false, "ST_Intersects(a.g, a.g) AND a.i < b.i": false,
	} {
		plan := strings.Join(spatialRows(t, db, "EXPLAIN "+with+"SELECT a.i, b.i FROM a LEFT JOIN b ON "+on), "\n")
		if strings.Contains(plan, "R-tree") != want {
			t.Errorf("%s:\n%s", on, plan)
		}
	}
}

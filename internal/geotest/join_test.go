package geotest

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
	small := open(t, folder+"?memory_limit=1MiB&temp_dir="+folder)
	large := open(t, t.TempDir())
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	plane := []string{
		"ST_Intersects(a.g, b.g)", "ST_Contains(a.g, b.g)", "ST_Within(a.g, b.g)", "a.g && b.g", "ST_DWithin(a.g, b.g, 2)", "ST_DWithin(b.g, a.g, 0)",
		"ST_Touches(a.g, b.g)", "ST_Intersects(a.g, b.g) AND a.i < b.i",
		"ST_DWithin(a.g, b.g, a.i / 10)", "ST_DWithin(b.g, a.g, a.i - 20)", "ST_DWithin(a.g, b.g, NULLIF(b.i, 5) / 20)", "ST_DWithin(a.g, b.g, CASE b.i WHEN 1 THEN 'inf'::DOUBLE WHEN 2 THEN 'nan'::DOUBLE ELSE 1 END)",
	}
	sphere := []string{
		"ST_Intersects(a.g, b.g)", "a.g && b.g", "ST_Disjoint(a.g, b.g)", "ST_DWithin(a.g, b.g, 700000)", "ST_DWithin(b.g, a.g, 0)", "ST_Intersects(a.g, b.g) AND a.i < b.i",
		"ST_DWithin(a.g, b.g, a.i * 40000)", "ST_DWithin(a.g, b.g, (b.i - 20) * 40000)",
	}
	for round := range rounds + 1 {
		kind, random, conditions := "GEOMETRY", randomGeometries, plane
		if round%2 > 0 {
			kind, random, conditions = "GEOGRAPHY", randomGeographies, sphere
		}
		with := fmt.Sprintf("WITH a AS (SELECT i, g::%[1]s g FROM (VALUES %[2]s) v(i, g)), b AS (SELECT i, g::%[1]s g FROM (VALUES %[3]s) v(i, g)) ",
			kind, random(r, 30+r.IntN(40)), random(r, 30+r.IntN(40)))
		for _, on := range conditions {
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

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// spatialRows are the rows of a query with one column or two, sorted.
func spatialRows(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		var values [2]any
		if err := rows.Scan([]any{&values[0], &values[1]}[:len(columns)]...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(values))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	slices.Sort(out)
	return out
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

// randomGeographies are randomGeometries with degrees: parts of them are around a pole or
// across the antimeridian.
func randomGeographies(r *rand.Rand, n int) string {
	rows := make([]string, n)
	for i := range rows {
		x, y := float64(r.IntN(72))*5-180, float64(r.IntN(35))*5-85
		w, h := float64(1+r.IntN(50)), min(float64(1+r.IntN(40)), 88-y)
		g := fmt.Sprintf("'POINT (%v %v)'", x, y)
		switch r.IntN(12) {
		case 0:
			g = pick(r, []string{"NULL", "'POLYGON EMPTY'", "'POINT (30 90)'", "'POINT (-30 -90)'", "'POINT (180 0)'", "'POINT (-180 0)'"})
		case 1:
			g = pick(r, []string{"'POLYGON ((0 80, 120 80, -120 80, 0 80))'", "'POLYGON ((0 -60, 120 -70, -120 -80, 0 -60))'", "'LINESTRING (10 80, -170 80)'"})
		case 2, 3, 4:
			g = fmt.Sprintf("'LINESTRING (%v %v, %v %v)'", x, y, x+w, y+h)
		case 5, 6, 7:
			g = fmt.Sprintf("'POLYGON ((%v %v, %v %v, %v %v, %v %v))'", x, y, x+w, y, x, y+h, x, y)
		}
		rows[i] = fmt.Sprintf("(%d, %s)", i, g)
	}
	return strings.Join(rows, ", ")
}

// TestJoinPrunes: the boxes of the build side prune the scan of the other one, unless its
// rows are kept or it has the distance.
func TestJoinPrunes(t *testing.T) {
	db := open(t, "../../testdata/files/parquet-go/geometry_antimeridian.parquet")
	for join, want := range map[string]bool{
		"JOIN v ON ST_DWithin(globe, w::GEOGRAPHY, 50000)": true, "JOIN v ON ST_Intersects(plane, w)": true, "JOIN v ON ST_DWithin(w::GEOGRAPHY, globe, v.d)": true,
		"SEMI JOIN v ON globe && w": true, "RIGHT JOIN v ON ST_Intersects(plane, w)": true,
		"LEFT JOIN v ON ST_Intersects(plane, w)": false, "ANTI JOIN v ON ST_Intersects(plane, w)": false, "JOIN v ON ST_DWithin(plane, w, ST_Y(plane))": false,
	} {
		plan := strings.Join(planLines(t, db, "EXPLAIN ANALYZE WITH v AS (SELECT d, w::GEOMETRY w FROM (VALUES (1e3, 'POINT (-179 10)'), (1e4, 'POINT (-179.5 11)')) v(d, w)) SELECT COUNT(*) FROM geometry_antimeridian "+join), "\n")
		if strings.Contains(plan, "boxes)") != want || strings.Contains(plan, "row groups  3: pruned 2 by statistics") != want {
			t.Errorf("%s:\n%s", join, plan)
		}
	}
}

func planLines(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	lines, err := texts(db, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return lines
}

// TestSpatialJoinPlan: EXPLAIN shows the R-tree, and which joins have none.
func TestSpatialJoinPlan(t *testing.T) {
	db := open(t, t.TempDir())
	with := "WITH a AS (SELECT i, ST_Point(i, i) g FROM range(9) t(i)), b AS (SELECT i, ST_Point(i, 2) g FROM range(9) t(i)) "
	for on, want := range map[string]bool{
		"ST_Intersects(a.g, b.g)": true, "b.g && a.g": true, "ST_DWithin(a.g, b.g, 2)": true, "ST_Covers(a.g, b.g) AND a.i < b.i": true,
		"ST_Disjoint(a.g, b.g)": false, "ST_DWithin(a.g, b.g, a.i)": true, "ST_DWithin(a.g, b.g, b.i / 2)": true, "ST_DWithin(a.g, b.g, a.i + b.i)": false, "ST_DWithin(a.g, b.g, -1)": false,
		"ST_Intersects(a.g::GEOGRAPHY, b.g)": true, "ST_DWithin(a.g::GEOGRAPHY, b.g, a.i)": true, "ST_Intersects(a.g, b.g) AND a.i = b.i": false,
		"ST_Intersects(a.g, b.g) OR a.i = 1": false, "NOT ST_Intersects(a.g, b.g)": false, "ST_Intersects(a.g, a.g) AND a.i < b.i": false,
	} {
		plan := strings.Join(planLines(t, db, "EXPLAIN "+with+"SELECT a.i, b.i FROM a LEFT JOIN b ON "+on), "\n")
		if strings.Contains(plan, "R-tree") != want {
			t.Errorf("%s:\n%s", on, plan)
		}
	}
}

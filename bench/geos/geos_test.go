//go:build geos

package geos

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/peterstace/simplefeatures/geom"
	oracle "github.com/peterstace/simplefeatures/geos"

	_ "github.com/parquetsql/parquetsql"
)

// TestGEOS compares relations and areas of random pairs of geometries with GEOS. Positions
// are on a small grid, so that edges touch, overlap and end on each other.
func TestGEOS(t *testing.T) {
	db, r := begin(t)
	rounds, pairs := 20, 200
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		var rows []string
		for range pairs {
			rows = append(rows, fmt.Sprintf("('%s', '%s')", randomShape(r), randomShape(r)))
		}
		compareGEOS(t, db, strings.Join(rows, ", "))
	}
}

// begin opens a database without files, and logs the seed.
func begin(t *testing.T) (*sql.DB, *rand.Rand) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	db, err := sql.Open("parquet", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, rand.New(rand.NewPCG(seed, 0))
}

// relations are the functions of SQL and of GEOS.
var relations = []struct {
	name string
	of   func(a, b geom.Geometry) (bool, error)
}{
	{"ST_Intersects", oracle.Intersects}, {"ST_Disjoint", oracle.Disjoint}, {"ST_Contains", oracle.Contains}, {"ST_Within", oracle.Within}, {"ST_Covers", oracle.Covers},
	{"ST_CoveredBy", oracle.CoveredBy}, {"ST_Touches", oracle.Touches}, {"ST_Crosses", oracle.Crosses}, {"ST_Overlaps", oracle.Overlaps}, {"ST_Equals", oracle.Equals},
}

var overlays = []struct {
	name string
	of   func(a, b geom.Geometry) (geom.Geometry, error)
}{
	{"ST_Union", oracle.Union}, {"ST_Intersection", oracle.Intersection}, {"ST_Difference", oracle.Difference}, {"ST_SymDifference", oracle.SymmetricDifference},
}

func compareGEOS(t *testing.T, db *sql.DB, pairs string) {
	t.Helper()
	columns := []string{"a", "b"}
	for _, r := range relations {
		columns = append(columns, r.name+"(a::GEOMETRY, b::GEOMETRY)")
	}
	for _, o := range overlays {
		columns = append(columns, fmt.Sprintf("ST_Area(%[1]s(a::GEOMETRY, b::GEOMETRY)), ST_Length(%[1]s(a::GEOMETRY, b::GEOMETRY))", o.name))
	}
	columns = append(columns, "ST_Area(ST_Buffer(a::GEOMETRY, 0.7))", "ST_Area(ST_Buffer(a::GEOMETRY, -0.3))")
	rows, err := db.Query("SELECT " + strings.Join(columns, ", ") + " FROM (VALUES " + pairs + ") v(a, b)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var a, b string
		holds, sizes := make([]bool, len(relations)), make([]float64, 2*len(overlays)+2)
		targets := []any{&a, &b}
		for i := range holds {
			targets = append(targets, &holds[i])
		}
		for i := range sizes {
			targets = append(targets, &sizes[i])
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		x, y := parsed(t, a), parsed(t, b)
		for i, r := range relations {
			if want, err := r.of(x, y); err != nil || holds[i] != want {
				t.Errorf("%s('%s', '%s') is %t; GEOS: %t, %v", r.name, a, b, holds[i], want, err)
			}
		}
		for i, o := range overlays {
			want, err := o.of(x, y)
			if err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("ST_Area(%s('%s', '%s'))", o.name, a, b), sizes[2*i], want.Area(), 1e-9)
			if isSimple(x) && isSimple(y) {
				same(t, fmt.Sprintf("ST_Length(%s('%s', '%s'))", o.name, a, b), sizes[2*i+1], want.Length(), 1e-9)
			}
		}
		for i, d := range []float64{0.7, -0.3} {
			want, err := oracle.Buffer(x, d, oracle.BufferQuadSegments(8))
			if err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("ST_Area(ST_Buffer('%s', %v))", a, d), sizes[2*len(overlays)+i], want.Area(), 0.02)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// isSimple: GEOS leaves a line that lies on itself as it is where it meets nothing else, so
// that the length of the same points is another one.
func isSimple(g geom.Geometry) bool {
	simple, _ := g.IsSimple()
	return simple
}

func same(t *testing.T, what string, got, want, off float64) {
	t.Helper()
	if math.Abs(got-want) > off*max(1, want) {
		t.Errorf("%s is %v; GEOS: %v", what, got, want)
	}
}

func parsed(t *testing.T, wkt string) geom.Geometry {
	t.Helper()
	g, err := geom.UnmarshalWKT(wkt)
	if err != nil {
		t.Fatalf("%s: %v", wkt, err)
	}
	return g
}

// randomShape is a valid geometry as WKT, sometimes empty. Edges run in the 8 main
// directions between even positions, so that all points where edges meet are doubles:
// elsewhere GEOS rounds them and takes lines that lie on each other for lines that cross.
func randomShape(r *rand.Rand) string {
	for {
		s := candidate(r)
		if _, err := geom.UnmarshalWKT(s); err == nil {
			return s
		}
	}
}

func candidate(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0:
		return "POINT (" + text(position(r)) + ")"
	case 1:
		return "MULTIPOINT (" + text(position(r), position(r), position(r)) + ")"
	case 2, 3:
		return "LINESTRING (" + walk(r, 1+r.IntN(4)) + ")"
	case 4:
		return "MULTILINESTRING ((" + walk(r, 1) + "), (" + walk(r, 2) + "))"
	case 5:
		return []string{"POINT EMPTY", "LINESTRING EMPTY", "POLYGON EMPTY"}[r.IntN(3)]
	case 6:
		return "POLYGON ((-20 -20, 60 -20, 60 60, -20 60, -20 -20), " + ring(r) + ")"
	case 7:
		return "MULTIPOLYGON ((" + ring(r) + "), (" + ring(r) + "))"
	}
	return "POLYGON (" + ring(r) + ")"
}

func position(r *rand.Rand) [2]int { return [2]int{2 * r.IntN(9), 2 * r.IntN(9)} }

// walk is the positions of n edges.
func walk(r *rand.Rand, n int) string {
	at := position(r)
	list := [][2]int{at}
	for range n {
		d, l := directions[r.IntN(8)], 2*(1+r.IntN(4))
		at = [2]int{at[0] + l*d[0], at[1] + l*d[1]}
		list = append(list, at)
	}
	return text(list...)
}

var directions = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// ring is a rectangle, a diamond or a triangle.
func ring(r *rand.Rand) string {
	p, w, h := position(r), 2*(1+r.IntN(4)), 2*(1+r.IntN(4))
	x, y := p[0], p[1]
	switch r.IntN(3) {
	case 0:
		return "(" + text(p, [2]int{x + w, y}, [2]int{x + w, y + h}, [2]int{x, y + h}, p) + ")"
	case 1:
		return "(" + text(p, [2]int{x + w, y + w}, [2]int{x, y + 2*w}, [2]int{x - w, y + w}, p) + ")"
	}
	return "(" + text(p, [2]int{x + w, y}, [2]int{x, y + w}, p) + ")"
}

func text(list ...[2]int) string {
	var words []string
	for _, p := range list {
		words = append(words, fmt.Sprintf("%d %d", p[0], p[1]))
	}
	return strings.Join(words, ", ")
}

// TestSimplify compares what is left of random lines with GEOS. Positions have all digits: of
// two that are equally far, which one is the farthest is a matter of rounding.
func TestSimplify(t *testing.T) {
	db, r := begin(t)
	for range 500 {
		var positions []string
		for x := range 2 + r.IntN(60) {
			positions = append(positions, fmt.Sprintf("%d %g", x, 10*r.Float64()))
		}
		line, tolerance := "LINESTRING ("+strings.Join(positions, ", ")+")", 5*r.Float64()
		g, err := geom.UnmarshalWKT(line)
		if err != nil {
			t.Fatal(err)
		}
		want, err := oracle.Simplify(g, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		var text string
		if err := db.QueryRow("SELECT ST_AsText(ST_Simplify(?::VARCHAR, ?))", line, tolerance).Scan(&text); err != nil {
			t.Fatal(err)
		}
		if got, err := geom.UnmarshalWKT(text); err != nil || !geom.ExactEquals(got, want) {
			t.Errorf("%s by %g: %s, %v, want %s", line, tolerance, text, err, want.AsText())
		}
	}
}

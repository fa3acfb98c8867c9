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
// are on a small grid, so that edges touch, overlap and end on each other. It needs
// libgeos-dev: go test -tags geos -run GEOS .
func TestGEOS(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	db, err := sql.Open("parquet", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
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

// randomShape is a valid geometry as WKT, sometimes empty.
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
		return "POINT " + list(r, 1)
	case 1:
		return "MULTIPOINT " + list(r, 1+r.IntN(4))
	case 2, 3:
		return "LINESTRING " + list(r, 2+r.IntN(4))
	case 4:
		return "MULTILINESTRING (" + list(r, 2) + ", " + list(r, 3) + ")"
	case 5:
		return []string{"POINT EMPTY", "LINESTRING EMPTY", "POLYGON EMPTY"}[r.IntN(3)]
	case 6:
		return "POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0), " + ring(r, 3) + ")"
	case 7:
		return "MULTIPOLYGON ((" + ring(r, 3) + "), (" + ring(r, 4) + "))"
	}
	return "POLYGON (" + ring(r, 3+r.IntN(4)) + ")"
}

func position(r *rand.Rand) string { return fmt.Sprintf("%d %d", r.IntN(9), r.IntN(9)) }

func list(r *rand.Rand, n int) string {
	positions := make([]string, n)
	for i := range positions {
		positions[i] = position(r)
	}
	return "(" + strings.Join(positions, ", ") + ")"
}

func ring(r *rand.Rand, n int) string {
	first := position(r)
	positions := []string{first}
	for range n - 1 {
		positions = append(positions, position(r))
	}
	return "(" + strings.Join(append(positions, first), ", ") + ")"
}

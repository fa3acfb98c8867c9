package geotest

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/scan"
)

// geospatialFiles have bounding boxes of their own, some across the antimeridian, covering
// columns of GeoParquet, or the coordinates as columns.
var geospatialFiles = []string{
	"parquet-go/geometry_type.parquet", "parquet-go/geometry_antimeridian.parquet", "parquet-go/geoparquet_covering.parquet",
	"parquet-go/geoparquet_covering_float.parquet", "parquet-go/geoparquet_native.parquet", "parquet-testing/data/geospatial/geospatial.parquet",
	"parquet-testing/data/geospatial/geography-points.parquet",
}

// prunerSets are the sets to compare with reading all.
var prunerSets = map[string]scan.Pruners{
	"all": scan.AllPruners, "statistics": scan.PruneStatistics, "page index": scan.PrunePages, "dictionaries": scan.PruneDictionary,
}

// TestPruningChangesNothing asks for random boxes with all predicates over geometries,
// without pruning and with each set of pruners.
func TestPruningChangesNothing(t *testing.T) {
	seed, rounds := uint64(time.Now().UnixNano()), 60
	if testing.Short() {
		rounds = 10
	}
	if n, err := strconv.ParseUint(os.Getenv("PARQUETSQL_PRUNE_SEED"), 10, 64); err == nil {
		seed = n
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_PRUNE_ROUNDS")); err == nil {
		rounds = n
	}
	t.Logf("seed %d", seed)
	answered, failed := 0, 0
	for i, file := range geospatialFiles {
		t.Run(file, func(t *testing.T) {
			o := newOracle(t, file)
			for _, column := range o.columns {
				s := newSpatialPredicates(t, rand.New(rand.NewPCG(seed, uint64(i))), o, column)
				for range rounds {
					if o.compare(t, s.predicate(2)) {
						answered++
					} else {
						failed++
					}
				}
			}
		})
	}
	t.Logf("%d queries have an answer, %d fail", answered, failed)
	if answered < 4*failed {
		t.Error("too many queries fail")
	}
}

// oracle asks about one file with each set of pruners.
type oracle struct {
	table   string
	columns []string // with geometries
	plain   *sql.DB  // without pruning
	pruning map[string]*sql.DB
}

func newOracle(t *testing.T, file string) *oracle {
	t.Helper()
	connector, err := parquetsql.NewConnector(&parquetsql.Config{Path: filepath.Join("..", "..", "testdata", "files", filepath.FromSlash(file))})
	if err != nil {
		t.Fatal(err)
	}
	open := func(set scan.Pruners) *sql.DB {
		db := sql.OpenDB(connector.(interface {
			WithPruners(scan.Pruners) driver.Connector
		}).WithPruners(set))
		t.Cleanup(func() { db.Close() })
		return db
	}
	o := &oracle{plain: open(scan.NoPruners), pruning: map[string]*sql.DB{}}
	for name, set := range prunerSets {
		o.pruning[name] = open(set)
	}
	if err := o.plain.QueryRow("SHOW TABLES").Scan(&o.table); err != nil {
		t.Fatal(err)
	}
	o.table = strconv.Quote(o.table)
	types, err := o.plain.Query("SELECT * FROM " + o.table + " LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer types.Close()
	columns, err := types.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range columns {
		if kind := c.DatabaseTypeName(); kind == "GEOMETRY" || kind == "GEOGRAPHY" {
			o.columns = append(o.columns, strconv.Quote(c.Name()))
		}
	}
	return o
}

// compare returns false where the query fails without pruning: then pruning may skip the
// rows on which it fails.
func (o *oracle) compare(t *testing.T, where string) bool {
	t.Helper()
	query := "SELECT CAST(_row_group AS VARCHAR) || ' ' || CAST(_row AS VARCHAR) FROM " + o.table + " WHERE " + where
	want, err := texts(o.plain, query)
	if err != nil {
		return false
	}
	for name, db := range o.pruning {
		if got, err := texts(db, query); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s\n with %s: %v (%v)\n without pruning: %v", query, name, got, err, want)
		}
	}
	return true
}

// texts are the rows of a query with one column, in the order of the file.
func texts(db *sql.DB, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// spatialPredicates makes conditions over a column. Its numbers are the bounds of the
// column's geometries and their neighbours.
type spatialPredicates struct {
	*rand.Rand
	column string
	xs, ys []float64
	points bool // only points, so that ST_X does not fail
}

func newSpatialPredicates(t *testing.T, r *rand.Rand, o *oracle, column string) *spatialPredicates {
	t.Helper()
	s := &spatialPredicates{Rand: r, column: column, xs: []float64{-180, 0, 180}, ys: []float64{-90, 0, 90}, points: true}
	rows, err := o.plain.Query(fmt.Sprintf("SELECT ST_XMIN(%[1]s), ST_XMAX(%[1]s), ST_YMIN(%[1]s), ST_YMAX(%[1]s), ST_GEOMETRYTYPE(%[1]s) = 'POINT' FROM %[2]s", column, o.table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var bounds [4]sql.NullFloat64
		var point sql.NullBool
		if err := rows.Scan(&bounds[0], &bounds[1], &bounds[2], &bounds[3], &point); err != nil {
			t.Fatal(err)
		}
		if bounds[0].Valid {
			s.xs, s.ys = append(s.xs, bounds[0].Float64, bounds[1].Float64), append(s.ys, bounds[2].Float64, bounds[3].Float64)
		}
		s.points = s.points && (point.Bool || !point.Valid)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func (s *spatialPredicates) near(list []float64) float64 {
	return pick(s.Rand, list) + pick(s.Rand, []float64{0, 0, 1e-9, -1e-9, 0.1, -0.1, 1, -1, 30, -30})
}

// shape is a constant.
func (s *spatialPredicates) shape() string {
	x, y := s.near(s.xs), s.near(s.ys)
	switch s.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("ST_POINT(%v, %v)", x, y)
	case 2:
		return fmt.Sprintf("ST_GEOMFROMTEXT('LINESTRING (%v %v, %v %v)')", x, y, s.near(s.xs), s.near(s.ys))
	case 3:
		return pick(s.Rand, []string{"ST_GEOMFROMTEXT('POINT EMPTY')", "ST_GEOMFROMTEXT('MULTIPOLYGON EMPTY')", "ST_MAKEENVELOPE(-180, -90, 180, 90)"})
	}
	x2, y2 := s.near(s.xs), s.near(s.ys)
	return fmt.Sprintf("ST_MAKEENVELOPE(%v, %v, %v, %v)", min(x, x2), min(y, y2), max(x, x2), max(y, y2))
}

func (s *spatialPredicates) predicate(depth int) string {
	if depth > 0 {
		switch s.IntN(8) {
		case 0:
			return "(" + s.predicate(depth-1) + " AND " + s.predicate(depth-1) + ")"
		case 1:
			return "(" + s.predicate(depth-1) + " OR " + s.predicate(depth-1) + ")"
		case 2:
			return "NOT (" + s.predicate(depth-1) + ")"
		case 3:
			return "(" + s.predicate(depth-1) + ") IS " + pick(s.Rand, []string{"NOT TRUE", "NOT NULL", "FALSE"})
		}
	}
	switch s.IntN(8) {
	case 6, 7:
		return s.join()
	case 0:
		return fmt.Sprintf("ST_DWITHIN(%s, %s, %v)", s.column, s.shape(), pick(s.Rand, []float64{0, 0.5, 3, 100, -1}))
	case 1:
		return s.ordinate()
	case 2:
		kinds := []string{"'POINT'", "'LINESTRING'", "'POLYGON'", "'MULTIPOINT'", "'MULTILINESTRING'", "'GEOMETRYCOLLECTION'"}
		return fmt.Sprintf("ST_GEOMETRYTYPE(%s) %s (%s, %s)", s.column, pick(s.Rand, []string{"IN", "NOT IN"}), pick(s.Rand, kinds), pick(s.Rand, kinds))
	}
	relation := pick(s.Rand, []string{"&&", "INTERSECTS", "CONTAINS", "WITHIN", "COVERS", "COVEREDBY", "TOUCHES", "CROSSES", "OVERLAPS", "EQUALS", "DISJOINT"})
	a, b := s.column, s.shape()
	if s.IntN(3) == 0 {
		a, b = b, a
	}
	if relation == "&&" {
		return a + " && " + b
	}
	return fmt.Sprintf("ST_%s(%s, %s)", relation, a, b)
}

// join is a condition for which the file is the probe side of a join: the boxes of the few
// geometries prune while the query runs.
func (s *spatialPredicates) join() string {
	rows := make([]string, 1+s.IntN(3))
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d, %s)", i, s.shape())
	}
	on := pick(s.Rand, []string{
		"%s && p.g", "ST_INTERSECTS(%s, p.g)", "ST_WITHIN(%s, p.g)", "ST_DWITHIN(%s, p.g, 1)", "ST_DWITHIN(p.g, %s, 200000)", "ST_DWITHIN(%s, p.g, p.i * 3)", "ST_COVERS(p.g, %s) AND p.i > 0",
	})
	return fmt.Sprintf("EXISTS (SELECT 1 FROM (VALUES %s) p(i, g) WHERE %s)", strings.Join(rows, ", "), fmt.Sprintf(on, s.column))
}

func (s *spatialPredicates) ordinate() string {
	functions := []string{"ST_XMIN", "ST_XMAX", "ST_YMIN", "ST_YMAX", "ST_ZMAX", "ST_MMIN"}
	if s.points {
		functions = append(functions, "ST_X", "ST_Y", "ST_Z", "ST_M", "ST_X", "ST_Y")
	}
	f, list := pick(s.Rand, functions), s.xs
	if strings.HasPrefix(f, "ST_Y") {
		list = s.ys
	}
	return fmt.Sprintf("%s(%s) %s %v", f, s.column, pick(s.Rand, []string{"=", "<", ">", "<=", ">=", "<>"}), s.near(list))
}

// TestPole: all meridians meet at a pole, so that shapes with an edge to it are near those of any
// longitude; points alone are not.
func TestPole(t *testing.T) {
	for _, file := range geospatialFiles {
		t.Run(file, func(t *testing.T) {
			o := newOracle(t, file)
			for _, column := range o.columns {
				for _, shape := range []string{
					"LINESTRING (30 20, 58 -90)", "LINESTRING (30 -20, 58 90)", "LINESTRING (30 20, 58 -89.99999999999999)", "LINESTRING (30 90, 30 90)",
					"POLYGON ((30 20, 58 -90, 60 10, 30 20))", "POLYGON ((-30 20, 0 90, 60 10, -30 20))", "MULTIPOINT (30 20, 58 -90)", "POINT (10 90)", "POINT (10 -90)",
				} {
					for _, condition := range []string{"%s && ST_GEOMFROMTEXT('%s')", "ST_INTERSECTS_EXTENT(%s, ST_GEOMFROMTEXT('%s'))", "ST_DWITHIN(%s, ST_GEOMFROMTEXT('%s'), 100)", "ST_INTERSECTS(%s, ST_GEOMFROMTEXT('%s'))"} {
						o.compare(t, fmt.Sprintf(condition, column, shape))
					}
				}
			}
		})
	}
}

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/mutant"
)

// column is a column of an undamaged file.
type column struct{ name, typ string }

// special are the undamaged files of one special kind.
type special struct {
	kind    mutant.Kind
	seeds   []mutant.Seed
	columns [][]column
}

// specials finds the files for the kinds that a flag names.
func specials(kinds string, plain, encrypted []mutant.Seed) ([]special, error) {
	var out []special
	for _, name := range strings.Split(kinds, ",") {
		if !slices.Contains(mutant.Special, mutant.Kind(name)) {
			return nil, fmt.Errorf("no kind %q, there are %q", name, mutant.Special)
		}
		s := special{kind: mutant.Kind(name)}
		for _, f := range slices.Concat(plain, encrypted) {
			if !mutant.Fits(f, s.kind) {
				continue
			}
			if columns, err := describe(f); err == nil && len(columns) > 0 {
				s.seeds, s.columns = append(s.seeds, f), append(s.columns, columns)
			}
		}
		if len(s.seeds) == 0 {
			return nil, fmt.Errorf("no files for %q", name)
		}
		out = append(out, s)
	}
	return out, nil
}

func describe(f mutant.Seed) ([]column, error) {
	db, err := open(&attempt{data: f.Data, keys: f.Keys}, &parquetsql.Config{LogSkipped: "off"})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'm'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []column
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.name, &c.typ); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// special makes the attempt of a number.
func (c *campaign) special(r *rand.Rand) (*attempt, mutant.Kind) {
	s := &c.specials[r.IntN(len(c.specials))]
	for {
		i := r.IntN(len(s.seeds))
		data, kind, ok := mutant.Of(r, s.seeds[i], s.kind)
		if !ok {
			continue
		}
		return &attempt{
			name: s.seeds[i].Name, data: data, original: s.seeds[i].Data, keys: s.seeds[i].Keys,
			kind: kind, query: specialQuery(r, s.kind, s.columns[i]), repeat: true,
		}, kind
	}
}

// others are the queries of files that are not asked about one column.
var others = []string{
	"SELECT * FROM m", "SELECT * FROM m", "SELECT * FROM m", "SELECT COUNT(*) FROM m", "DESCRIBE m", "SELECT * FROM `m$files`", "SELECT * FROM `m$columns`",
	"SELECT * FROM `m$pages`", "SUMMARIZE m", "SELECT * FROM parquet_kv_metadata('m.parquet')", "SELECT * FROM parquet_metadata('m.parquet')",
	"SELECT * FROM parquet_schema('m.parquet')", "SELECT DISTINCT * FROM m",
}

// specialQuery reaches the decoders of the kind. {c} is a column.
func specialQuery(r *rand.Rand, kind mutant.Kind, columns []column) string {
	rest := 10
	if kind == mutant.KeyValues { // most columns are none that a function of geometries takes
		rest = 2
	}
	if kind == mutant.Sealed || kind == mutant.Tampered || r.IntN(rest) == 0 {
		return others[r.IntN(len(others))]
	}
	types := map[mutant.Kind][]string{mutant.Geometry: {"GEOMETRY", "GEOGRAPHY"}, mutant.Variant: {"VARIANT"}, mutant.KeyValues: nil}[kind]
	chosen := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return types != nil && !slices.ContainsFunc(types, func(t string) bool { return strings.HasPrefix(c.typ, t) })
	})
	if len(chosen) == 0 {
		return others[r.IntN(len(others))]
	}
	templates := geometryQueries
	if kind == mutant.Variant {
		templates = variantQueries
	}
	query := templates[r.IntN(len(templates))]
	if r.IntN(3) == 0 && kind != mutant.Variant {
		query = "SELECT " + geometryCalls[r.IntN(len(geometryCalls))] + " FROM m"
	}
	if r.IntN(3) == 0 && kind == mutant.Variant {
		query = "SELECT " + variantCalls[r.IntN(len(variantCalls))] + " FROM m"
	}
	return strings.ReplaceAll(query, "{c}", `"`+strings.ReplaceAll(chosen[r.IntN(len(chosen))].name, `"`, `""`)+`"`)
}

const square = "ST_GEOMFROMTEXT('POLYGON ((-20 -20, 40 -20, 40 50, -20 50, -20 -20))')"

var geometryQueries = []string{
	"SELECT * FROM m",
	"SELECT COUNT(*) FROM m WHERE ST_INTERSECTS({c}, " + square + ")",
	"SELECT {c} FROM m WHERE ST_WITHIN({c}, " + square + ")",
	"SELECT {c} FROM m WHERE ST_INTERSECTS_EXTENT({c}, " + square + ")",
	"SELECT ST_ASTEXT(ST_UNION_AGG({c})) FROM m",
	"SELECT ST_ASTEXT(ST_EXTENT({c})) FROM m",
	"SELECT ST_ASTEXT(ST_COLLECT({c})) FROM m",
	"SELECT COUNT(*) FROM m a JOIN m b ON ST_INTERSECTS(a.{c}, b.{c})",
	"SELECT COUNT(*) FROM m a JOIN m b ON ST_DWITHIN(a.{c}, b.{c}, 2)",
	"SELECT COUNT(*) FROM m a, m b WHERE ST_EQUALS(a.{c}, b.{c})",
	"SELECT {c}, COUNT(*) FROM m GROUP BY {c} ORDER BY ST_ASTEXT({c})",
	"SELECT DISTINCT {c} FROM m",
	"SELECT {c} FROM m ORDER BY ST_XMIN({c}) LIMIT 5",
}

var geometryCalls = []string{
	"ST_ASTEXT({c})", "ST_ASEWKT({c})", "ST_ASGEOJSON({c})", "ST_ASWKB({c})", "ST_ASHEXWKB({c})", "ST_AREA({c})", "ST_LENGTH({c})", "ST_PERIMETER({c})",
	"ST_BOUNDARY({c})", "ST_BUFFER({c}, 1.5)", "ST_BUFFER({c}, -1, 3)", "ST_CENTROID({c})", "ST_CONVEXHULL({c})", "ST_ENVELOPE({c})", "ST_DIMENSION({c})",
	"ST_STARTPOINT({c})", "ST_ENDPOINT({c})", "ST_EXTERIORRING({c})", "ST_INTERIORRINGN({c}, 1)", "ST_GEOMETRYN({c}, 1)", "ST_POINTN({c}, -1)",
	"ST_FLIPCOORDINATES({c})", "ST_FORCE2D({c})", "ST_GEOMETRYTYPE({c})", "ST_ISVALID({c})", "ST_ISSIMPLE({c})", "ST_ISCLOSED({c})", "ST_ISEMPTY({c})",
	"ST_M({c}), ST_MMAX({c}), ST_MMIN({c}), ST_Z({c}), ST_ZMAX({c}), ST_ZMIN({c})", "ST_X({c}), ST_XMAX({c}), ST_XMIN({c}), ST_Y({c}), ST_YMAX({c}), ST_YMIN({c})",
	"ST_NPOINTS({c}), ST_NUMGEOMETRIES({c}), ST_NUMINTERIORRINGS({c})", "ST_POINTONSURFACE({c})", "ST_REVERSE({c})", "ST_SIMPLIFY({c}, 1)", "ST_SRID({c})",
	"ST_TRANSFORM({c}, 'EPSG:4326', 'EPSG:3857')", "ST_RELATE({c}, " + square + ")", "ST_DISTANCE({c}, " + square + ")", "ST_UNION({c}, " + square + ")",
	"ST_INTERSECTION({c}, " + square + ")", "ST_DIFFERENCE({c}, " + square + ")", "ST_SYMDIFFERENCE({c}, " + square + ")", "ST_TOUCHES({c}, " + square + ")",
	"ST_CROSSES({c}, " + square + ")", "ST_OVERLAPS({c}, " + square + ")", "ST_COVERS(" + square + ", {c})", "ST_MAKEPOLYGON({c})", "ST_MAKELINE({c}, {c})",
	"ST_GEOMFROMWKB(ST_ASWKB({c}))", "ST_ASTEXT(ST_GEOMFROMGEOJSON(ST_ASGEOJSON({c})))", "ST_ASTEXT(ST_GEOMFROMTEXT(ST_ASTEXT({c})))", "{c}::VARCHAR", "{c}::BLOB",
}

var variantQueries = []string{
	"SELECT * FROM m", "SELECT {c} FROM m ORDER BY {c}", "SELECT {c}, COUNT(*) FROM m GROUP BY {c}", "SELECT DISTINCT {c} FROM m",
	"SELECT COUNT(*) FROM m a JOIN m b ON a.{c} = b.{c}", "SELECT MIN({c}), MAX({c}) FROM m", "SELECT u FROM m, UNNEST(VARIANT_ENTRIES({c})) t(u)",
	"SELECT COUNT(*) FROM m WHERE {c} = '\"x\"'::JSON::VARIANT", "SELECT COUNT(*) FROM m WHERE VARIANT_GET({c}, '$.a', 'VARCHAR') > 'a'",
	"SELECT {c} FROM m WHERE VARIANT_GET({c}, '$[0]', 'BIGINT') < 100", "SELECT COUNT({c}) FROM m WHERE {c} IS NOT NULL",
	"SELECT {c}::JSON, je.* FROM m, json_tree({c}::JSON) je", "SELECT ARRAY_AGG({c}) FROM m",
}

var variantCalls = []string{
	"{c}::JSON", "{c}::VARCHAR", "TRY_CAST({c} AS BIGINT)", "TRY_CAST({c} AS VARCHAR)", "TRY_CAST({c} AS DOUBLE)", "TRY_CAST({c} AS TIMESTAMP)", "TRY_CAST({c} AS BLOB)",
	"TRY_CAST({c} AS DECIMAL(38, 9))", "TRY_CAST({c} AS VARIANT[])", "VARIANT_TYPE({c})", "VARIANT_KEYS({c})", "VARIANT_ENTRIES({c})", "CARDINALITY({c})",
	"VARIANT_GET({c}, '$.a')", "VARIANT_GET({c}, '$.b.c')", "VARIANT_GET({c}, '$[0]')", "VARIANT_GET({c}, '$[1].event_type')", "VARIANT_GET({c}, '$.event_type', 'VARCHAR')",
	"TRY_VARIANT_GET({c}, '$.event_ts', 'TIMESTAMP')", "TRY_VARIANT_GET({c}, '$.object_fields', 'JSON')", "VARIANT_GET({c}, '$.a')::JSON, {c}::JSON", "{c} IS NULL, {c}::JSON",
}

// sameAgain asks an attempt with one worker and with two: the answers, and whether there is
// an error, must be the same. Where all of the file was authentic, the rows must be those
// of the undamaged file.
func (c *campaign) sameAgain(a *attempt) error {
	ask := func(a *attempt, workers int) (uint64, int, error) {
		config := &parquetsql.Config{VerifyChecksums: true, Parallelism: workers, MemoryLimit: memoryLimit, LogSkipped: "off"}
		db, err := open(a, config)
		if err != nil {
			return 0, 0, err
		}
		defer db.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return sum(ctx, db, a.query)
	}
	if strings.Contains(a.query, "LIMIT") || strings.Contains(a.query, "_AGG") || strings.Contains(a.query, "ST_COLLECT") || strings.HasPrefix(a.query, "SUMMARIZE") {
		return nil // the rows or their order are not determined
	}
	one, rows, err := ask(a, 1)
	two, others, err2 := ask(a, 2)
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err2, context.DeadlineExceeded):
		return nil // the machine may have been busy; hangs are counted before
	case errors.Is(err, parquetsql.ErrMemoryLimit) || errors.Is(err2, parquetsql.ErrMemoryLimit):
		return nil // two workers need more
	case (err == nil) != (err2 == nil):
		return fmt.Errorf("one worker: %v; two: %v", err, err2)
	case err == nil && (one != two || rows != others):
		return fmt.Errorf("%d rows with one worker, %d with two, or others", rows, others)
	case err == nil && a.kind == mutant.Tampered && !strings.Contains(a.query, "$") && !strings.Contains(a.query, "parquet_"):
		whole, rows, err := ask(&attempt{data: a.original, keys: a.keys, query: a.query}, 1)
		if err != nil || whole != one {
			return fmt.Errorf("an authentic file had %d rows, %v, and now has %d that are not those", rows, err, others)
		}
	}
	return nil
}

// sum is a sum of the rows whose order does not matter, and their number.
func sum(ctx context.Context, db *sql.DB, query string) (out uint64, n int, err error) {
	err = each(ctx, db, query, func(row []any) {
		h := fnv.New64a()
		for _, v := range row {
			value := *v.(*sql.RawBytes)
			fmt.Fprintf(h, "%v %d:", value == nil, len(value))
			_, _ = h.Write(value)
		}
		out += h.Sum64()
		n++
	})
	return out, n, err
}

// open opens the file of an attempt.
func open(a *attempt, config *parquetsql.Config) (*sql.DB, error) {
	config.FS, config.Path = fstest.MapFS{"m.parquet": {Data: a.data}}, "m.parquet"
	if a.keys != nil {
		config.FooterKey, config.ColumnKeys, config.AADPrefix = a.keys.Footer, a.keys.Columns, a.keys.AADPrefix
	}
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

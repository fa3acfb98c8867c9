package enginetest

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// The files testdata/files/arrow-go/drift_* differ in the type of their columns x, d, l, s and m
// (see testdata/gen/drift.go). A table of any two of them must have the type that docs/contract.md
// says, and the values that are computed here from their texts, with or without pruning.

// contractPairs reads the table of docs/contract.md: the type of each pair that has one, by both
// names in the order of driftTypes.
func contractPairs(t *testing.T) map[[2]string]string {
	t.Helper()
	_, page, ok := strings.Cut(string(readFile(t, "docs/contract.md")), "| type | with | together |\n| --- | --- | --- |\n")
	if !ok {
		t.Fatal("docs/contract.md has no table of pairs")
	}
	out := map[[2]string]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if len(cells) != 3 {
			break
		}
		for _, with := range strings.Split(cells[1], "; ") {
			together := cells[2]
			if together == "the latter" {
				i := slices.IndexFunc(driftTypes, func(d driftType) bool { return d.name == with })
				if i < 0 {
					t.Fatalf("docs/contract.md: no type %q", with)
				}
				together = driftTypes[i].plain()
			}
			out[[2]string{cells[0], with}] = together
		}
	}
	return out
}

// driftTable opens a table of the files of two types.
func driftTable(t *testing.T, a, b driftType) parquetsql.Config {
	t.Helper()
	file := func(d driftType) *fstest.MapFile {
		return &fstest.MapFile{Data: readFile(t, "testdata/files/arrow-go/drift_"+d.file+".parquet"), ModTime: time.Unix(1e9, 0)}
	}
	return parquetsql.Config{FS: fstest.MapFS{"t/1.parquet": file(a), "t/2.parquet": file(b)}, VerifyChecksums: true}
}

func openConfig(t *testing.T, c parquetsql.Config) *sql.DB {
	t.Helper()
	connector, err := parquetsql.NewConnector(&c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestDriftedTypes: each type beside each, in both orders of the files, by itself and within
// LIST, STRUCT and MAP.
func TestDriftedTypes(t *testing.T) {
	pairs := contractPairs(t)
	for i, a := range driftTypes {
		for _, b := range driftTypes[i:] {
			want, ok := pairs[[2]string{a.name, b.name}]
			delete(pairs, [2]string{a.name, b.name})
			if a.name == b.name {
				want, ok = a.plain(), true
			}
			t.Run(a.file+" and "+b.file, func(t *testing.T) {
				if !ok {
					checkRefused(t, a, b)
					checkRefused(t, b, a)
					return
				}
				checkTogether(t, a, b, want)
				checkTypes(t, openConfig(t, driftTable(t, b, a)), want)
			})
		}
	}
	for pair := range pairs {
		t.Errorf("docs/contract.md has a pair that there is not: %v", pair)
	}
}

// checkRefused: the error names both files and the column and says what helps, and the other
// columns are read.
func checkRefused(t *testing.T, a, b driftType) {
	t.Helper()
	db := openConfig(t, driftTable(t, a, b))
	for column, query := range map[string]string{
		`"x"`: "SELECT x FROM t", `"d"`: "SELECT COUNT(*) FROM t WHERE d IS NULL", `"l"`: "SELECT l FROM t", `"s`: "SELECT s FROM t", `"m"`: "SELECT CARDINALITY(m) FROM t",
	} {
		_, err := queryTable(db, query)
		for _, part := range []string{column, "t/1.parquet", "t/2.parquet", "path or glob", "CAST"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error does not say %s: %v", query, part, err)
			}
		}
	}
	if n := one[int64](t, db, "SELECT SUM(id) FROM t"); n != 240 {
		t.Errorf("the sum of id is %d", n)
	}
}

func checkTypes(t *testing.T, db *sql.DB, want string) {
	t.Helper()
	got, err := queryTable(db, "DESCRIBE SELECT x, d, l, s, m FROM t")
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []string{want, want, "LIST(" + want + ")", "STRUCT(v " + want + ")", "MAP(VARCHAR, " + want + ")"} {
		if got.rows[i][1] != w {
			t.Errorf("%v is %v, want %s", got.rows[i][0], got.rows[i][1], w)
		}
	}
}

func checkTogether(t *testing.T, a, b driftType, table string) {
	t.Helper()
	config := driftTable(t, a, b)
	off := config
	off.Pruning = "off"
	dbs := map[string]*sql.DB{"on": openConfig(t, config), "off": openConfig(t, off)}
	checkTypes(t, dbs["on"], table)
	var x []drifted
	for _, d := range []driftType{a, b} {
		for row := range driftRows {
			x = append(x, d.in(d.at(row), table))
		}
	}
	for pruning, db := range dbs {
		checkDriftedRows(t, db, "pruning "+pruning, table, x)
		if testing.Short() && pruning == "off" {
			continue
		}
		if !strings.Contains(table, "INTEGER)") && table != "STRUCT(a INTEGER, b VARCHAR)" && table != "NULL" {
			every := 1
			if pruning == "off" { // then all conditions are evaluated alike
				every = 4
			}
			checkDriftedConditions(t, db, "pruning "+pruning, table, x, every)
		}
	}
}

// checkDriftedRows compares all rows.
func checkDriftedRows(t *testing.T, db *sql.DB, name, table string, x []drifted) {
	t.Helper()
	got, err := queryTable(db, "SELECT id, x, d, l, s, m FROM t")
	if err != nil || len(got.rows) != 2*driftRows {
		t.Fatalf("%s: %d rows, %v", name, len(got.rows), err)
	}
	float := table == "DOUBLE" || table == "FLOAT" || table == "HALF"
	nested := strings.HasPrefix(table, "LIST") || strings.HasPrefix(table, "MAP") || strings.HasPrefix(table, "STRUCT")
	for i, r := range got.rows {
		row, file := i%driftRows, i/driftRows*driftRows
		v, next := x[i], x[file+(row+1)%driftRows]
		if r[0] != int64(row) {
			t.Fatalf("%s: row %d has id %v", name, i, r[0])
		}
		var list, object, group any
		if row%5 == 3 {
			list = []any{}
		} else if row%5 != 4 {
			list = []any{v.json, nil, next.json}
		}
		if row%7 != 6 {
			group = map[string]any{"v": v.json}
		}
		if row%5 != 2 {
			object = map[string]any{"a": v.json, "b": next.json}
		}
		for k, want := range []any{v.json, v.json, list, group, object} {
			value := r[k+1]
			if k < 2 && !nested {
				if driftText(value) != v.text {
					t.Errorf("%s: row %d, column %d: %q, want %q", name, i, k+1, driftText(value), v.text)
				}
				continue
			}
			var decoded any
			if value != nil {
				decodeJSON(value.(string), &decoded)
			}
			if !sameDriftJSON(want, decoded, float) {
				t.Errorf("%s: row %d, column %d: %v, want %v", name, i, k+1, value, want)
			}
		}
	}
}

// checkDriftedConditions compares the number of rows that fulfil conditions with one value of so many,
// and the extremes.
func checkDriftedConditions(t *testing.T, db *sql.DB, name, table string, x []drifted, every int) {
	t.Helper()
	var known []drifted
	byText := map[string]drifted{}
	var elements, fields []drifted
	for i, v := range x {
		row, file := i%driftRows, i/driftRows*driftRows
		if !v.null {
			known = append(known, v)
			byText[v.text] = v
			if row%7 != 6 {
				fields = append(fields, v)
			}
		}
		if row%5 < 3 {
			elements = append(elements, v, x[file+(row+1)%driftRows])
		}
	}
	elements = slices.DeleteFunc(elements, func(v drifted) bool { return v.null })
	count := func(want int, query string, args ...any) {
		t.Helper()
		query = fmt.Sprintf(query, args...)
		var n int
		if err := db.QueryRow(query).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %s: %d (%v), want %d", name, query, n, err, want)
		}
	}
	matches := func(values []drifted, c drifted, ok func(int) bool) (n int) {
		for _, v := range values {
			if ok(orderOf(v, c)) {
				n++
			}
		}
		return n
	}
	for i, text := range slices.Sorted(maps.Keys(byText)) {
		c := byText[text]
		if i%every > 0 {
			continue
		}
		for op, ok := range map[string]func(int) bool{
			"=": func(n int) bool { return n == 0 }, "<": func(n int) bool { return n < 0 }, ">=": func(n int) bool { return n >= 0 }, "<>": func(n int) bool { return n != 0 },
		} {
			count(matches(known, c, ok), "SELECT COUNT(*) FROM t WHERE x %s %s", op, c.sql)
			count(matches(elements, c, ok), "SELECT COUNT(*) FROM t, t.l e WHERE e.item %s %s", op, c.sql)
		}
		equal := func(n int) bool { return n == 0 }
		count(matches(known, c, equal), "SELECT COUNT(*) FROM t WHERE x IN (%s, NULL)", c.sql)
		count(matches(known, c, equal), "SELECT COUNT(*) FROM t WHERE d = %s", c.sql)
		count(matches(fields, c, equal), "SELECT COUNT(*) FROM t WHERE s.v = %s", c.sql)
	}
	count(len(known), "SELECT COUNT(x) FROM t")
	count(len(x)-len(known), "SELECT COUNT(*) FROM t WHERE x IS NULL")
	count(len(known), "SELECT COUNT(*) FROM t WHERE d IS NOT NULL")
	if len(known) == 0 {
		return
	}
	got, err := queryTable(db, "SELECT MIN(x), MAX(x), MIN(d), MAX(d) FROM t")
	if err != nil {
		t.Fatal(err)
	}
	low, high := slices.MinFunc(known, orderOf), slices.MaxFunc(known, orderOf)
	for i, want := range []drifted{low, high, low, high} {
		if text := driftText(got.rows[0][i]); text != want.text {
			t.Errorf("%s: extreme %d of %s: %s, want %s", name, i, table, text, want.text)
		}
	}
}

// TestMiscountedNulls: where only the null count says that a column has no value, a value is
// damage, and the rows are left out with on_corrupt=skip.
func TestMiscountedNulls(t *testing.T) {
	wrong := flat{name: "c", physical: 1, converted: -1, optional: true, nulls: 2, values: []any{int32(1), int32(2)}}
	dir := tree(t, map[string][]byte{
		"t/1.parquet": parquetOf(ints("a", int32(1), int32(2)), wrong),
		"t/2.parquet": parquetOf(ints("a", int32(3)), flat{name: "c", physical: 1, converted: 6, values: []any{int32(3)}}),
	})
	keep(t, openDir(t, dir), say(
		"SELECT a FROM t ORDER BY a", "1; 2; 3",
		"SELECT column_type FROM (DESCRIBE t) WHERE column_name = 'c'", "'DATE'",
		"SELECT c FROM `t/1.parquet` ORDER BY c", "1; 2",
	)...)
	_, err := queryTable(openDir(t, dir), "SELECT c FROM t")
	var corrupt *parquetsql.CorruptError
	if !errors.As(err, &corrupt) || corrupt.File != "t/1.parquet" || corrupt.Column != "c" || corrupt.RowGroup != 0 {
		t.Errorf("%v", err)
	}
	keep(t, openDir(t, dir+"?on_corrupt=skip"), say("SELECT a, c FROM t", "3 1970-01-04T00:00:00Z")...)
}

// TestPruningOfDriftedTypes: random predicates over pairs of files, as TestPruningOfUnions.
func TestPruningOfDriftedTypes(t *testing.T) {
	seed, rounds := pruneRun(t, 200, 60)
	r := rand.New(rand.NewPCG(seed, 1))
	asked := map[string]int{}
	pairs := contractPairs(t)
	for range rounds {
		a, b := pick(r, driftTypes), pick(r, driftTypes)
		if _, ok := pairs[[2]string{a.name, b.name}]; !ok {
			continue
		}
		t.Run(a.file+" and "+b.file, func(t *testing.T) {
			if o := newPruneOracle(t, r, driftTable(t, a, b)); o != nil {
				o.ask(t, 10, asked)
			}
		})
	}
	t.Logf("asked: %v", asked)
}

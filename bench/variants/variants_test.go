package variants

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/scan"
)

// TestVariants writes random Variants and reads them back, whole and by paths, and asks
// random conditions with pruning and without. PARQUETSQL_VARIANT_ROUNDS is the number of
// files, of 10 paths, 60 conditions and 10 pairs of conditions each; PARQUETSQL_VARIANT_SEED repeats a run.
func TestVariants(t *testing.T) {
	seed, rounds := uint64(time.Now().UnixNano()), 40
	if testing.Short() {
		rounds = 10
	}
	if n, err := strconv.ParseUint(os.Getenv("PARQUETSQL_VARIANT_SEED"), 10, 64); err == nil {
		seed = n
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_VARIANT_ROUNDS")); err == nil {
		rounds = n
	}
	for range rounds {
		oneFile(t, seed)
		if t.Failed() {
			return
		}
		seed++
	}
}

// conditions is the number of random conditions of a file.
const conditions = 60

func open(t *testing.T, files fstest.MapFS, pruners scan.Pruners) *sql.DB {
	t.Helper()
	c := parquetsql.NewConfig()
	c.FS, c.Path = files, "."
	if pruners == scan.NoPruners {
		c.Pruning = "off"
	}
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

func oneFile(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var rows []any
	files := fstest.MapFS{}
	var s *shredding
	for n := range 1 + r.IntN(2) { // differently shredded
		s = randomShredding(r, 0)
		var groups [][]any
		for g := range 1 + r.IntN(4) {
			var group []any
			for i := range 1 + r.IntN(120) {
				var v any = missing{}
				if r.IntN(20) > 0 {
					v = randomValue(r, s, 0, g*4+i/40)
				}
				group = append(group, v)
			}
			groups = append(groups, group)
			rows = append(rows, group...)
		}
		data := write(s, groups, parquet.WithDataPageSize(200), parquet.WithBatchSize(16), parquet.WithPageIndexEnabled(r.IntN(3) > 0),
			parquet.WithDictionaryDefault(r.IntN(2) == 0), parquet.WithDataPageVersion([]parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2}[r.IntN(2)]))
		files[fmt.Sprintf("t/%d.parquet", n)] = &fstest.MapFile{Data: data, ModTime: time.Unix(1e9, 0)}
		if n > 0 {
			break
		}
	}
	on, off := open(t, files, scan.AllPruners), open(t, files, scan.NoPruners)
	compare(t, seed, on, rows, "v", nil)
	for range 10 {
		path := randomPath(r, s)
		compare(t, seed, on, rows, "v->'"+text(path)+"'", path)
	}
	for range 5 {
		unnest(t, seed, r, on, s, rows)
	}
	for range conditions {
		sameRows(t, seed, on, off, condition(r, s, rows))
	}
	for range conditions / 6 {
		bothRows(t, seed, on, condition(r, s, rows), condition(r, s, rows))
	}
}

// compare reads an expression of all rows, which come in their order.
func compare(t *testing.T, seed uint64, db *sql.DB, rows []any, e string, path []step) {
	t.Helper()
	found, err := db.Query("SELECT " + e + " FROM t ORDER BY _file, id")
	if err != nil {
		t.Fatalf("seed %d: %s: %v", seed, e, err)
	}
	defer found.Close()
	i := 0
	for ; found.Next(); i++ {
		var got sql.NullString
		if err := found.Scan(&got); err != nil {
			t.Fatal(err)
		}
		want, ok := rows[i], true
		if _, none := want.(missing); none {
			ok = false
		} else {
			want, ok = at(want, path)
		}
		if ok != got.Valid || ok && !reflect.DeepEqual(parse(t, got.String), parse(t, string(must(json.Marshal(want))))) {
			t.Fatalf("seed %d: %s of row %d is %v, want %v (%v)", seed, e, i, got, want, ok)
		}
	}
	if err := found.Err(); err != nil || i != len(rows) {
		t.Fatalf("seed %d: %s: %d rows of %d, %v", seed, e, i, len(rows), err)
	}
}

// parse reads JSON, where 1.0 is not 1: a double of a whole number has no point in our
// text, as in that of Go.
func parse(t *testing.T, text string) (v any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(text, err)
	}
	return v
}

// condition is a random condition on a path, with a value of some row.
func condition(r *rand.Rand, s *shredding, rows []any) string {
	path := randomPath(r, s)
	if s.kind == objects && r.IntN(2) == 0 {
		var simple []string
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			if s.fields[name].kind < objects {
				simple = append(simple, name)
			}
		}
		if len(simple) > 0 {
			path = []step{{name: simple[r.IntN(len(simple))]}}
		}
	}
	var x any = int64(r.IntN(100))
	for range 20 {
		if v, ok := at(rows[r.IntN(len(rows))], path); ok {
			x = v
			break
		}
	}
	op := []string{"=", "<>", "<", "<=", ">", ">="}[r.IntN(6)]
	p := text(path)
	literal, typed := "5", "BIGINT"
	switch x := x.(type) {
	case int64: // numbers are compared by value, whatever their class
		literal = strconv.FormatInt(x, 10) + []string{"", ".0", "e0", ".5"}[r.IntN(4)]
	case float64:
		literal, typed = strconv.FormatFloat(x, "ef"[r.IntN(2)], -1, 64), "DOUBLE"
	case string:
		literal, typed = "'"+x+"'", "VARCHAR"
	case bool:
		literal, typed = strconv.FormatBool(x), "BOOLEAN"
	}
	switch r.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("v->'%s' %s %s", p, op, literal)
	case 2:
		return fmt.Sprintf("TRY_VARIANT_GET(v, '%s', '%s') %s %s", p, typed, op, literal)
	case 3:
		return fmt.Sprintf("v->>'%s' %s '%v'", p, op, x)
	case 4:
		return fmt.Sprintf("v->'%s' IS %sNULL", p, []string{"", "NOT "}[r.IntN(2)])
	case 6:
		return fmt.Sprintf("v->'%s' IS %sDISTINCT FROM %s", p, []string{"", "NOT "}[r.IntN(2)], literal)
	case 5:
		return fmt.Sprintf("v->'%s' IN (%s, 7, 'a1')", p, literal)
	}
	return fmt.Sprintf("VARIANT_GET(v, '%s', '%s') %s %s", p, typed, op, literal)
}

// sameRows compares the rows of a condition, with their values, with pruning and without.
func sameRows(t *testing.T, seed uint64, on, off *sql.DB, where string) {
	t.Helper()
	got, err1 := matches(on, where)
	want, err2 := matches(off, where)
	if err2 != nil && err1 == nil {
		return // pruning may skip rows on which the condition fails
	}
	if fmt.Sprint(err1) != fmt.Sprint(err2) && (err1 == nil) != (err2 == nil) || err1 == nil && !slices.Equal(got, want) {
		t.Errorf("seed %d: %s:\n with pruning    %v (%v)\n without pruning %v (%v)", seed, where, got, err1, want, err2)
	}
}

// bothRows: two conditions have the rows that each of them has. The second one looks at
// the rows only that the first one leaves.
func bothRows(t *testing.T, seed uint64, db *sql.DB, a, b string) {
	t.Helper()
	rowsA, err1 := matches(db, a)
	rowsB, err2 := matches(db, b)
	if err1 != nil || err2 != nil {
		return
	}
	want := slices.DeleteFunc(rowsA, func(row string) bool { return !slices.Contains(rowsB, row) })
	got, err := matches(db, a+" AND "+b)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("seed %d: %s AND %s:\n %v (%v), want\n %v", seed, a, b, got, err, want)
	}
}

// matches are the rows of a condition: file, number, value.
func matches(db *sql.DB, where string) ([]string, error) {
	rows, err := db.Query("SELECT _file || ' ' || id, v FROM t WHERE " + where)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		var v sql.NullString
		if err := rows.Scan(&id, &v); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%s %s %t", id, v.String, v.Valid))
	}
	slices.Sort(out)
	return out, rows.Err()
}

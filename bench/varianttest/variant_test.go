package varianttest

import (
	"database/sql"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "seed of the random values; 0 takes a new one")
	firstFlag = flag.Uint64("first", 0, "the first round")
	keepFlag  = flag.String("keep", "", "a directory for the files that fail")
)

// TestRandomVariants writes and reads random values; PARQUETSQL_VARIANTS is the number
// of files.
func TestRandomVariants(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 30
	}
	if s := os.Getenv("PARQUETSQL_VARIANTS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		rounds = n
	}
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	failed, found, refused := 0, 0, map[string]int{}
	for round := *firstFlag; round < *firstFlag+rounds; round++ {
		f := fixture{maker: maker{rand.New(rand.NewPCG(seed, round))}}
		err := f.run()
		if f.refused != nil {
			refused[fmt.Sprint(f.refused)]++
		}
		if found += f.found; err != nil {
			t.Errorf("-seed %d -first %d: %v", seed, round, err)
			if *keepFlag != "" {
				os.WriteFile(filepath.Join(*keepFlag, fmt.Sprintf("%d-%d.parquet", seed, round)), f.file, 0o644)
			}
			if failed++; failed == 5 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d files; paths led to %d values; refused by arrow-go: %v", rounds, found, refused)
}

// fixture is one table: its values, and connections to its file.
type fixture struct {
	maker
	values []any
	file   []byte
	dbs    []*sql.DB
	found  int // values that paths led to

	refused any // why arrow-go did not write the file
}

func (f *fixture) run() (err error) {
	for range 1 + f.IntN(60) {
		f.values = append(f.values, f.value(4))
		if f.one(8) {
			f.values[len(f.values)-1] = missing
		} else if f.one(2) { // files have many values of one shape
			f.values[len(f.values)-1] = f.values[f.IntN(len(f.values))]
		}
	}
	layout := f.layout(f.values[f.IntN(len(f.values))], 4)
	if f.refused = f.try(layout); f.refused != nil {
		return nil
	}
	for _, c := range []parquetsql.Config{{Parallelism: 2}, {Parallelism: 1, Pruning: "off"}} {
		c.FooterKey = []byte(footerKey)
		c.FS, c.Path = fstest.MapFS{"t.parquet": {Data: f.file}}, "t.parquet"
		connector, err := parquetsql.NewConnector(&c)
		if err != nil {
			return err
		}
		db := sql.OpenDB(connector)
		defer db.Close()
		f.dbs = append(f.dbs, db)
	}
	if err := f.check("v", "v->>'$'", func(x any) any { return x }); err != nil {
		return err
	}
	for range 4 {
		path := f.path(f.values[f.IntN(len(f.values))])
		p := sqlPath(path)
		if err := f.check("v->"+p, "v->>"+p, func(x any) any { return at(x, path) }); err != nil {
			return err
		}
		if err := f.filter(path); err != nil {
			return err
		}
	}
	return nil
}

// try writes the file; arrow-go panics for some layouts.
func (f *fixture) try(layout *node) (err any) {
	defer func() {
		if err == nil {
			err = recover()
		}
	}()
	file, failed := f.write(layout, f.values)
	if f.file = file; failed != nil {
		return failed
	}
	return nil
}

// check compares a VARIANT and its text with the values that of finds.
func (f *fixture) check(value, asText string, of func(x any) any) error {
	query := fmt.Sprintf("SELECT id, %s, %s FROM t ORDER BY id", value, asText)
	for _, db := range f.dbs {
		rows, err := db.Query(query)
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		defer rows.Close()
		n := 0
		for ; rows.Next(); n++ {
			var id int64
			var whole, text sql.NullString
			if err := rows.Scan(&id, &whole, &text); err != nil {
				return err
			}
			x := missing
			if f.values[id] != missing {
				x = of(f.values[id])
			}
			if err := f.checkRow(x, whole, text); err != nil {
				return fmt.Errorf("%s, row %d: %w", query, id, err)
			}
		}
		if err := rows.Err(); err != nil || n != len(f.values) {
			return fmt.Errorf("%s: %d rows of %d, %w", query, n, len(f.values), err)
		}
	}
	return nil
}

func (f *fixture) checkRow(x any, whole, asText sql.NullString) error {
	if x == missing {
		if whole.Valid || asText.Valid {
			return fmt.Errorf("%v and %v, want NULL", whole, asText)
		}
		return nil
	}
	f.found++
	want := text(x)
	if !whole.Valid || !sameJSON(whole.String, want) {
		return fmt.Errorf("%v, want %s", whole, want)
	}
	good := asText.Valid == (x != nil)
	switch x := x.(type) {
	case scalar:
		if s, ok := x.v.(string); ok {
			good = good && asText.String == s
		}
	case []any, map[string]any:
		good = good && sameJSON(asText.String, want)
	}
	if !good {
		return fmt.Errorf("the text is %v of %s", asText, want)
	}
	return nil
}

// filter looks for the rows in which a path leads to a string or an exact number: those
// of the same equivalence class.
func (f *fixture) filter(path []step) error {
	x, ok := at(f.values[f.IntN(len(f.values))], path).(scalar)
	if !ok {
		return nil
	}
	_, isText := x.v.(string)
	number, isNumber := exact(x)
	constant := x.json
	switch {
	case isText:
		constant = literal(x.v.(string))
	case !isNumber:
		return nil
	}
	var want []string
	for id, v := range f.values {
		switch y, ok := at(v, path).(scalar); {
		case !ok:
		case isText:
			if y.v == x.v {
				want = append(want, strconv.Itoa(id))
			}
		default:
			if n, ok := exact(y); ok && n.Cmp(number) == 0 {
				want = append(want, strconv.Itoa(id))
			}
		}
	}
	query := fmt.Sprintf("SELECT id FROM t WHERE v->%s = %s ORDER BY id", sqlPath(path), constant)
	for _, db := range f.dbs {
		var got []string
		rows, err := db.Query(query)
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			got = append(got, id)
		}
		if err := rows.Err(); err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			return fmt.Errorf("%s: rows %v, want %v, %v", query, got, want, err)
		}
	}
	return nil
}

// exact is the value of an integer or decimal.
func exact(x scalar) (*big.Rat, bool) {
	switch x.v.(type) {
	case float32, float64, bool:
		return nil, false
	}
	if x.json[0] == '"' {
		return nil, false
	}
	return new(big.Rat).SetString(x.json)
}

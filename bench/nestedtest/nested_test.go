package nestedtest

import (
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "seed of the random schemas; 0 takes a new one")
	firstFlag = flag.Uint64("first", 0, "the first round")
	keepFlag  = flag.String("keep", "", "a directory for the files that fail")
)

// TestRandomSchemas writes and reads random schemas; PARQUETSQL_SCHEMAS is their number.
func TestRandomSchemas(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 30
	}
	if s := os.Getenv("PARQUETSQL_SCHEMAS"); s != "" {
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
	counts := map[string]int{}
	for round := *firstFlag; round < *firstFlag+rounds; round++ {
		if done := round - *firstFlag; done > 0 && done%500 == 0 {
			t.Logf("%d schemas: %v", done, counts)
		}
		m := &maker{Rand: rand.New(rand.NewPCG(seed, round))}
		f := &fixture{t: t, m: m, counts: counts}
		if err := f.run(); err != nil {
			t.Errorf("-seed %d -first %d: %s, %d rows\n%v\n%v", seed, round, f.writer, len(f.records), f.root, err)
			if *keepFlag != "" {
				os.WriteFile(filepath.Join(*keepFlag, fmt.Sprintf("%d-%d.parquet", seed, round)), f.file, 0o644)
			}
			if counts["failed"]++; counts["failed"] == 10 {
				t.FailNow()
			}
		}
	}
	t.Log(counts)
}

// fixture is one table: its records, and connections to its file.
type fixture struct {
	t       *testing.T
	m       *maker
	root    *node
	records [][]any
	large   bool // a list may be so long that it must not be repeated for each element
	writer  string
	file    []byte
	dbs     []*sql.DB // the usual one, then those with other options
	counts  map[string]int
}

func (f *fixture) run() (err error) {
	f.write()
	if f.file == nil {
		return nil
	}
	for _, c := range []parquetsql.Config{{Parallelism: 2}, {Parallelism: 2, Pruning: "off"}, {Parallelism: 1}} {
		c.FS, c.Path = fstest.MapFS{"t.parquet": {Data: f.file}}, "t.parquet"
		connector, err := parquetsql.NewConnector(&c)
		if err != nil {
			return err
		}
		db := sql.OpenDB(connector)
		defer db.Close()
		f.dbs = append(f.dbs, db)
	}
	for _, check := range []func() error{f.whole, f.alone, f.groups, f.functions, f.joins} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// write makes the schema, the records and the file. It returns nil where the writer
// cannot write such a schema.
func (f *fixture) write() {
	write := f.m.arrows
	if f.writer = "arrow-go"; f.m.one(2) {
		f.writer, f.m.bare, write = "parquet-go", true, f.m.dremel
	}
	f.root = f.m.table()
	rows, size := 1+f.m.IntN(200), 200
	switch f.m.IntN(20) {
	case 0:
		rows, size = 1+f.m.IntN(6000), 30
	case 1:
		rows, size, f.large = 1+f.m.IntN(5), 20_000, true
	}
	for i := range rows {
		f.records = append(f.records, f.m.record(f.root, int64(i), size))
	}
	defer func() {
		if p := recover(); p != nil {
			f.file = nil
			f.counts["refused by "+f.writer]++
			f.t.Logf("%s: %v: %s", f.writer, p, f.root)
		}
	}()
	file, err := write(f.root, f.records)
	if err != nil {
		panic(err)
	}
	f.counts[f.writer]++
	f.file = file
}

// query runs a query on the usual connection, and on the others too where all is set,
// and compares its rows with those wanted, in any order.
func (f *fixture) query(all bool, text string, args []any, types []*node, want [][]any) error {
	lines := make([]string, len(want))
	for i, row := range want {
		for k, v := range row {
			lines[i] += canonical(types[k], v) + " | "
		}
	}
	slices.Sort(lines)
	dbs := f.dbs
	if !all {
		dbs = dbs[:1]
	}
	for i, db := range dbs {
		got, err := fetch(db, text, args, types)
		if err == nil {
			err = same(got, lines)
		}
		if err != nil {
			return fmt.Errorf("%s %v\nconnection %d: %w", text, args, i, err)
		}
		f.counts["queries"]++
	}
	return nil
}

func fetch(db *sql.DB, text string, args []any, types []*node) ([]string, error) {
	rows, err := db.Query(text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	if len(names) != len(types) {
		return nil, fmt.Errorf("columns %v, %d wanted", names, len(types))
	}
	values, targets := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		targets[i] = &values[i]
	}
	lines := []string{}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		line := ""
		for i, v := range values {
			text, err := received(types[i], v)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", names[i], err)
			}
			line += text + " | "
		}
		lines = append(lines, line)
	}
	return lines, rows.Err()
}

func same(got, want []string) error {
	slices.Sort(got)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("%d rows, %d wanted; missing: %.2000s", len(got), len(want), want[i])
		case i >= len(want):
			return fmt.Errorf("%d rows, %d wanted; too many: %.2000s", len(got), len(want), got[i])
		case got[i] != want[i]:
			return fmt.Errorf("%d rows, %d wanted;\ngot    %.2000s\nwanted %.2000s", len(got), len(want), got[i], want[i])
		}
	}
	return nil
}

var (
	bigint  = &node{name: "number", kind: signed, bits: 64}
	truth   = &node{name: "truth", kind: boolean}
	varchar = &node{name: "text", kind: text}
)

// column values of all records, after the id.
func (f *fixture) values(of func(record []any) any) [][]any {
	var rows [][]any
	for _, r := range f.records {
		rows = append(rows, []any{r[0], of(r)})
	}
	return rows
}

// whole reads all columns.
func (f *fixture) whole() error {
	columns, _ := columnsOf(f.root, nil, itself)
	var types []*node
	for _, c := range columns {
		types = append(types, c.n)
	}
	var rows [][]any
	for _, r := range f.records {
		var row []any
		for _, c := range columns {
			row = append(row, c.get(r))
		}
		rows = append(rows, row)
	}
	return f.query(true, "SELECT * FROM t", nil, types, rows)
}

// alone reads one column per query.
func (f *fixture) alone() error {
	columns, _ := columnsOf(f.root, nil, itself)
	for _, c := range columns[1:] {
		var rows [][]any
		for _, r := range f.records {
			rows = append(rows, []any{c.get(r)})
		}
		if err := f.query(false, "SELECT "+c.sql("t")+" FROM t", nil, []*node{c.n}, rows); err != nil {
			return err
		}
	}
	return nil
}

// groups reads each struct as one value.
func (f *fixture) groups() error {
	_, groups := columnsOf(f.root, nil, itself)
	for _, c := range groups {
		if err := f.query(false, "SELECT id, "+c.sql("t")+" FROM t", nil, []*node{bigint, c.n}, f.values(func(r []any) any { return c.get(r) })); err != nil {
			return err
		}
	}
	return nil
}

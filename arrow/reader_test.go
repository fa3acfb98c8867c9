package arrow_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/parquetsql/parquetsql"
	sqlarrow "github.com/parquetsql/parquetsql/arrow"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestTypes: the Arrow type of each SQL type, and a value of it.
func TestTypes(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	db := open(t, testdata)
	for _, c := range []struct{ expression, kind, value string }{
		{"NULL", "null", "(null)"},
		{"TRUE", "bool", "true"},
		{"CAST(-8 AS TINYINT)", "int8", "-8"},
		{"CAST(65535 AS USMALLINT)", "uint16", "65535"},
		{"CAST(18446744073709551615 AS UBIGINT)", "uint64", "18446744073709551615"},
		{"CAST(1.5 AS FLOAT)", "float32", "1.5"},
		{"CAST(1.50 AS DECIMAL(4,2))", "decimal(4, 2)", "1.5"},
		{"CAST(-1.5 AS DECIMAL(38,1))", "decimal(38, 1)", "-1.5"},
		{"DATE '2024-02-29'", "date32", "2024-02-29"},
		{"TIME '10:20:30.5'", "time64[us]", "10:20:30.500000"},
		{"TIMESTAMP '2024-02-29 10:20:30.25'", "timestamp[us]", "2024-02-29T10:20:30.25"},
		{"TIMESTAMPTZ '2024-02-29 10:20:30+01'", "timestamp[us, tz=UTC]", "2024-02-29T09:20:30Z"},
		{"CAST('2024-02-29 10:20:30' AS TIMESTAMP_S)", "timestamp[s]", "2024-02-29T10:20:30"},
		{"INTERVAL '14 months -3 days 1.5 seconds'", "month_day_nano_interval", `{"months":14,"days":-3,"nanoseconds":1500000000}`},
		{"'ä'", "utf8", "ä"},
		{"CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)", "extension<arrow.uuid>", "00112233-4455-6677-8899-aabbccddeeff"},
		{"CAST('{\"a\":1}' AS JSON)", "extension<arrow.json[storage_type=utf8]>", `{"a":1}`},
		{"[1, NULL, 3]", "list<element: int64, nullable>", "[1,null,3]"},
		{"[]", "list<element: null, nullable>", "[]"},
		{"{'a': 1, 'b': 'x'}", "struct<a: int64 nullable, b: utf8 nullable>", `{"a":1,"b":"x"}`},
		{"{'a': NULL, 'b': [{'c': 1.5}]}", "struct<a: null nullable, b: list<element: struct<c: decimal(2, 1) nullable>, nullable> nullable>", `{"a":null,"b":[{"c":"1.5"}]}`},
		{"MAP {'k': 1}", "map<utf8, int64, items_nullable>", `[{"key":"k","value":1}]`},
	} {
		r, err := sqlarrow.Options{Allocator: mem}.Query(context.Background(), db, "SELECT "+c.expression+" AS x")
		if err != nil {
			t.Errorf("%s: %v", c.expression, err)
			continue
		}
		kind := r.Schema().Field(0).Type.String()
		if !r.Next() {
			t.Fatalf("%s: %v", c.expression, r.Err())
		}
		if value := r.RecordBatch().Column(0).ValueStr(0); kind != c.kind || value != c.value {
			t.Errorf("%s: %s %s, not %s %s", c.expression, kind, value, c.kind, c.value)
		}
		if r.Next() || r.Err() != nil {
			t.Errorf("%s: more rows, or %v", c.expression, r.Err())
		}
		r.Release()
	}
}

// TestErrors: what a query, a value or the context has against it.
func TestErrors(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	db := open(t, testdata)
	options := sqlarrow.Options{Allocator: mem}
	for query, want := range map[string]error{
		"SELECT DATE '0001-01-01' + INTERVAL '9999999 years'": nil,
		"SELECT 1 AS x FROM":                               nil,
		"SELECT x FROM nowhere":                            nil,
		"SELECT at FROM 'files/crafted/int96_far.parquet'": parquetsql.ErrOutOfRange,
		"SELECT TO_SECONDS(9223372036854)":                 parquetsql.ErrOutOfRange,
		"SELECT CAST(1 AS DECIMAL(80,2))":                  nil,
		"DELETE FROM penguins":                             parquetsql.ErrReadOnly,
		"SELECT CAST(name AS INTEGER) FROM airports":       parquetsql.ErrInvalidValue,
	} {
		r, err := options.Query(context.Background(), db, query)
		if err == nil {
			for r.Next() {
			}
			err = r.Err()
			r.Release()
		}
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	other := sql.OpenDB(foreign{})
	defer other.Close()
	if _, err := sqlarrow.QueryArrow(context.Background(), other, "SELECT 1"); err == nil || !strings.Contains(err.Error(), "foreign") {
		t.Errorf("another driver: %v", err)
	}
}

// TestCancel: the context ends the rows, and all memory comes back.
func TestCancel(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := sqlarrow.Options{Allocator: mem}.Query(ctx, open(t, testdata), "SELECT a.name, b.name FROM airports a, airports b")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for range 3 {
		if !r.Next() {
			t.Fatal(r.Err())
		}
	}
	cancel()
	for r.Next() {
	}
	if !errors.Is(r.Err(), context.Canceled) {
		t.Error(r.Err())
	}
}

// TestDamageInTheMiddle: the rows before the damage come, and then its error.
func TestDamageInTheMiddle(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	good, err := os.ReadFile(filepath.Join(testdata, "airports.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(good)
	for i := len(bad) / 4; i < len(bad)/4+400; i++ {
		bad[i] ^= 0x5a
	}
	c := parquetsql.NewConfig()
	c.Path = "."
	c.FS = fstest.MapFS{"t1.parquet": {Data: good}, "t2.parquet": {Data: bad}}
	c.Parallelism = 1
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	r, err := sqlarrow.Options{Allocator: mem}.Query(context.Background(), db, "SELECT * FROM read_parquet(['t1.parquet', 't2.parquet'])")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	rows := int64(0)
	for r.Next() {
		rows += r.RecordBatch().NumRows()
	}
	var damage *parquetsql.CorruptError
	if !errors.As(r.Err(), &damage) || rows < 3376 {
		t.Errorf("%d rows, %v", rows, r.Err())
	}
}

// TestRetained: a batch that is retained outlives the reader, and is not the driver's memory.
func TestRetained(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	db := open(t, testdata+"?parallelism=1")
	r, err := sqlarrow.Options{Allocator: mem, Dictionaries: true}.Query(context.Background(), db, "SELECT name, state, latitude FROM airports ORDER BY iata")
	if err != nil {
		t.Fatal(err)
	}
	var batches []arrow.RecordBatch
	for r.Next() {
		b := r.RecordBatch()
		b.Retain()
		batches = append(batches, b)
	}
	if r.Err() != nil || len(batches) < 2 {
		t.Fatal(len(batches), r.Err())
	}
	r.Release()
	rows, err := db.Query("SELECT name, state, latitude FROM airports ORDER BY iata")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for _, b := range batches {
		names, states, latitudes := b.Column(0).(*array.Dictionary), b.Column(1).(*array.Dictionary), b.Column(2).(*array.Float64)
		for i := range int(b.NumRows()) {
			var name, state string
			var latitude float64
			if !rows.Next() || rows.Scan(&name, &state, &latitude) != nil {
				t.Fatal("rows end early", rows.Err())
			}
			if names.Dictionary().ValueStr(names.GetValueIndex(i)) != name || states.Dictionary().ValueStr(states.GetValueIndex(i)) != state || latitudes.Value(i) != latitude {
				t.Fatalf("row %d: %s, %s", i, name, state)
			}
		}
		b.Release()
	}
}

// TestDictionariesAreKept: batches of one dictionary page share one dictionary.
func TestDictionariesAreKept(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	r, err := sqlarrow.Options{Allocator: mem, Dictionaries: true}.Query(context.Background(), open(t, testdata+"?parallelism=1"), "SELECT state FROM airports")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	dictionaries := map[string]int{}
	batches := 0
	for r.Next() {
		d := r.RecordBatch().Column(0).(*array.Dictionary).Dictionary()
		dictionaries[fmt.Sprintf("%p", &d.Data().Buffers()[2].Bytes()[0])]++
		batches++
	}
	if r.Err() != nil || batches < 2 || len(dictionaries) != 1 {
		t.Errorf("%d batches have %d dictionaries, %v", batches, len(dictionaries), r.Err())
	}
}

// TestDictionariesOfFunctions: what a function makes of the dictionary of one file is not taken for what
// it makes of that of the next.
func TestDictionariesOfFunctions(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "t"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2"} {
		f, err := os.Create(filepath.Join(folder, "t", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		query := "SELECT CAST(range % 3 AS VARCHAR) || '_' || CHR(96 + " + name + ") AS s FROM range(5000)"
		if err := (sqlarrow.Options{}).WriteParquet(t.Context(), f, sqlarrow.ParquetOptions{}, open(t, folder), query); err != nil {
			t.Fatal(err)
		}
	}
	r, err := sqlarrow.Options{Allocator: mem, Dictionaries: true}.Query(t.Context(), open(t, folder+"?parallelism=1"), "SELECT s, UPPER(s) AS u FROM t")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	rows := 0
	for r.Next() {
		s, u := r.RecordBatch().Column(0).(*array.Dictionary), r.RecordBatch().Column(1).(*array.Dictionary)
		for i := range s.Len() {
			rows++
			if text, upper := s.ValueStr(i), u.ValueStr(i); upper != strings.ToUpper(text) {
				t.Fatalf("row %d: %s beside %s", rows, text, upper)
			}
		}
	}
	if r.Err() != nil || rows != 10000 {
		t.Errorf("%d rows, %v", rows, r.Err())
	}
}

// TestTransaction: a connection's transaction counts.
func TestTransaction(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	folder := t.TempDir()
	put := func(name string) {
		b, err := os.ReadFile(filepath.Join(testdata, "penguins.parquet"))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "p"), 0o700); err != nil {
		t.Fatal(err)
	}
	put("p/1.parquet")
	ctx := context.Background()
	conn, err := open(t, folder).Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	put("p/2.parquet")
	r, err := sqlarrow.Options{Allocator: mem}.QueryConn(ctx, conn, "SELECT COUNT(*) FROM p")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Next() || r.RecordBatch().Column(0).ValueStr(0) != "344" {
		t.Error(r.RecordBatch(), r.Err())
	}
}

// TestManyReaders run at once, over one database and one allocator.
func TestManyReaders(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	db := open(t, testdata)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r, err := sqlarrow.Options{Allocator: mem, Dictionaries: true}.Query(context.Background(), db, "SELECT *, [name, state] AS l, {'n': name} AS s FROM airports WHERE latitude > ?", 30.0)
			if err != nil {
				t.Error(err)
				return
			}
			r.Retain()
			r.Release()
			defer r.Release()
			rows := int64(0)
			for r.Next() {
				rows += r.RecordBatch().NumRows()
			}
			if r.Err() != nil || rows == 0 {
				t.Error(rows, r.Err())
			}
		})
	}
	all.Wait()
}

// TestFailingQuery: a file of a query that fails does not look whole.
func TestFailingQuery(t *testing.T) {
	leaktest.Check(t)
	mem := checked(t)
	db := open(t, testdata+"?parallelism=1")
	var b bytes.Buffer
	const query = "SELECT CASE WHEN n = 9999 THEN CAST('x' AS BIGINT) ELSE n END FROM range(10000) t(n)"
	err := sqlarrow.Options{Allocator: mem}.WriteParquet(context.Background(), &b, sqlarrow.ParquetOptions{RowGroupRows: 1000}, db, query)
	if !errors.Is(err, parquetsql.ErrInvalidValue) || b.Len() == 0 || strings.HasSuffix(b.String(), "PAR1") && b.Len() > 4 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}

// TestFailingWriter: what the writer says ends the query, and all memory comes back.
func TestFailingWriter(t *testing.T) {
	leaktest.Check(t)
	db := open(t, testdata)
	const query = "SELECT a.name, b.name FROM airports a, (SELECT name FROM airports LIMIT 100) b"
	for _, room := range []int{0, 10, 5000, 200_000} {
		mem := checked(t)
		o := sqlarrow.Options{Allocator: mem}
		for name, err := range map[string]error{
			"stream": o.WriteStream(context.Background(), &full{room}, db, query),
			"file":   o.WriteFile(context.Background(), &full{room}, db, query),
			// arrow-go's writer of Parquet does not release all where it cannot write.
			"parquet": sqlarrow.Options{}.WriteParquet(context.Background(), &full{room}, sqlarrow.ParquetOptions{RowGroupRows: 5000, Compression: "none"}, db, query),
		} {
			if !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d bytes: %v", name, room, err)
			}
		}
	}
	if err := (sqlarrow.Options{}).WriteParquet(context.Background(), &full{}, sqlarrow.ParquetOptions{Compression: "rar"}, db, query); err == nil || !strings.Contains(err.Error(), "zstd") {
		t.Error(err)
	}
}

var errFull = errors.New("full")

// full takes a number of bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// foreign is a driver of something else.
type foreign struct{}

func (foreign) Connect(context.Context) (driver.Conn, error) { return foreignConn{}, nil }
func (foreign) Driver() driver.Driver                        { return nil }

type foreignConn struct{ driver.Conn }

func (foreignConn) Close() error { return nil }

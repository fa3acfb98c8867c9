package enginetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestTypeTable checks the README's table of types over a file that has them all.
func TestTypeTable(t *testing.T) {
	db := openDir(t, "testdata/files/crafted/types_logical.parquet")
	rows, err := db.Query("SELECT * FROM types_logical")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]reflect.Type{
		"BOOLEAN": reflect.TypeFor[bool](), "UBIGINT": reflect.TypeFor[uint64](), "HALF": reflect.TypeFor[float32](), "FLOAT": reflect.TypeFor[float32](),
		"DOUBLE": reflect.TypeFor[float64](), "DATE": reflect.TypeFor[time.Time](), "TIMESTAMP": reflect.TypeFor[time.Time](), "TIMESTAMPTZ": reflect.TypeFor[time.Time](),
		"BLOB": reflect.TypeFor[[]byte](), "GEOMETRY": reflect.TypeFor[[]byte](), "GEOGRAPHY": reflect.TypeFor[[]byte](), "NULL": reflect.TypeFor[any](),
	}
	for _, name := range []string{"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"} {
		kinds[name] = reflect.TypeFor[int64]()
	}
	names := map[string]string{}
	for _, c := range types {
		names[c.Name()] = c.DatabaseTypeName()
		want, ok := kinds[c.DatabaseTypeName()]
		if !ok {
			want = reflect.TypeFor[string]()
		}
		nullable, known := c.Nullable()
		if c.ScanType() != want || !known || nullable != (c.Name() == "unknown") {
			t.Errorf("%s %s: ScanType %v, nullable %v %v", c.Name(), c.DatabaseTypeName(), c.ScanType(), nullable, known)
		}
		precision, scale, decimal := c.DecimalSize()
		if decimal != (c.DatabaseTypeName() == "DECIMAL") {
			t.Errorf("%s: DecimalSize %d, %d, %v", c.Name(), precision, scale, decimal)
		}
		length, sized := c.Length()
		text := want == reflect.TypeFor[string]() && !strings.HasPrefix(c.Name(), "d") && !strings.HasPrefix(c.Name(), "t_") || want == reflect.TypeFor[[]byte]()
		if sized != text || sized && length != math.MaxInt64 && c.Name() != "uuid" {
			t.Errorf("%s: Length %d, %v", c.Name(), length, sized)
		}
	}
	for name, want := range map[string]string{
		"i8": "TINYINT", "i16": "SMALLINT", "i32": "INTEGER", "i64": "BIGINT", "u8": "UTINYINT", "u16": "USMALLINT", "u32": "UINTEGER", "u64": "UBIGINT", "d32": "DECIMAL",
		"d64": "DECIMAL", "dfix": "DECIMAL", "date": "DATE", "t_ms": "TIME", "t_ns": "TIME", "ts_ms": "TIMESTAMP", "ts_ns_utc": "TIMESTAMPTZ", "text": "VARCHAR", "enum": "ENUM", "json": "JSON",
		"bson": "BSON", "uuid": "UUID", "half": "HALF", "geometry": "GEOMETRY", "geography": "GEOGRAPHY", "unknown": "NULL", "raw": "BLOB",
	} {
		if names[name] != want {
			t.Errorf("%s is %s, want %s", name, names[name], want)
		}
	}
	for rows.Next() {
		for i, c := range types {
			scanEvery(t, rows, i, c)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// scanEvery scans a value into each kind of target that a program may use.
func scanEvery(t *testing.T, rows *sql.Rows, i int, c *sql.ColumnType) {
	t.Helper()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	into := func(target any) {
		t.Helper()
		row := make([]any, len(columns))
		for at := range row {
			row[at] = new(any)
		}
		row[i] = target
		if err := rows.Scan(row...); err != nil {
			t.Fatalf("%s into %T: %v", c.Name(), target, err)
		}
	}
	var value any
	into(&value)
	pointer := reflect.New(reflect.PointerTo(c.ScanType()))
	into(pointer.Interface())
	if (value == nil) != pointer.Elem().IsNil() {
		t.Errorf("%s: %v, pointer %v", c.Name(), value, pointer.Elem())
	}
	var text sql.NullString
	into(&text)
	var anything sql.Null[any]
	into(&anything)
	nullOf[int64](into, value)
	nullOf[uint64](into, value)
	nullOf[float32](into, value)
	nullOf[float64](into, value)
	nullOf[bool](into, value)
	nullOf[string](into, value)
	nullOf[[]byte](into, value)
	nullOf[time.Time](into, value)
	if value == nil {
		return
	}
	own, s := reflect.New(c.ScanType()), new(string)
	into(own.Interface())
	into(s)
	if !reflect.DeepEqual(own.Elem().Interface(), value) {
		t.Errorf("%s: %v in any, %v in its own kind", c.Name(), value, own.Elem())
	}
	if b, ok := value.([]byte); ok && string(b) != *s || !ok && *s != text.String {
		t.Errorf("%s: string %q", c.Name(), *s)
	}
}

func nullOf[T any](into func(any), value any) {
	if _, own := value.(T); own || value == nil {
		var n sql.Null[T]
		into(&n)
		if n.Valid != own || own && !reflect.DeepEqual(any(n.V), value) {
			panic(fmt.Sprintf("sql.Null[%T] of %v: %v", n.V, value, n))
		}
	}
}

// TestRawBytes: every type scans into sql.RawBytes, with the text of a string.
func TestRawBytes(t *testing.T) {
	db := openDir(t, "testdata/files/crafted/types_logical.parquet")
	raw, err := db.Query("SELECT * FROM types_logical")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	text, err := db.Query("SELECT * FROM types_logical")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	columns, _ := raw.Columns()
	for raw.Next() && text.Next() {
		a, b := make([]sql.RawBytes, len(columns)), make([]sql.NullString, len(columns))
		as, bs := make([]any, len(columns)), make([]any, len(columns))
		for i := range columns {
			as[i], bs[i] = &a[i], &b[i]
		}
		if err := errors.Join(raw.Scan(as...), text.Scan(bs...)); err != nil {
			t.Fatal(err)
		}
		for i, name := range columns {
			if (a[i] != nil) != b[i].Valid || string(a[i]) != b[i].String {
				t.Errorf("%s: RawBytes %q, string %v", name, a[i], b[i])
			}
		}
	}
	if err := errors.Join(raw.Err(), text.Err()); err != nil {
		t.Fatal(err)
	}
}

// TestBytesAreTheCallers: a []byte does not change with the next row.
func TestBytesAreTheCallers(t *testing.T) {
	rows, err := openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet").Query("SELECT blob, varchar FROM types_v1_snappy")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for i, kept := 0, [][]byte{}; ; i++ {
		if !rows.Next() {
			if rows.Err() != nil || i != 120 || !bytes.Equal(kept[0], []byte("b0")) || !bytes.Equal(kept[113], []byte("b113")) {
				t.Errorf("%d rows, %v, %q", i, rows.Err(), kept)
			}
			break
		}
		var b []byte
		var s sql.NullString
		if err := rows.Scan(&b, &s); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, b)
	}
}

// TestBinaryAsString: with the option, BYTE_ARRAY without annotation is text.
func TestBinaryAsString(t *testing.T) {
	dir := tree(t, map[string][]byte{"b.parquet": parquetOf(flat{name: "b", physical: 6, converted: -1, values: []any{"abc", "x"}})})
	keep(t, openDir(t, dir), say("SELECT b FROM b", "x'616263'; x'78'", "SELECT b FROM b WHERE b LIKE 'a%'", "error: binary_as_string")...)
	keep(t, openDir(t, dir+"?binary_as_string=true"), say("SELECT b, UPPER(b) FROM b WHERE b LIKE 'a%'", "'abc' 'ABC'", "SELECT MAX(b) FROM b", "'x'")...)
}

// TestNullableIsTrue: expressions that can be NULL say so.
func TestNullableIsTrue(t *testing.T) {
	db := openDir(t, "testdata/files/crafted/types_logical.parquet")
	for e, want := range map[string]bool{
		"i8": false, "i8 + 1": false, "i8 % 0": true, "i8 DIV i16": true, "i8 / 0": false, "NULL": true, "unknown": true, "TRY_CAST(text AS INTEGER)": true, "CAST(i8 AS VARCHAR)": false,
		"CASE WHEN i8 > 0 THEN 1 END": true, "CASE WHEN i8 > 0 THEN 1 ELSE 2 END": false, "NULLIF(i8, 1)": true, "COALESCE(NULL, i8)": false, "i8 IS NULL": false, "i8 = NULL": true, "1": false,
		"COUNT(*)": false, "COUNT(i8)": false, "SUM(i8)": true, "MAX(i8)": true, "json->'$.a'": true, "i8 IN (1, 2)": false, "i8 IN (1, NULL)": true,
	} {
		rows, err := db.Query("SELECT " + e + " FROM types_logical")
		if err != nil {
			t.Errorf("%s: %v", e, err)
			continue
		}
		types, _ := rows.ColumnTypes()
		nullable, ok := types[0].Nullable()
		if rows.Close(); !ok || nullable != want {
			t.Errorf("%s: nullable %v, want %v", e, nullable, want)
		}
	}
}

// TestNested: a group is its leaves in *, and JSON[T] scans a list.
func TestNested(t *testing.T) {
	db := openDir(t, "testdata/files/parquet-testing/data")
	_, names, err := ask(db, "SELECT * FROM `nonnullable.impala`")
	if want := "ID Int_Array int_array_array Int_Map int_map_array nested_Struct.a nested_Struct.B nested_Struct.c.D nested_Struct.G"; err != nil || strings.Join(names, " ") != want {
		t.Errorf("* is %v, %v", names, err)
	}
	if list := one[parquetsql.JSON[[]*int64]](t, db, "SELECT int64_list FROM list_columns WHERE utf8_list IS NULL"); !list.Valid || len(list.V) != 2 || list.V[0] != nil || *list.V[1] != 1 {
		t.Errorf("JSON[T]: %+v", list)
	}
}

// cancelFS cancels a query at its first read after arm.
type cancelFS struct {
	fs.FS
	cancel atomic.Pointer[context.CancelFunc]
}

type cancelFile struct {
	fs.File
	in *cancelFS
}

func (c *cancelFS) arm(cancel context.CancelFunc) { c.cancel.Store(&cancel) }

func (c *cancelFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if _, reads := f.(io.ReaderAt); !reads {
		return f, err // a folder
	}
	return cancelFile{f, c}, err
}

func (f cancelFile) ReadAt(p []byte, off int64) (int, error) {
	if cancel := f.in.cancel.Load(); cancel != nil {
		(*cancel)()
	}
	return f.File.(io.ReaderAt).ReadAt(p, off)
}

// TestCancellation: a cancelled context ends a query and is its error. The context
// is cancelled when the query reads its first page.
func TestCancellation(t *testing.T) {
	big := make([]any, 400_000)
	for i := range big {
		big[i] = int64(i)
	}
	files := &cancelFS{FS: fstest.MapFS{"b.parquet": {Data: parquetOf(longs("x", big...))}}}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if n := one[int64](t, db, "SELECT COUNT(*) FROM b"); n != int64(len(big)) { // the footer is known from here on
		t.Fatalf("%d rows", n)
	}
	for _, query := range []string{"SELECT x FROM b", "SELECT MD5(CAST(x AS VARCHAR)), COUNT(*) FROM b GROUP BY 1", "SELECT x FROM b ORDER BY MD5(CAST(x AS VARCHAR))", "SELECT COUNT(DISTINCT MD5(CAST(x AS VARCHAR))) FROM b", "SELECT COUNT(*) FROM b WHERE SHA256(CAST(x AS VARCHAR)) = 'x'"} {
		ctx, cancel := context.WithCancel(context.Background())
		files.arm(cancel)
		rows, err := db.QueryContext(ctx, query)
		for err == nil && rows.Next() {
		}
		if err == nil {
			err = rows.Err()
			rows.Close()
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", query, err)
		}
		if ctx.Err() == nil {
			t.Errorf("%s: nothing was read", query)
		}
		cancel()
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if _, err := db.QueryContext(ctx, "SELECT x FROM b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline: %v", err)
	}
}

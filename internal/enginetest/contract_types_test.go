package enginetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestTypeTable is the contract's table of types over a file that has them all.
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
	keep(t, db, say(
		"SELECT i8, u64, d32, d64, dfix, date, t_ms, t_us, t_ns FROM types_logical WHERE i8 = -128", "-128 0u '-0.01' '-999999999999999999' '-0.9999' 0001-01-01T00:00:00Z '00:00:00.000' '00:00:00.000000' '00:00:00.000000000'",
		"SELECT u8, u16, u32, u64, dfix, t_ms, t_us, t_ns, ts_ns FROM types_logical WHERE i8 = 127", "255 65535 4294967295 18446744073709551615u '0.9999' '23:59:59.999' '23:59:59.999999' '23:59:59.999999999' 2262-04-11T23:47:16.854775807Z",
		"SELECT enum, json, bson, uuid, unknown FROM types_logical WHERE i8 = 0", `'' 'null' '{"a":1}' '00112233-4455-6677-8899-aabbccddeeff' NULL`,
		"SELECT MIN(i8), MAX(u64), MIN(d32), MAX(dfix), MIN(date), MAX(t_ns), MIN(ts_ns), MAX(ts_us_utc), MIN(uuid), MAX(text) FROM types_logical", "-128 18446744073709551615u '-0.01' '0.9999' 0001-01-01T00:00:00Z '23:59:59.999999999' 1677-09-21T00:12:43.145224192Z 9999-12-31T23:59:59.999999Z '00000000-0000-0000-0000-000000000000' 'ä'",
		"SELECT COUNT(unknown), MIN(unknown) FROM types_logical", "0 NULL",
	)...)
}

// scanEvery scans a value into all that the contract names.
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

// TestBytesAreTheCallers: a []byte stays what it was after the next row.
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

// TestBinaryAsString: unannotated bytes are text where the user says so.
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

// TestNested is section 4 over the Parquet project's own files.
func TestNested(t *testing.T) {
	dir := filepath.Join("testdata", "files", "parquet-testing", "data")
	keep(t, openDir(t, dir), say(
		"SELECT nested_Struct FROM `nonnullable.impala`", `'{"a":-1,"B":[-1],"c":{"D":[[{"e":-1,"f":"nonnullable"}]]},"G":{}}'`,
		"SELECT nested_struct.c, `nested_Struct.a`, t.nested_Struct.a FROM `nonnullable.impala` t", `'{"D":[[{"e":-1,"f":"nonnullable"}]]}' -1 -1`,
		"SELECT Int_Array->'$[0]', int_map->'$.k1', int_map->>'$.k1', int_map['k1'], Int_Array[1], Int_Array[-1], Int_Array[5], ELEMENT_AT(int_map, 'zz'), CARDINALITY(int_map_array), CONTAINS(Int_Array, -1), CONTAINS(Int_Array, 7) FROM `nonnullable.impala`", "-1 -1 '-1' -1 -1 -1 NULL NULL 4 true false",
		"SELECT nested_Struct.c.D->'$[0][0].e', nested_Struct.c.D->>'$[0][0].f', nested_Struct.c.D->'$[0]', int_array_array[1][2] FROM `nonnullable.impala`", `-1 'nonnullable' '[{"e":-1,"f":"nonnullable"}]' -2`,
		"SELECT MAP_KEYS(int_map), MAP_VALUES(int_map) FROM `nonnullable.impala`", `'["k1"]' '[-1]'`,
		"SELECT ID, i.item, i.pos FROM `nonnullable.impala` o, o.Int_Array i", "8 -1 0",
		"SELECT o.ID, i.key, i.value, i.pos FROM `nonnullable.impala` o CROSS JOIN o.int_map i", "8 'k1' -1 0",
		"SELECT ID, x.item, i.pos FROM `nonnullable.impala` o LEFT JOIN o.int_array_array i LEFT JOIN i.item x ORDER BY 3, 2", "8 -2 0; 8 -1 0; 8 NULL 1",
		"SELECT d.item, y.e, y.f, y.pos FROM `nonnullable.impala` o, o.nested_Struct.c.D d, d.item y", `'[{"e":-1,"f":"nonnullable"}]' -1 'nonnullable' 0`,
		"SELECT z.item, COUNT(*) FROM `nested_lists.snappy` n JOIN n.a x JOIN x.item y CROSS JOIN y.item z GROUP BY z.item ORDER BY 1", "'a' 3; 'b' 3; 'c' 3; 'd' 3; 'e' 2; 'f' 1",
		"SELECT x.pos, y.pos, z.pos FROM `nested_lists.snappy` n, n.a x, x.item y, y.item z WHERE z.item = 'f'", "1 1 0",
		"SELECT i.item FROM list_columns l LEFT JOIN l.utf8_list i ON i.item = 'abc' ORDER BY 1", "'abc'; NULL; NULL",
		"SELECT l.int64_list, i.item FROM list_columns l LEFT JOIN l.utf8_list i WHERE i.item IS NULL ORDER BY CARDINALITY(l.int64_list)", "'[4]' NULL; '[null,1]' NULL",
		"SELECT COUNT(*) FROM list_columns l, l.utf8_list i, l.int64_list j", "13",
		"SELECT * FROM list_columns l, l.int64_list i WHERE i.pos = 2", `'[1,2,3]' '["abc","efg","hij"]' 3`,
		"SELECT COUNT(int64_list), COUNT(utf8_list), COUNT(DISTINCT utf8_list[1]) FROM list_columns", "3 2 2",
		"SELECT id, p.number, p.kind, p.pos FROM repeated_no_annotation r, r.phoneNumbers.phone p WHERE p.kind = 'mobile'", "6 3333333333 'mobile' 2",
		"SELECT id, COUNT(*), MAX(p.number) FROM repeated_no_annotation r, r.phoneNumbers.phone p GROUP BY id ORDER BY id", "4 1 5555555555; 5 1 1111111111; 6 3 3333333333",
		"SELECT id, phoneNumbers FROM repeated_no_annotation WHERE id IN (1, 3) ORDER BY id", `1 NULL; 3 '{"phone":[]}'`,
		"SELECT id FROM repeated_no_annotation WHERE CARDINALITY(phoneNumbers.phone) = 0", "3",
		"SELECT y.item, COUNT(*) FROM `nested_lists.snappy` n, n.a x, x.item y GROUP BY y.item HAVING COUNT(*) > 1 ORDER BY CAST(y.item AS VARCHAR)", `'["a","b"]' 3; '["c","d"]' 2; '["e"]' 2; NULL 3`,
		"SELECT DISTINCT y.item FROM `nested_lists.snappy` n, n.a x, x.item y WHERE y.item[1] = 'a'", `'["a","b"]'`,
		"SELECT COUNT(DISTINCT y.item), COUNT(y.item) FROM `nested_lists.snappy` n, n.a x, x.item y", "6 10",
		"SELECT CASE WHEN my_list[1] > 1 THEN my_list END, COALESCE(NULL, my_list), IF(my_list[1] = 7, NULL, my_map) FROM map_no_value", `NULL '[1,2,3]' '{"1":null,"2":null,"3":null}'; '[4,5,6]' '[4,5,6]' '{"4":null,"5":null,"6":null}'; '[7,8,9]' '[7,8,9]' NULL`,
		"SELECT my_map FROM map_no_value LIMIT 1", `'{"1":null,"2":null,"3":null}'`,
		"SELECT emptylist, CARDINALITY(emptylist) FROM null_list", "'[]' 0",
		"SELECT int64_list FROM list_columns ORDER BY int64_list", "error: LIST order",
		"SELECT nested_Struct.nothing FROM `nonnullable.impala`", "error: nothing",
		"SELECT * FROM list_columns l, l.nothing", "error: nothing",
	)...)
	db := openDir(t, dir)
	_, names, err := ask(db, "SELECT * FROM `nonnullable.impala`")
	if want := "ID Int_Array int_array_array Int_Map int_map_array nested_Struct.a nested_Struct.B nested_Struct.c.D nested_Struct.G"; err != nil || strings.Join(names, " ") != want {
		t.Errorf("* is %v, %v", names, err)
	}
	if list := one[parquetsql.JSON[[]*int64]](t, db, "SELECT int64_list FROM list_columns WHERE utf8_list IS NULL"); !list.Valid || len(list.V) != 2 || list.V[0] != nil || *list.V[1] != 1 {
		t.Errorf("JSON[T]: %+v", list)
	}
}

// TestCancellation: a cancelled context ends a query at once and is its error.
func TestCancellation(t *testing.T) {
	big := make([]any, 400_000)
	for i := range big {
		big[i] = int64(i)
	}
	dir := tree(t, map[string][]byte{"b.parquet": parquetOf(longs("x", big...))})
	db := openDir(t, dir)
	for _, query := range []string{"SELECT x FROM b", "SELECT MD5(CAST(x AS VARCHAR)), COUNT(*) FROM b GROUP BY 1", "SELECT x FROM b ORDER BY MD5(CAST(x AS VARCHAR))", "SELECT COUNT(DISTINCT MD5(CAST(x AS VARCHAR))) FROM b", "SELECT COUNT(*) FROM b WHERE SHA256(CAST(x AS VARCHAR)) = 'x'"} {
		ctx, cancel := context.WithCancel(context.Background())
		var cancelled time.Time
		stop := time.AfterFunc(3*time.Millisecond, func() { cancelled = time.Now(); cancel() })
		rows, err := db.QueryContext(ctx, query)
		for err == nil && rows.Next() {
			time.Sleep(time.Microsecond)
		}
		if err == nil {
			err = rows.Err()
			rows.Close()
		}
		if took := time.Since(cancelled); !errors.Is(err, context.Canceled) || took > 2*time.Second {
			t.Errorf("%s: %v, %v after the cancellation", query, err, took)
		}
		stop.Stop()
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if _, err := db.QueryContext(ctx, "SELECT x FROM b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline: %v", err)
	}
	db.Close()
	for began := time.Now(); time.Since(began) < 2*time.Second && runtime.NumGoroutine() > 20; {
		time.Sleep(10 * time.Millisecond)
	}
}

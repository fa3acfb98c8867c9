package enginetest

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// logicalTimestamp is TIMESTAMP in nanoseconds.
func logicalTimestamp(utc bool) func(*thrift) {
	return func(w *thrift) {
		w.head(8, 12)
		w.head(1, map[bool]int{true: 1, false: 2}[utc])
		w.head(2, 12)
		w.head(3, 12)
		w.end()
		w.end()
		w.end()
	}
}

// logicalEmpty is a logical type without fields.
func logicalEmpty(id int) func(*thrift) {
	return func(w *thrift) {
		w.head(id, 12)
		w.end()
	}
}

// TestIcebergNanoseconds: timestamps in nanoseconds, their bounds, and a date that became one.
func TestIcebergNanoseconds(t *testing.T) {
	r := newOddTable(t, "[]")
	const moment = 1735689599_123456789 // 2024-12-31 23:59:59
	f := r.data(t, withID(flat{name: "n", physical: 2, converted: -1, values: []any{int64(moment), int64(-1)}, logical: logicalTimestamp(false)}, 1),
		withID(flat{name: "z", physical: 2, converted: -1, values: []any{int64(moment), int64(0)}, logical: logicalTimestamp(true)}, 2),
		withID(flat{name: "d", physical: 1, converted: 6, values: []any{int32(20000), int32(-1)}}, 3))
	f.boundOf = 1
	f.lower, f.upper = string(binary.LittleEndian.AppendUint64(nil, 1<<64-1)), string(binary.LittleEndian.AppendUint64(nil, moment))
	r.add(t, "", f)
	g := r.data(t, withID(flat{name: "d", physical: 1, converted: 6, values: []any{int32(19000)}}, 3))
	g.boundOf = 3
	g.lower, g.upper = string(binary.LittleEndian.AppendUint32(nil, 19000)), string(binary.LittleEndian.AppendUint32(nil, 19000))
	r.add(t, "", g)
	r.commit(t, 3, `[{"id":1,"name":"n","required":false,"type":"timestamp_ns"},{"id":2,"name":"z","required":false,"type":"timestamptz_ns"},{"id":3,"name":"d","required":false,"type":"timestamp_ns"}]`)
	r.wants(t, "SELECT CAST(MAX(n) AS VARCHAR) FROM t", "2024-12-31 23:59:59.123456789")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE n = TIMESTAMP_NS '2024-12-31 23:59:59.123456789'", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE n > TIMESTAMP_NS '2024-12-31 23:59:59.123456789'", "0")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE n < TIMESTAMP '1970-01-01'", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE z >= TIMESTAMPTZ '2024-12-31 23:59:59.123456+00'", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE d = TIMESTAMP '2022-01-08'", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE d < TIMESTAMP '1970-01-01'", "1")
}

// TestIcebergUnknown: a column of an unknown type is NULL, whatever a file has there, and may become any.
func TestIcebergUnknown(t *testing.T) {
	for typ, want := range map[string]string{"unknown": "0", "long": "2"} {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(1), int64(2)), 1)))
		r.add(t, "", r.data(t, withID(longs("x", int64(3), int64(4)), 1), withID(longs("u", int64(5), int64(6)), 2)))
		r.older = `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"u","required":false,"type":"unknown"}]`
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"u","required":false,"type":"`+typ+`"}]`)
		r.wants(t, "SELECT COUNT(u) FROM t", want)
		r.wants(t, "SELECT COUNT(*) FROM t WHERE u IS NOT NULL", want)
		r.wants(t, "SELECT SUM(x) FROM t", "10")
	}
}

// TestIcebergGeometry: boxes of geometries in manifests rule files out. One of a GEOGRAPHY may cross the
// antimeridian, one of a GEOMETRY is not trusted then.
func TestIcebergGeometry(t *testing.T) {
	point := func(x, y float64) any {
		b := append([]byte{1}, binary.LittleEndian.AppendUint32(nil, 1)...)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		return string(binary.LittleEndian.AppendUint64(b, math.Float64bits(y)))
	}
	ordinates := func(list ...float64) string {
		var b []byte
		for _, f := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
		}
		return string(b)
	}
	for _, kind := range []string{"geometry", "geography"} {
		r := newOddTable(t, "[]")
		logical := logicalEmpty(map[string]int{"geometry": 17, "geography": 18}[kind])
		for _, c := range []struct {
			values       []any
			lower, upper string
		}{
			{[]any{point(1, 2), point(3, 4)}, ordinates(1, 2), ordinates(3, 4)},
			{[]any{point(10, 20)}, ordinates(10, 20, math.NaN(), 1), ordinates(10, 20, math.NaN(), 5)},
			{[]any{point(170, 5), point(-170, 6)}, ordinates(170, 5), ordinates(-170, 6)},
		} {
			f := r.data(t, withID(flat{name: "g", physical: 6, converted: -1, values: c.values, logical: logical}, 1))
			f.boundOf, f.lower, f.upper = 1, c.lower, c.upper
			r.add(t, "", f)
		}
		r.commit(t, 3, `[{"id":1,"name":"g","required":false,"type":"`+kind+`"}]`)
		r.wants(t, "SELECT COUNT(g) FROM t", "5")
		box := func(x, y float64) string {
			return fmt.Sprintf("SELECT COUNT(*) FROM t WHERE ST_Intersects(CAST(g AS GEOMETRY), ST_GeomFromText('POLYGON((%v %v, %v %v, %v %v, %v %v, %v %v))'))", x, y, x+1, y, x+1, y+1, x, y+1, x, y)
		}
		if kind == "geometry" {
			box = func(x, y float64) string {
				return fmt.Sprintf("SELECT COUNT(*) FROM t WHERE ST_Intersects(g, ST_GeomFromText('POLYGON((%v %v, %v %v, %v %v, %v %v, %v %v))'))", x, y, x+1, y, x+1, y+1, x, y+1, x, y)
			}
		}
		for _, c := range []struct {
			x, y float64
			want string
		}{{0.5, 1.5, "1"}, {2.5, 3.5, "1"}, {9.5, 19.5, "1"}, {50, 50, "0"}, {169.5, 4.5, "1"}, {-170.5, 5.5, "1"}, {0, 5.5, "0"}} {
			r.wants(t, box(c.x, c.y), c.want)
		}
	}
}

// TestIcebergDefaults: rows that were written before a column was added have its initial default, of
// any type, also in conditions and in aggregates from metadata.
func TestIcebergDefaults(t *testing.T) {
	types := []struct{ typ, text, sql string }{
		{"boolean", "true", "TRUE"}, {"int", "-7", "-7"}, {"long", "9007199254740993", "9007199254740993"}, {"float", "1.5", "1.5"}, {"double", "-0.25", "-0.25"},
		{"decimal(9, 2)", `"14.20"`, "14.20"}, {"decimal(38, 0)", `"12345678901234567890123456789012345678"`, "12345678901234567890123456789012345678"},
		{"date", `"2017-11-16"`, "DATE '2017-11-16'"}, {"time", `"22:31:08.123456"`, "TIME '22:31:08.123456'"}, {"timestamp", `"2017-11-16T22:31:08.123456"`, "TIMESTAMP '2017-11-16 22:31:08.123456'"},
		{"timestamptz", `"2017-11-16T22:31:08.123456+00:00"`, "TIMESTAMPTZ '2017-11-16 22:31:08.123456+00'"}, {"timestamp_ns", `"2017-11-16T22:31:08.123456789"`, "TIMESTAMP_NS '2017-11-16 22:31:08.123456789'"},
		{"string", `"iceberg ü"`, "'iceberg ü'"}, {"uuid", `"f79c3e09-677c-4bbd-a479-3f349cb785e7"`, "UUID 'f79c3e09-677c-4bbd-a479-3f349cb785e7'"},
		{"binary", `"00ff7f"`, `'\x00\xFF\x7F'::BLOB`}, {"fixed[3]", `"00ff7f"`, `'\x00\xFF\x7F'::BLOB`},
	}
	for _, c := range types {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(1), int64(2)), 1)))
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"`+c.typ+`","initial-default":`+c.text+`},
			{"id":3,"name":"s","required":false,"type":{"type":"struct","fields":[{"id":4,"name":"f","required":false,"type":"`+c.typ+`","initial-default":`+c.text+`},{"id":5,"name":"g","required":false,"type":"int"}]},"initial-default":{}},
			{"id":6,"name":"n","required":false,"type":{"type":"struct","fields":[{"id":7,"name":"f","required":false,"type":"`+c.typ+`","initial-default":`+c.text+`}]}}]`)
		r.wants(t, "SELECT COUNT(*) FROM t WHERE c = "+c.sql, "2")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE c <> "+c.sql, "0")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE c IS NULL", "0")
		r.wants(t, "SELECT COUNT(c) FROM t", "2")
		r.wants(t, "SELECT MIN(c) = MAX(c) AND MIN(c) = "+c.sql+" FROM t", "true")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE s.f = "+c.sql+" AND s.g IS NULL AND s IS NOT NULL", "2")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE n.f IS NULL AND n IS NULL", "2")
	}
	for _, typ := range []string{"unknown", "variant", "geometry"} {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(1)), 1)))
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"`+typ+`","initial-default":[1]}]`)
		r.fails(t, "SELECT x FROM t", "default")
	}
}

// TestIcebergNestedDefaults: the default of a list is an array, of a map its keys and values, and of a struct
// within them an object by ids (JSON single-value serialization).
func TestIcebergNestedDefaults(t *testing.T) {
	const point = `{"type":"struct","fields":[{"id":20,"name":"a","required":false,"type":"int"},{"id":21,"name":"b","required":false,"type":"string","initial-default":"own"}]}`
	list := func(element string) string {
		return `{"type":"list","element-id":9,"element":` + element + `,"element-required":false}`
	}
	texts := `{"type":"map","key-id":10,"key":"string","value-id":11,"value":"int","value-required":false}`
	for _, c := range []struct{ typ, text, want string }{
		{list(`"int"`), `[1, null, 3]`, `[1,null,3]`}, {list(`"int"`), `[]`, `[]`}, {list(`"date"`), `["2017-11-16"]`, `["2017-11-16"]`}, {list(`"decimal(9, 2)"`), `["1.50"]`, `[1.50]`},
		{texts, `{"keys": ["a", "b"], "values": [1, null]}`, `{"a":1,"b":null}`}, {texts, `{"keys": [], "values": []}`, `{}`},
		{list(point), `[{"20": 1, "21": "x"}, {"20": 2}, {}, {"21": null}, null]`, `[{"a":1,"b":"x"},{"a":2,"b":"own"},{"a":null,"b":"own"},{"a":null,"b":null},null]`},
	} {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(1), int64(2)), 1)))
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":`+c.typ+`,"initial-default":`+c.text+`},
			{"id":3,"name":"s","required":false,"type":{"type":"struct","fields":[{"id":4,"name":"f","required":false,"type":`+c.typ+`,"initial-default":`+c.text+`}]},"initial-default":{}}]`)
		r.wants(t, "SELECT MIN(CAST(CAST(c AS JSON) AS VARCHAR)) FROM t", c.want)
		r.wants(t, "SELECT MAX(CAST(CAST(s.f AS JSON) AS VARCHAR)) FROM t", c.want)
		r.wants(t, "SELECT COUNT(c) FROM t", "2")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE c IS NULL OR s.f IS NULL", "0")
		r.wants(t, "SELECT COUNT(*) FROM (SELECT DISTINCT c, s FROM t)", "1")
	}
	for _, c := range []struct{ typ, text string }{
		{list(`"int"`), `["x"]`}, {list(`"int"`), `{"a": 1}`}, {texts, `{"keys": ["a"], "values": []}`}, {texts, `{"keys": [null], "values": [1]}`}, {list(point), `[1]`}, {list(`"variant"`), `[1]`},
	} {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(1)), 1)))
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":`+c.typ+`,"initial-default":`+c.text+`}]`)
		r.fails(t, "SELECT x FROM t", "default")
	}
}

// TestIcebergVariant: VARIANTs of a file by another writer, without field ids, are those of the file.
func TestIcebergVariant(t *testing.T) {
	const column = "var"
	names, err := filepath.Glob("testdata/files/parquet-testing/shredded_variant/case-*.parquet")
	if err != nil || len(names) < 50 {
		t.Fatal(names, err)
	}
	read := 0
	for i, name := range names {
		if i%4 > 0 {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := newOddTable(t, "[]")
		file, n := r.put(t, "data/v.parquet", data)
		plain := openDir(t, filepath.ToSlash(filepath.Dir(file)))
		rows := one[int64](t, plain, "SELECT COUNT(*) FROM v")
		r.add(t, "", oddFile{path: file, format: "PARQUET", records: rows, size: n, offset: -1, bytes: -1})
		r.properties = map[string]string{"schema.name-mapping.default": `[{"field-id":2,"names":["other","` + column + `"]}]`}
		r.commit(t, 3, `[{"id":2,"name":"renamed","required":false,"type":"variant"}]`)
		query := func(c string) string {
			return "SELECT STRING_AGG(COALESCE(CAST(" + c + " AS VARCHAR), 'NULL'), ';' ORDER BY _row) || COUNT(" + c + ") FROM "
		}
		var want string
		if err := plain.QueryRow(query(column) + "v").Scan(&want); err != nil { // some are damaged
			r.fails(t, query("renamed")+"t", "corrupt")
			continue
		}
		r.wants(t, query("renamed")+"t", want)
		read++
	}
	if read < 10 {
		t.Errorf("only %d files", read)
	}
}

// TestIcebergEncrypted: tables whose metadata are encrypted are refused by name.
func TestIcebergEncrypted(t *testing.T) {
	r := newOddTable(t, "[]")
	r.add(t, "", r.data(t, withID(longs("x", int64(1)), 1)))
	r.keyID = "k1"
	r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
	r.fails(t, "SELECT x FROM t", "encrypted metadata")
}

// TestIcebergDefaultWithinLists: a field that was added to a struct within a list has its default in each
// struct that there is.
func TestIcebergDefaultWithinLists(t *testing.T) {
	const file = "testdata/files/parquet-testing/data/repeated_no_annotation.parquet"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := newOddTable(t, "[]")
	name, n := r.put(t, "data/1.parquet", data)
	r.add(t, "", oddFile{path: name, format: "PARQUET", records: 6, size: n, offset: -1, bytes: -1})
	r.properties = map[string]string{"schema.name-mapping.default": `[{"field-id":1,"names":["id"]},{"field-id":2,"names":["phoneNumbers"],"fields":[{"field-id":3,"names":["phone"],"fields":[
		{"field-id":4,"names":["element"],"fields":[{"field-id":5,"names":["number"]},{"field-id":6,"names":["kind"]}]}]}]}]`}
	r.commit(t, 3, `[{"id":1,"name":"id","required":false,"type":"int"},{"id":2,"name":"p","required":false,"type":{"type":"struct","fields":[{"id":3,"name":"phone","required":false,"type":{"type":"list","element-id":4,"element-required":false,
		"element":{"type":"struct","fields":[{"id":6,"name":"sort","required":false,"type":"string"},{"id":7,"name":"land","required":false,"type":"string","initial-default":"xx"},{"id":5,"name":"number","required":false,"type":"long"},
			{"id":8,"name":"more","required":false,"type":{"type":"list","element-id":9,"element":"int","element-required":false},"initial-default":[7]}]}}}]}}]`)
	r.wants(t, "SELECT COUNT(*) FROM t", "6")
	r.wants(t, "SELECT CAST(CAST(p.phone AS JSON) AS VARCHAR) FROM t WHERE id = 6", `[{"sort":"home","land":"xx","number":1111111111,"more":[7]},{"sort":null,"land":"xx","number":2222222222,"more":[7]},{"sort":"mobile","land":"xx","number":3333333333,"more":[7]}]`)
	r.wants(t, "SELECT COUNT(*) FROM t, UNNEST(p.phone) AS u(e) WHERE e.land = 'xx'", "5")
	r.wants(t, "SELECT COUNT(*) FROM t, UNNEST(p.phone) AS u(e) WHERE e.land IS NULL", "0")
}

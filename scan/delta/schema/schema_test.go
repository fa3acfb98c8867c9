package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/vector"
)

var (
	plain   = &action.Protocol{MinReader: 1, MinWriter: 2}
	mapped  = &action.Protocol{MinReader: 2, MinWriter: 5}
	widened = &action.Protocol{MinReader: 3, MinWriter: 7, ReaderFeatures: []string{"typeWidening-preview"}}
)

func of(schema string, partitions ...string) *action.Metadata {
	return &action.Metadata{Provider: "parquet", Schema: schema, PartitionColumns: partitions}
}

func column(name, typ string) string {
	return `{"name":"` + name + `","type":` + typ + `,"nullable":true,"metadata":{}}`
}

func table(columns ...string) string {
	return `{"type":"struct","fields":[` + strings.Join(columns, ",") + `]}`
}

// TestTypes has each type of the specification ("Schema Serialization Format").
func TestTypes(t *testing.T) {
	for typ, want := range map[string]string{
		`"string"`: "VARCHAR", `"long"`: "BIGINT", `"integer"`: "INTEGER", `"short"`: "SMALLINT", `"byte"`: "TINYINT",
		`"float"`: "FLOAT", `"double"`: "DOUBLE", `"decimal(38,0)"`: "DECIMAL(38,0)", `"decimal(6, 2)"`: "DECIMAL(6,2)", `"boolean"`: "BOOLEAN",
		`"binary"`: "BLOB", `"date"`: "DATE", `"timestamp"`: "TIMESTAMPTZ", `"timestamp_ntz"`: "TIMESTAMP", `"void"`: "NULL", `"variant"`: "VARIANT", `{"type":"variant"}`: "VARIANT",
		`{"type":"array","elementType":"long","containsNull":false}`:                                                                       "LIST(BIGINT)",
		`{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"date","containsNull":true},"valueContainsNull":true}`: "MAP(VARCHAR, LIST(DATE))",
		`{"type":"struct","fields":[` + column("x y", `"long"`) + `]}`:                                                                     `STRUCT("x y" BIGINT)`,
	} {
		s, err := New(of(table(column("c", typ))), plain)
		if err != nil || s.Fields[0].Type.String() != want || !s.Fields[0].Nullable || s.Fields[0].Physical != "c" {
			t.Errorf("%s: %+v, %v", typ, s, err)
		}
	}
}

// TestMapping has the specification's example of a mapped column ("Column Mapping").
func TestMapping(t *testing.T) {
	const example = `{"type":"struct","fields":[{"name":"e","type":{"type":"array","elementType":{"type":"struct","fields":[
		{"name":"d","type":"integer","nullable":false,"metadata":{"delta.columnMapping.id":5,"delta.columnMapping.physicalName":"col-a7f4159c"}}]},"containsNull":true},
		"nullable":true,"metadata":{"delta.columnMapping.id":4,"delta.columnMapping.physicalName":"col-5f422f40"}}]}`
	for mode, want := range map[string]Mapping{"name": ByPhysical, "id": ByID, "none": ByName} {
		m := of(example)
		m.Configuration = map[string]string{"delta.columnMapping.mode": mode}
		s, err := New(m, mapped)
		if err != nil || s.Mapping != want {
			t.Fatalf("%s: %+v, %v", mode, s, err)
		}
		e := s.Fields[0]
		d := e.Fields[0].Fields[0]
		if mode != "none" && (e.Physical != "col-5f422f40" || e.ID != 4 || d.Physical != "col-a7f4159c" || d.ID != 5 || d.Nullable) {
			t.Errorf("%s: %+v, %+v", mode, e, d)
		}
		if mode == "none" && (e.Physical != "e" || d.Physical != "d") {
			t.Errorf("%s: %+v, %+v", mode, e, d)
		}
		if s, err = New(m, plain); err != nil || s.Mapping != ByName {
			t.Errorf("reader version 1 has no mapping: %+v, %v", s, err)
		}
	}
}

func TestSchemaErrors(t *testing.T) {
	for schema, want := range map[string]string{
		"":                                    "no schema",
		"{":                                   "byte 1",
		`"long"`:                              "not a struct",
		table(column("c", `"hyperloglog"`)):   `type "hyperloglog"`,
		table(column("c", `"decimal(39,0)"`)): "decimal(39,0)",
		table(`{"type":"long"}`):              "no name",
		strings.Repeat(`{"type":"array","elementType":`, 200): "deep",
	} {
		if s, err := New(of(schema), plain); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, %v", schema, s, err)
		}
	}
	if _, err := New(of(table(column("c", `"geometry(OGC:CRS84)"`))), plain); !errors.Is(err, errs.ErrUnsupported) {
		t.Errorf("a geometry: %v", err)
	}
	if _, err := New(of(table(column("c", `"long"`)), "d"), plain); err == nil || !strings.Contains(err.Error(), `"d"`) {
		t.Errorf("a partition column that is not there: %v", err)
	}
	orc := of(table())
	orc.Provider = "orc"
	if _, err := New(orc, plain); !errors.Is(err, errs.ErrUnsupported) {
		t.Errorf("files of another format: %v", err)
	}
}

// TestWidening has the changes that the specification lists ("Type Widening"), and others.
func TestWidening(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"byte", "short", true}, {"byte", "long", true}, {"integer", "long", true}, {"float", "double", true}, {"integer", "double", true},
		{"date", "timestamp_ntz", true}, {"decimal(6,2)", "decimal(10,4)", true}, {"integer", "decimal(10,0)", true}, {"short", "decimal(12,2)", true},
		{"long", "decimal(20,0)", true}, {"long", "decimal(22,2)", true}, {"void", "string", true},
		{"long", "integer", false}, {"long", "double", false}, {"double", "float", false}, {"integer", "float", false}, {"date", "timestamp", false},
		{"decimal(6,2)", "decimal(7,4)", false}, {"decimal(6,2)", "decimal(6,1)", false}, {"integer", "decimal(10,1)", false}, {"long", "decimal(19,0)", false},
		{"integer", "string", false}, {"string", "later", false},
	} {
		if got := widens(c.from, c.to); got != c.ok {
			t.Errorf("%s to %s: %v", c.from, c.to, got)
		}
		schema := table(`{"name":"c","type":"long","metadata":{"delta.typeChanges":[{"fromType":"` + c.from + `","toType":"` + c.to + `","fieldPath":"key"}]}}`)
		if _, err := New(of(schema), widened); (err == nil) != c.ok || err != nil && !errors.Is(err, errs.ErrUnsupported) {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
		if _, err := New(of(schema), plain); err != nil {
			t.Errorf("%s to %s without the feature: %v", c.from, c.to, err)
		}
	}
}

// TestPartitionValues has the forms of the specification ("Partition Value Serialization").
func TestPartitionValues(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      vector.Scalar
	}{
		{"string", "a/b", vector.Scalar{Str: "a/b"}},
		{"long", "-9223372036854775808", vector.Scalar{I64: -1 << 63}},
		{"byte", "-128", vector.Scalar{I64: -128}},
		{"double", "1.5E10", vector.Scalar{F64: 1.5e10}},
		{"float", "0.1", vector.Scalar{F32: 0.1}},
		{"decimal(5,2)", "-123.45", vector.Scalar{I64: -12345}},
		{"date", "1970-01-02", vector.Scalar{I64: 1}},
		{"timestamp", "1970-01-01 00:00:01", vector.Scalar{I64: 1e6}},
		{"timestamp", "1970-01-01 00:00:00.123456", vector.Scalar{I64: 123456}},
		{"timestamp", "1970-01-01T00:00:00.123456Z", vector.Scalar{I64: 123456}},
		{"timestamp_ntz", "1970-01-01 00:00:00.123456", vector.Scalar{I64: 123456}},
		{"boolean", "true", vector.Scalar{Bool: true}},
		{"binary", "\u0001\u0002\u0003", vector.Scalar{Str: "\x01\x02\x03"}},
	} {
		s, err := New(of(table(column("c", `"`+c.typ+`"`)), "c"), plain)
		if err != nil {
			t.Fatal(err)
		}
		f := &s.Fields[0]
		c.want.Type = f.Type
		got, err := f.PartitionValue(action.Value{Text: c.text})
		if err != nil || got.Null || got.Compare(&c.want) != 0 || !got.Type.Equal(f.Type) {
			t.Errorf("%s %q: %+v, %v", c.typ, c.text, got, err)
		}
		for _, null := range []action.Value{{Null: true}, {Text: ""}} {
			if got, err := f.PartitionValue(null); err != nil || !got.Null {
				t.Errorf("%s: NULL is %+v, %v", c.typ, got, err)
			}
		}
		if c.typ == "string" || c.typ == "binary" {
			continue
		}
		var corrupt *errs.CorruptError
		if got, err := f.PartitionValue(action.Value{Text: "what"}); !errors.As(err, &corrupt) || corrupt.Column != "c" {
			t.Errorf("%s: a wrong text is %+v, %v", c.typ, got, err)
		}
	}
}

func TestStatistics(t *testing.T) {
	types := map[string]vector.Type{"i": vector.Of(vector.BigInt), "s": vector.Of(vector.Varchar), "t": vector.TimestampType(vector.Micros, true), "d": vector.Of(vector.Date), "f": vector.Of(vector.Double), "m": vector.DecimalType(20, 2), "b": vector.Of(vector.Blob)}
	read := func(name, text string) (Statistics, Bounds) {
		s := NewAsked([][]string{{"a", name}}, []vector.Type{types[name]}).Read(text)
		return s, s.Columns[0]
	}
	values := func(low, high string) string {
		return `{"numRecords":3,"minValues":{"a":{"x":` + low + `}},"maxValues":{"a":{"x":` + high + `}},"nullCount":{"a":{"x":1},"z":2}}`
	}
	long := strings.Repeat("b", 32)
	for _, c := range []struct {
		name, low, high string
		min, max        string // the values as texts; empty: unknown
		exact           bool
	}{
		{"i", "1", "5", "1", "5", true},
		{"i", `"1"`, "5.5", "1", "", false},
		{"s", `"a"`, `"b"`, "a", "b", false},
		{"s", `"` + long + `"`, `"` + long + `"`, long, long[:31] + "c", false},
		{"d", `"1970-01-02"`, `"1970-01-03"`, "1", "2", true},
		{"d", "1", "2", "", "", false},
		{"t", `"1970-01-01T00:00:00.001Z"`, `"1970-01-01T00:00:00.002Z"`, "1000", "2999", false},
		{"t", `"1970-01-01T00:00:00.001-00:01"`, `"1970-01-01T00:00:00.002003Z"`, "60001000", "2003", false},
		{"f", "-0.5", `"NaN"`, "-0.5", "", false},
		{"m", "-1.5", "12345678901234567.89", "-150", "1234567890123456789", true},
		{"m", "1.2E3", "12345678901234568", "", "", true},
		{"m", "1.255", "null", "", "", true},
		{"b", `"a"`, `"b"`, "", "", false},
	} {
		text := strings.ReplaceAll(values(c.low, c.high), `"x"`, `"`+c.name+`"`)
		s, b := read(c.name, text)
		got := [2]string{}
		for i, v := range []*vector.Scalar{b.Min, b.Max} {
			if v != nil {
				plain := *v
				if n, ok := plain.Whole(); ok {
					got[i] = n.String()
				} else if plain.Type.IsFloat() {
					got[i] = string(vector.AppendFloatJSON(nil, plain.F64, 64))
				} else {
					got[i] = plain.Str
				}
			}
		}
		exact := b.Exact && b.Min != nil && b.Max != nil
		if want := [2]string{c.min, c.max}; got != want || exact != (c.exact && c.min != "" && c.max != "") || s.Rows != 3 || b.Nulls != 1 || !s.Tight {
			t.Errorf("%s %s %s: %q, %+v", c.name, c.low, c.high, got, s)
		}
	}
}

// TestWideStatistics: where rows were deleted since, numbers of NULLs say little ("Per-file
// Statistics").
func TestWideStatistics(t *testing.T) {
	a := NewAsked([][]string{{"x"}}, []vector.Type{vector.Of(vector.BigInt)})
	for text, want := range map[string]int64{
		`{"numRecords":3,"tightBounds":false,"nullCount":{"x":1}}`: -1,
		`{"numRecords":3,"tightBounds":false,"nullCount":{"x":3}}`: 3,
		`{"numRecords":3,"tightBounds":false,"nullCount":{"x":0}}`: 0,
		`{"numRecords":3,"tightBounds":true,"nullCount":{"x":1}}`:  1,
		`{"numRecords":3,"nullCount":{"x":4}}`:                     -1,
		`{"numRecords":3,"nullCount":{"x":"1"}}`:                   -1,
		`{"numRecords":3,"nullCount":{"x":`:                        -1,
		``:                                                         -1,
	} {
		if s := a.Read(text); s.Columns[0].Nulls != want {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

// FuzzSchema and FuzzStatistics: any text is an error or something.
func FuzzSchema(f *testing.F) {
	f.Add(table(column("c", `{"type":"map","keyType":"string","valueType":"decimal(6,2)"}`)))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := New(of(text), widened)
		if (s == nil) == (err == nil) && err == nil {
			t.Fatalf("%q: %v, %v", text, s, err)
		}
	})
}

func FuzzStatistics(f *testing.F) {
	f.Add(`{"numRecords":3,"minValues":{"a":{"x":1}},"maxValues":{"a":{"x":"b"}},"nullCount":{"a":{"x":1}}}`)
	var types []vector.Type
	var paths [][]string
	for _, typ := range []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar), vector.TimestampType(vector.Micros, true), vector.Of(vector.Date), vector.Of(vector.Double), vector.DecimalType(20, 2), vector.Of(vector.Float), vector.Of(vector.Boolean)} {
		types, paths = append(types, typ), append(paths, []string{"a", "x"})
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range types {
			s := NewAsked(paths[i:i+1], types[i:i+1]).Read(text)
			if c := s.Columns[0]; c.Nulls > s.Rows && s.Rows >= 0 {
				t.Fatalf("%q: %+v", text, s)
			}
		}
	})
}

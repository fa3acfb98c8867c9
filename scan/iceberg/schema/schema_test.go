package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TestTypes: the examples of Appendix C, and blanks around parameters.
func TestTypes(t *testing.T) {
	for name, want := range map[string]string{
		"boolean": "BOOLEAN", "int": "INTEGER", "long": "BIGINT", "float": "FLOAT", "double": "DOUBLE", "date": "DATE", "string": "VARCHAR", "uuid": "UUID", "binary": "BLOB",
		"fixed[16]": "BLOB", "decimal(9,2)": "DECIMAL(9,2)", "decimal( 38 , 0 )": "DECIMAL(38,0)", "variant": "VARIANT", "unknown": "NULL",
	} {
		if got, err := primitive(name); err != nil || got.String() != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for name, want := range map[string]vector.Type{
		"time": vector.TimeType(vector.Micros), "timestamp": vector.TimestampType(vector.Micros, false), "timestamptz": vector.TimestampType(vector.Micros, true), "timestamptz_ns": vector.TimestampType(vector.Nanos, true),
		"geometry": {Kind: vector.Geometry, CRS: "OGC:CRS84"}, "geometry(srid:4326)": {Kind: vector.Geometry, CRS: "srid:4326"},
		"geography(srid:4326, spherical)": {Kind: vector.Geography, CRS: "srid:4326", Algorithm: "SPHERICAL"}, "geography": {Kind: vector.Geography, CRS: "OGC:CRS84", Algorithm: "SPHERICAL"},
	} {
		if got, err := primitive(name); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "int128", "decimal(39,0)", "decimal(5,6)", "decimal(0,0)", "decimal", "decimal(5"} {
		if got, err := primitive(name); err == nil {
			t.Errorf("%q: %s", name, got)
		}
	}
}

const example = `{"type": "struct", "schema-id": 1, "fields": [
	{"id": 1, "name": "a", "required": true, "type": "long"},
	{"id": 2, "name": "l", "required": false, "type": {"type": "list", "element-id": 3, "element-required": true, "element": "string"}},
	{"id": 4, "name": "m", "required": false, "type": {"type": "map", "key-id": 5, "key": "string", "value-id": 6, "value-required": false, "value": "double"}},
	{"id": 7, "name": "s", "required": false, "type": {"type": "struct", "fields": [{"id": 8, "name": "x", "required": false, "type": "int", "initial-default": 5}]}, "initial-default": {}}]}`

func TestSchema(t *testing.T) {
	var s Schema
	if err := json.Unmarshal([]byte(example), &s); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range s.Fields {
		got += fmt.Sprintf("%d %s %s %v %v\n", f.ID, f.Name, f.Type, f.Required, f.Filled)
	}
	if got != "1 a BIGINT true false\n2 l LIST(VARCHAR) false false\n4 m MAP(VARCHAR, DOUBLE) false false\n7 s STRUCT(x INTEGER) false true\n" {
		t.Error(got)
	}
	path := Find(s.Fields, 8)
	if len(path) != 2 || path[1].Default.I64 != 5 || Find(s.Fields, 3) != nil || Find(s.Fields, 99) != nil {
		t.Error(path)
	}
	for _, bad := range []string{
		`{"fields": [{"id": 0, "name": "a", "type": "int"}]}`, `{"fields": [{"id": 1, "name": "a", "type": {"type": "row"}}]}`, `{"fields": [{"id": 1, "name": "a", "type": "int", "initial-default": "x"}]}`,
		`{"fields": [{"id": 1, "name": "a", "type": ` + strings.Repeat(`{"type": "list", "element-id": 1, "element": `, 200) + `"int"` + strings.Repeat("}", 200) + `}]}`, `{"fields": [{"id": 1, "name": "a"}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%.100s is a schema", bad)
		}
	}
}

// TestDefaults: the examples of JSON single-value serialization in Appendix D.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		typ, text, want string
	}{
		{"boolean", `true`, "true"}, {"int", `34`, "34"}, {"long", `34`, "34"}, {"float", `1.0`, "1"}, {"double", `1.0`, "1"}, {"decimal(4,2)", `"14.20"`, "1420"},
		{"date", `"2017-11-16"`, "17486"}, {"time", `"22:31:08.123456"`, "81068123456"}, {"timestamp", `"2017-11-16T22:31:08.123456"`, "1510871468123456"},
		{"timestamptz", `"2017-11-16T22:31:08.123456+00:00"`, "1510871468123456"}, {"timestamp_ns", `"2017-11-16T22:31:08.123456789"`, "1510871468123456789"},
		{"timestamptz_ns", `"2017-11-16T22:31:08.123456789+00:00"`, "1510871468123456789"}, {"string", `"iceberg"`, "iceberg"},
		{"uuid", `"f79c3e09-677c-4bbd-a479-3f349cb785e7"`, "\xf7\x9c\x3e\x09\x67\x7c\x4b\xbd\xa4\x79\x3f\x34\x9c\xb7\x85\xe7"}, {"fixed[4]", `"000102ff"`, "\x00\x01\x02\xff"}, {"binary", `"000102ff"`, "\x00\x01\x02\xff"},
	} {
		typ, err := primitive(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		f := Field{Type: typ}
		if err := f.setDefault([]byte(c.text)); err != nil || f.Default == nil {
			t.Errorf("%s: %v", c.typ, err)
			continue
		}
		if got := show(*f.Default); got != c.want || !f.Default.Type.Equal(typ) {
			t.Errorf("%s: %q, want %q", c.typ, got, c.want)
		}
	}
	for typ, text := range map[string]string{"int": `3000000000`, "timestamptz": `"2017-11-16T22:31:08"`, "date": `"x"`, "binary": `"0"`, "variant": `1`, "boolean": `1`} {
		of, _ := primitive(typ)
		f := Field{Type: of}
		if err := f.setDefault([]byte(text)); err == nil {
			t.Errorf("%s is a %s", text, typ)
		}
	}
}

// TestManyElements: each row has all elements of a default, of which there may be few.
func TestManyElements(t *testing.T) {
	list := func(n int) string { return `[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]` }
	inner := Field{Name: "element", Type: vector.Type{Kind: vector.BigInt}}
	flat := Field{Name: "element", Type: vector.ListOf(vector.Field{Name: "element", Type: inner.Type}), Fields: []Field{inner}}
	deep := Field{Type: vector.ListOf(vector.Field{Name: "element", Type: flat.Type}), Fields: []Field{flat}}
	for _, c := range []struct {
		of   Field
		text string
		good bool
	}{
		{flat, list(1000), true}, {flat, list(1001), false},
		{deep, `[` + list(499) + `,` + list(499) + `]`, true}, {deep, `[` + list(500) + `,` + list(500) + `]`, false},
	} {
		if err := c.of.setDefault([]byte(c.text)); (err == nil) != c.good || err != nil && !errors.Is(err, errs.ErrUnsupported) {
			t.Errorf("%.20s of %d bytes: %v", c.text, len(c.text), err)
		}
	}
}

func show(s vector.Scalar) string {
	switch s.Type.Storage() {
	case vector.StoreBool:
		return fmt.Sprint(s.Bool)
	case vector.StoreFloat32:
		return fmt.Sprint(s.F32)
	case vector.StoreFloat64:
		return fmt.Sprint(s.F64)
	case vector.StoreString:
		return s.Str
	case vector.StoreInt128:
		return fmt.Sprint(s.I128.Hi, " ", s.I128.Lo)
	}
	return fmt.Sprint(s.I64)
}

// TestFromBytes: Binary single-value serialization of Appendix D, and lengths of types before they
// were promoted.
func TestFromBytes(t *testing.T) {
	for _, c := range []struct{ typ, bytes, want string }{
		{"boolean", "\x00", "false"}, {"boolean", "\x01", "true"}, {"int", "\xfe\xff\xff\xff", "-2"}, {"long", "\xfe\xff\xff\xff\xff\xff\xff\xff", "-2"}, {"long", "\xfe\xff\xff\xff", "-2"},
		{"float", "\x00\x00\x80\x3f", "1"}, {"double", "\x00\x00\x00\x00\x00\x00\xf0\x3f", "1"}, {"double", "\x00\x00\x80\x3f", "1"}, {"date", "\x01\x00\x00\x00", "1"}, {"timestamp", "\x01\x00\x00\x00", "86400000000"},
		{"timestamp_ns", "\xff\xff\xff\xff", "-86400000000000"}, {"timestamptz", "\x01\x00\x00\x00\x00\x00\x00\x00", "1"}, {"string", "", ""}, {"decimal(9,2)", "\x05\x8c", "1420"}, {"decimal(9,2)", "\xff", "-1"},
		{"decimal(38,2)", "\x05\x8c", "0 1420"}, {"decimal(38,2)", "\xff", "-1 18446744073709551615"},
	} {
		typ, err := primitive(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := FromBytes([]byte(c.bytes), typ); !ok || show(got) != c.want {
			t.Errorf("%s of %q: %q, want %q", c.typ, c.bytes, show(got), c.want)
		}
	}
	for typ, bytes := range map[string]string{"int": "\x01\x02", "long": "", "timestamptz": "\x01\x00\x00\x00", "uuid": "x", "decimal(2,0)": "\x10\x00", "boolean": "", "decimal(38,0)": strings.Repeat("\x01", 17)} {
		of, _ := primitive(typ)
		if got, ok := FromBytes([]byte(bytes), of); ok {
			t.Errorf("%s of %q: %v", typ, bytes, got)
		}
	}
}

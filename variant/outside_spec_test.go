package variant_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	noNames  = "\x01\x00\x00"
	anEvent  = "\x01\x05\x00\x0a\x12\x17\x20\x25event_typeevent_tsemailerror_msgclick"
	emailVal = "\x02\x01\x02\x00\x11\x41user@example.com"
)

// What the errors say.
const (
	both      = "a shredded Variant has both value and typed_value in a row where only objects may"
	notObject = "a shredded Variant has fields of an object in typed_value and a value that is no object"
	notText   = `a string that is not UTF-8 cannot be in a VARIANT; BLOB has it: "\xff"`
)

type row = map[string]any

// group is the type of a shredded field or element.
func group(typed ...vector.Type) vector.Type {
	t := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "value", Type: vector.Of(vector.Blob), Nullable: true}}}
	for _, typ := range typed {
		t.Fields = append(t.Fields, vector.Field{Name: "typed_value", Type: typ, Nullable: true})
	}
	return t
}

// columns is a STRUCT of shredded fields: name, group, name, group, …
func columns(fields ...any) vector.Type {
	t := vector.Type{Kind: vector.Struct}
	for i := 0; i < len(fields); i += 2 {
		t.Fields = append(t.Fields, vector.Field{Name: fields[i].(string), Type: fields[i+1].(vector.Type)})
	}
	return t
}

func shreddedAs(typed vector.Type) vector.Type {
	return vector.VariantType(vector.Field{Name: "typed_value", Type: typed, Nullable: true})
}

// shreddedCase is a row of an example of VariantShredding.md: the columns that it
// has, and the value, or what the error says.
type shreddedCase struct {
	name, metadata, value string
	typed                 any
	want                  string
}

// TestSpecificationTables has the tables of VariantShredding.md, "Value Shredding",
// "Arrays" and "Objects", with its invalid rows.
func TestSpecificationTables(t *testing.T) {
	text := vector.Of(vector.Varchar)
	event := columns("event_type", group(text), "event_ts", group(vector.TimestampType(vector.Micros, true)))
	shredded := func(kind any, ts any) row {
		return row{"event_type": row{"typed_value": kind}, "event_ts": row{"typed_value": ts}}
	}
	at := func(micros int64) any { return micros }
	for _, table := range []struct {
		typed vector.Type
		cases []shreddedCase
	}{
		{vector.Of(vector.BigInt), []shreddedCase{
			{"34", noNames, "", int64(34), "34"},
			{"null", noNames, "\x00", nil, "null"},
			{"n/a", noNames, "\x0dn/a", nil, `"n/a"`},
			{"100", noNames, "", int64(100), "100"},
			{"missing where it is required", noNames, "", nil, "null"},
			{"both", noNames, "\x0c\x01", int64(100), both},
		}},
		{vector.ListOf(vector.Field{Type: group(text)}), []shreddedCase{
			{"two", noNames, "", []any{row{"typed_value": "comedy"}, row{"typed_value": "drama"}}, `["comedy","drama"]`},
			{"with null", noNames, "", []any{row{"typed_value": "horror"}, row{"value": "\x00"}}, `["horror",null]`},
			{"null", noNames, "\x00", nil, "null"},
			{"missing element", noNames, "", []any{row{}, nil}, "[null,null]"},
			{"both", noNames, "\x00", []any{}, both},
			{"not UTF-8", noNames, "", []any{row{"typed_value": "\xff"}}, notText},
			{"both in an element", noNames, "", []any{row{"typed_value": "horror", "value": "\x00"}}, both},
		}},
		{event, []shreddedCase{
			{"fully", anEvent, "", shredded("noop", at(1729794114937000)), `{"event_ts":"2024-10-24T18:21:54.937Z","event_type":"noop"}`},
			{"partially", anEvent, emailVal, shredded("login", at(1729794146402000)), `{"email":"user@example.com","event_ts":"2024-10-24T18:22:26.402Z","event_type":"login"}`},
			{"all missing", anEvent, "\x02\x01\x03\x00\x05\x11oops", shredded(nil, nil), `{"error_msg":"oops"}`},
			{"not an object", anEvent, "\x11oops", nil, `"oops"`},
			{"type missing", anEvent, "\x02\x01\x04\x00\x08\x1d_button", shredded(nil, at(1729794240241000)), `{"click":"_button","event_ts":"2024-10-24T18:24:00.241Z"}`},
			{"null type", anEvent, "", row{"event_type": row{"value": "\x00"}, "event_ts": row{"typed_value": at(0)}}, `{"event_ts":"1970-01-01T00:00:00Z","event_type":null}`},
			{"other type", anEvent, "", row{"event_type": row{"typed_value": "noop"}, "event_ts": row{"value": "\x292024-10-24"}}, `{"event_ts":"2024-10-24","event_type":"noop"}`},
			{"empty", anEvent, "", shredded(nil, nil), "{}"},
			{"null", anEvent, "\x00", nil, "null"},
			{"INVALID: shredded field in value", anEvent, "\x02\x01\x00\x00\x06\x15login", shredded("logout", at(0)), `{"event_ts":"1970-01-01T00:00:00Z","event_type":"logout"}`},
			{"INVALID: typed_value for no object", anEvent, "\x05a", shredded(nil, nil), notObject},
			{"INVALID: typed_value null for an object", anEvent, "\x02\x00\x00", nil, "{}"},
			{"both in a field", anEvent, "", row{"event_type": row{"typed_value": "noop", "value": "\x00"}}, both},
			{"optional groups", anEvent, "", row{"event_type": nil, "event_ts": nil}, "{}"},
		}},
	} {
		for _, c := range table.cases {
			checkShredded(t, shreddedAs(table.typed), c)
		}
	}
}

// TestOptionalColumns: value or typed_value may be omitted, of the Variant, of fields and
// of elements; elements have fields, and fields elements, of any shredded type
// (VariantShredding.md, "Arrays", "Objects" and "Nesting").
func TestOptionalColumns(t *testing.T) {
	only := func(typed vector.Type) vector.Type {
		return vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "typed_value", Type: typed, Nullable: true}}}
	}
	list := func(element vector.Type) vector.Type { return vector.ListOf(vector.Field{Type: element}) }
	integer, text := vector.Of(vector.BigInt), vector.Of(vector.Varchar)
	const names = "\x01\x03\x00\x01\x02\x03abc"
	one := row{"typed_value": int64(1)}
	for _, c := range []struct {
		typed vector.Type
		shreddedCase
	}{
		{columns("a", only(integer)), shreddedCase{"field without value", names, "", row{"a": one}, `{"a":1}`}},
		{columns("a", only(integer)), shreddedCase{"field without value, missing", names, "", row{"a": row{}}, `{}`}},
		{columns("a", only(integer)), shreddedCase{"field without value, and others", names, "\x02\x01\x01\x00\x01\x04", row{"a": one}, `{"a":1,"b":true}`}},
		{columns("b", group()), shreddedCase{"field without typed_value", names, "\x02\x02\x00\x02\x00\x01\x02\x04\x08", row{"b": row{"value": "\x0c\x07"}}, `{"a":true,"b":7,"c":false}`}},
		{list(only(text)), shreddedCase{"element without value", noNames, "", []any{row{"typed_value": "x"}, row{}}, `["x",null]`}},
		{list(group()), shreddedCase{"element without typed_value", noNames, "", []any{row{"value": "\x04"}, row{"value": "\x05x"}}, `[true,"x"]`}},
		{list(group(columns("a", only(list(group(integer)))))), shreddedCase{
			"list in a field of an element", names, "",
			[]any{row{"typed_value": row{"a": row{"typed_value": []any{one, row{"value": "\x04"}}}}, "value": "\x02\x01\x02\x00\x01\x08"}, row{"value": "\x00"}},
			`[{"a":[1,true],"c":false},null]`,
		}},
		{columns("a", group(columns("b", group(integer)))), shreddedCase{
			"partly shredded twice", names, "\x02\x01\x02\x00\x01\x08", row{"a": row{"typed_value": row{"b": one}, "value": "\x02\x01\x02\x00\x01\x04"}},
			`{"a":{"b":1,"c":true},"c":false}`,
		}},
	} {
		checkShredded(t, shreddedAs(c.typed), c.shreddedCase)
	}
}

func checkShredded(t *testing.T, typ vector.Type, c shreddedCase) {
	t.Helper()
	r := row{"metadata": c.metadata, "typed_value": c.typed}
	if c.value != "" {
		r["value"] = c.value
	}
	src := buildRows(typ, []any{r})
	l, err := variant.NewLayout(typ)
	if err != nil {
		t.Fatal(err)
	}
	var out vector.Vector
	text, textErr := rowText(l, src, 0)
	err = l.Canonical(src, &out)
	if !strings.ContainsAny(c.want[:1], `{["n0123456789`) || strings.HasPrefix(c.want, "not ") {
		if err == nil || textErr == nil || err.Error() != c.want || textErr.Error() != c.want {
			t.Errorf("%s: %s, %v, %v, want %s", c.name, text, err, textErr, c.want)
		}
		return
	}
	if err != nil || textErr != nil {
		t.Errorf("%s: %v, %v", c.name, err, textErr)
		return
	}
	v, _ := variant.Get(&out, 0)
	if err := v.Check(); err != nil {
		t.Errorf("%s: %v", c.name, err)
	}
	if got := string(v.AppendJSON(nil)); got != c.want || string(text) != c.want {
		t.Errorf("%s: %s and %s, want %s", c.name, got, text, c.want)
	}
}

// TestLayoutErrors has types that values cannot be shredded into.
func TestLayoutErrors(t *testing.T) {
	blob := vector.Of(vector.Blob)
	for _, typed := range []vector.Type{
		vector.Of(vector.UInteger), vector.Of(vector.UBigInt), vector.Of(vector.Half), vector.Of(vector.Interval), vector.Of(vector.JSON),
		vector.DecimalType(39, 2), vector.TimeType(vector.Nanos), vector.TimestampType(vector.Millis, true), vector.TimestampType(vector.Wide, false),
		{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: blob}}},
		vector.ListOf(vector.Field{Type: vector.Of(vector.BigInt)}),
		columns("a", vector.Of(vector.BigInt)),
		columns("a", vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "other", Type: blob}}}),
		columns("a", vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "value", Type: vector.Of(vector.BigInt)}}}),
		columns("a", group(vector.Of(vector.USmallInt))),
		columns("a", group(), "a", group()),
	} {
		if _, err := variant.NewLayout(shreddedAs(typed)); err == nil {
			t.Errorf("no error for %s", typed)
		}
	}
	if _, err := variant.NewLayout(shreddedAs(vector.Of(vector.Null))); err != nil {
		t.Error(err)
	}
}

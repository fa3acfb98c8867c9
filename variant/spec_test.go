package variant

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// group is the type of a shredded field or element.
func group(typed ...vector.Type) vector.Type {
	t := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: valueName, Type: vector.Of(vector.Blob), Nullable: true}}}
	for _, typ := range typed {
		t.Fields = append(t.Fields, vector.Field{Name: typedName, Type: typ, Nullable: true})
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
	return vector.VariantType(vector.Field{Name: typedName, Type: typed, Nullable: true})
}

type row = map[string]any

// TestPackageExample is the example of the package comment.
func TestPackageExample(t *testing.T) {
	v := parsed(t, "\x01\x02\x00\x01\x02ba", "\x02\x02\x01\x00\x00\x06\x07\x03\x01\x00\x02\x0c\x01\x04")
	if got := string(v.AppendJSON(nil)); got != `{"a":[1],"b":true}` {
		t.Error(got)
	}
	e, ok, err := v.At(vector.Path{{Name: "a"}, {Kind: vector.PositionStep, Position: -1}})
	if s, _, _ := e.Scalar(); !ok || err != nil || e.Kind() != Int8 || s.I64 != 1 {
		t.Error(e, ok, err)
	}
}

// shreddedCase is a row of an example of VariantShredding.md: the columns that it
// has, and the value, or what the error says.
type shreddedCase struct {
	name, metadata, value string
	typed                 any
	want                  string
}

const (
	noNames  = "\x01\x00\x00"
	anEvent  = "\x01\x05\x00\x0a\x12\x17\x20\x25event_typeevent_tsemailerror_msgclick"
	emailVal = "\x02\x01\x02\x00\x11\x41user@example.com"
)

// TestSpecificationTables has the tables of VariantShredding.md, "Value Shredding",
// "Arrays" and "Objects", with its invalid rows.
func TestSpecificationTables(t *testing.T) {
	text := vector.Of(vector.Varchar)
	event := columns("event_type", group(text), "event_ts", group(vector.TimestampType(vector.Micros, true)))
	shredded := func(kind any, ts any) row {
		return row{"event_type": row{typedName: kind}, "event_ts": row{typedName: ts}}
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
			{"both", noNames, "\x0c\x01", int64(100), errBoth.Error()},
		}},
		{vector.ListOf(vector.Field{Type: group(text)}), []shreddedCase{
			{"two", noNames, "", []any{row{typedName: "comedy"}, row{typedName: "drama"}}, `["comedy","drama"]`},
			{"with null", noNames, "", []any{row{typedName: "horror"}, row{valueName: "\x00"}}, `["horror",null]`},
			{"null", noNames, "\x00", nil, "null"},
			{"missing element", noNames, "", []any{row{}, nil}, "[null,null]"},
			{"both", noNames, "\x00", []any{}, errBoth.Error()},
			{"not UTF-8", noNames, "", []any{row{typedName: "\xff"}}, errText("\xff").Error()},
			{"both in an element", noNames, "", []any{row{typedName: "horror", valueName: "\x00"}}, errBoth.Error()},
		}},
		{event, []shreddedCase{
			{"fully", anEvent, "", shredded("noop", at(1729794114937000)), `{"event_ts":"2024-10-24T18:21:54.937Z","event_type":"noop"}`},
			{"partially", anEvent, emailVal, shredded("login", at(1729794146402000)), `{"email":"user@example.com","event_ts":"2024-10-24T18:22:26.402Z","event_type":"login"}`},
			{"all missing", anEvent, "\x02\x01\x03\x00\x05\x11oops", shredded(nil, nil), `{"error_msg":"oops"}`},
			{"not an object", anEvent, "\x11oops", nil, `"oops"`},
			{"type missing", anEvent, "\x02\x01\x04\x00\x08\x1d_button", shredded(nil, at(1729794240241000)), `{"click":"_button","event_ts":"2024-10-24T18:24:00.241Z"}`},
			{"null type", anEvent, "", row{"event_type": row{valueName: "\x00"}, "event_ts": row{typedName: at(0)}}, `{"event_ts":"1970-01-01T00:00:00Z","event_type":null}`},
			{"other type", anEvent, "", row{"event_type": row{typedName: "noop"}, "event_ts": row{valueName: "\x292024-10-24"}}, `{"event_ts":"2024-10-24","event_type":"noop"}`},
			{"empty", anEvent, "", shredded(nil, nil), "{}"},
			{"null", anEvent, "\x00", nil, "null"},
			{"INVALID: shredded field in value", anEvent, "\x02\x01\x00\x00\x06\x15login", shredded("logout", at(0)), `{"event_ts":"1970-01-01T00:00:00Z","event_type":"logout"}`},
			{"INVALID: typed_value for no object", anEvent, "\x05a", shredded(nil, nil), errNotObject.Error()},
			{"INVALID: typed_value null for an object", anEvent, "\x02\x00\x00", nil, "{}"},
			{"both in a field", anEvent, "", row{"event_type": row{typedName: "noop", valueName: "\x00"}}, errBoth.Error()},
			{"optional groups", anEvent, "", row{"event_type": nil, "event_ts": nil}, "{}"},
		}},
	} {
		for _, c := range table.cases {
			checkShredded(t, shreddedAs(table.typed), c)
		}
	}
}

func checkShredded(t *testing.T, typ vector.Type, c shreddedCase) {
	t.Helper()
	r := row{"metadata": c.metadata, typedName: c.typed}
	if c.value != "" {
		r[valueName] = c.value
	}
	src := buildRows(typ, []any{r})
	l, err := NewLayout(typ)
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
	v, _ := Get(&out, 0)
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
		columns("a", vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: valueName, Type: vector.Of(vector.BigInt)}}}),
		columns("a", group(vector.Of(vector.USmallInt))),
		columns("a", group(), "a", group()),
	} {
		if _, err := NewLayout(shreddedAs(typed)); err == nil {
			t.Errorf("no error for %s", typed)
		}
	}
	if _, err := NewLayout(shreddedAs(vector.Of(vector.Null))); err != nil {
		t.Error(err)
	}
}

// TestDamage has Variants that Check must refuse, and that no method may panic on.
func TestDamage(t *testing.T) {
	deep := "\x00"
	for range MaxDepth + 1 {
		deep = deepen(deep)
	}
	for _, c := range []struct{ name, metadata, value string }{
		{"no bytes", "", ""},
		{"no value", noNames, ""},
		{"version 2", "\x02\x00\x00", "\x00"},
		{"metadata without offsets", "\x01\x01\x00", "\x00"},
		{"first offset", "\x01\x01\x01\x01a", "\x00"},
		{"last offset", "\x01\x01\x00\x05a", "\x00"},
		{"descending offsets", "\x01\x02\x00\x02\x01ab", "\x00"},
		{"huge dictionary", "\xc1\xff\xff\xff\xff\x00\x00\x00\x00", "\x00"},
		{"name not UTF-8", "\x01\x01\x00\x01\xff", "\x00"},
		{"unknown type", noNames, "\x54"},
		{"short int", noNames, "\x18\x01"},
		{"short string", noNames, "\x0dab"},
		{"long string", noNames, "\x40\xff\xff\xff\xffab"},
		{"string not UTF-8", noNames, "\x05\xff"},
		{"scale", noNames, "\x20\x27\x01\x00\x00\x00"},
		{"39 digits", noNames, "\x28\x00" + strings.Repeat("\xff", 15) + "\x7f"},
		{"field id", noNames, "\x02\x01\x00\x00\x01\x00"},
		{"fields out of order", "\x01\x02\x00\x01\x02ab", "\x02\x02\x01\x00\x00\x01\x02\x00\x00"},
		{"a field twice", "\x01\x02\x00\x01\x02aa", "\x02\x02\x00\x01\x00\x01\x02\x00\x00"},
		{"shared bytes", noNames, "\x03\x02\x00\x00\x01\x00"},
		{"offset behind the end", noNames, "\x03\x01\x01\x01\x00"},
		{"element too long", noNames, "\x03\x01\x00\x01\x18\x00\x00"},
		{"huge array", noNames, "\x1f\xff\xff\xff\xff\x00\x00\x00\x00"},
		{"huge object", noNames, "\x7e\xff\xff\xff\xff\x00\x00\x00\x00"},
		{"too deep", noNames, deep},
	} {
		v, err := Parse(c.metadata, c.value)
		if err == nil {
			err = v.Check()
		}
		if err == nil {
			t.Errorf("%s: no error", c.name)
		}
		useAll(&v, "a")
	}
}

// deepen is an array of one element.
func deepen(element string) string {
	n := len(element)
	return "\x0f\x01\x00\x00\x00\x00" + string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) + element
}

// useAll calls the methods of v, whatever it has.
func useAll(v *Value, name string) {
	_, _, _ = v.Scalar()
	_, _, _ = v.Text(), v.Int(), v.Float()
	_, _, _ = v.Decimal()
	_, _, _ = v.Field(name)
	_, _, _ = v.Index(0)
	_, _, _ = v.Index(-1)
	_ = v.Kind().TypeName()
	for i := range min(v.Len(), 10) {
		_, _, _ = v.Entry(i)
	}
	_, _, _ = v.Entry(-1)
}

// TestSearch finds a field of a wide object that is not in its place, as no writer should
// put it; the values are in another order, as they may be.
func TestSearch(t *testing.T) {
	var names, ids, offsets, values strings.Builder
	names.WriteString("\x01\x0a")
	for i := range 10 {
		names.WriteByte(byte(i))
		ids.WriteByte(byte(9 - i)) // descending
		offsets.WriteByte(byte(2 * (9 - i)))
		values.WriteString("\x0c" + string(rune(i)))
	}
	metadata := names.String() + "\x0aabcdefghij"
	v, err := Parse(metadata, "\x02\x0a"+ids.String()+offsets.String()+"\x14"+values.String())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		e, ok, err := v.Field(string(rune('a' + i)))
		if s, _, _ := e.Scalar(); !ok || err != nil || s.I64 != int64(i) {
			t.Errorf("%d: %v, %v, %d", i, ok, err, s.I64)
		}
	}
	if _, ok, err := v.Field("k"); ok || err != nil {
		t.Error(ok, err)
	}
	if err := v.Check(); err == nil || !strings.Contains(err.Error(), "order") {
		t.Error(err)
	}
}

// TestNoAllocations: a path allocates nothing.
func TestNoAllocations(t *testing.T) {
	object := map[string]any{"a": map[string]any{"b": []any{int64(1), "x"}}}
	for i := range 40 {
		object[fmt.Sprint("f", i)] = int64(i)
	}
	v := encoded(t, object, nil)
	path := vector.Path{{Name: "a"}, {Name: "b"}, {Kind: vector.PositionStep, Position: 1}}
	var err error
	allocations := testing.AllocsPerRun(100, func() {
		_, ok, failed := v.At(path)
		_, _, missing := v.Field("none")
		if !ok {
			failed = errors.New("not found")
		}
		err = errors.Join(err, failed, missing)
	})
	if allocations > 0 || err != nil {
		t.Errorf("%v allocations, %v", allocations, err)
	}
}

package variant

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

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

const noNames = "\x01\x00\x00"

// built is the Variant of a JSON text.
func built(t *testing.T, text string) Value {
	t.Helper()
	var b Builder
	b.Reset(nil)
	b.JSON(text)
	metadata, value, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, metadata, string(value))
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
	text := `{"a":{"b":[1,"x"]}`
	for i := range 40 {
		text += fmt.Sprintf(`,"f%d":%d`, i, i)
	}
	v := built(t, text+"}")
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

package variant

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// unsorted is a Variant whose dictionary has a name twice, in no order: b, a, b. Each
// number of b is used by one of its two values, {"a": 1, "b": 2} and {"b": 3}.
const unsorted = "\x01\x03\x00\x01\x02\x03bab"

func TestDictionaryWithNameTwice(t *testing.T) {
	values := []string{
		"\x02\x02\x01\x00\x00\x02\x04\x0c\x01\x0c\x02",
		"\x02\x01\x02\x00\x02\x0c\x03",
	}
	var w TextWriter
	src := vector.New(Type(), 6)
	for i := range src.Len { // so that the dictionary is met often
		src.Children[metadataChild].Str[i] = unsorted
		src.Children[valueChild].Str[i] = values[i%2]
		v, err := Parse(unsorted, values[i%2])
		if err != nil {
			t.Fatal(err)
		}
		text, err := w.Append(nil, &v)
		if want := []string{`{"a":1,"b":2}`, `{"b":3}`}[i%2]; err != nil || string(text) != want {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
	}
	l, err := NewLayout(src.Type)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"b": {"2", "3"}, "a": {"1", ""}, "c": {"", ""}} {
		found, err := l.Locate(src, nil, vector.FieldPath(name), Text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range src.Len {
			got := ""
			if found.Text != nil && !found.Text.IsNull(i) {
				got = found.Text.Str[i]
			}
			if got != want[i%2] {
				t.Errorf("%s of row %d: %q, want %q", name, i, got, want[i%2])
			}
		}
	}
}

// TestTextOfDamage: what Check refuses is not written either, however often the
// dictionary was met.
func TestTextOfDamage(t *testing.T) {
	names := "\x01\x02\x00\x01\x02ab"
	damaged := map[string]string{
		"fields out of order": "\x02\x02\x01\x00\x00\x02\x04\x0c\x01\x0c\x02",
		"a field twice":       "\x02\x02\x00\x00\x00\x02\x04\x0c\x01\x0c\x02",
		"a number too high":   "\x02\x01\x02\x00\x02\x0c\x03",
		"shared bytes":        "\x03\x02\x00\x00\x02\x0c\x01",
		"behind the end":      "\x03\x01\x02\x02\x0c\x01",
		"no UTF-8":            "\x05\xff",
		"cut off":             "\x09a",
	}
	var w TextWriter
	for range 3 {
		for name, value := range damaged {
			v := Value{data: raw(value)}
			v.names, _ = ParseMetadata(names)
			if text, err := w.Append(nil, &v); err == nil || v.Check() == nil {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// TestNamesAreBounded: a value of 6 bytes for each name of 16 MiB.
func TestNamesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs 1 GiB of memory")
	}
	long := strings.Repeat("x", 1<<24)
	nested := func(name string) (string, []byte, error) {
		var b Builder
		b.Reset(nil)
		b.BeginArray()
		for range 20 {
			b.BeginObject()
			b.Name(name)
			b.Null()
			b.End()
		}
		b.End()
		return b.Finish()
	}
	_, value, err := nested("y")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := nested(long); !errors.Is(err, errNamed) {
		t.Errorf("built: %v", err)
	}
	var one Builder
	one.Reset(nil)
	one.BeginObject()
	one.Name(long)
	one.Null()
	one.End()
	metadata, _, err := one.Finish()
	if err != nil {
		t.Fatal(err)
	}
	v, err := Parse(metadata, string(value))
	if err != nil || !errors.Is(v.Check(), errNamed) {
		t.Errorf("%v, checked: %v", err, v.Check())
	}
	var w TextWriter
	if text, err := w.Append(nil, &v); !errors.Is(err, errNamed) || len(text) > 2*maxNamed {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestTextAllocates: rows that share a dictionary cost no allocation.
func TestTextAllocates(t *testing.T) {
	v := built(t, `{"a":"x\ny","b":[1,2.5,null,true],"c":{"d":"ä"}}`)
	var w TextWriter
	var text []byte
	var err error
	if n := testing.AllocsPerRun(100, func() { text, err = w.Append(text[:0], &v) }); n > 0 || err != nil {
		t.Errorf("%v allocations, %v", n, err)
	}
}

package jsontext

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// anyOf is what encoding/json makes of the first of several nodes, with UseNumber.
func anyOf(nodes []Node) any {
	n := &nodes[0]
	within := nodes[1:n.Span]
	switch n.Kind {
	case '{':
		object := map[string]any{}
		for len(within) > 0 {
			object[within[0].Name] = anyOf(within)
			within = within[within[0].Span:]
		}
		return object
	case '[':
		list := []any{}
		for len(within) > 0 {
			list = append(list, anyOf(within))
			within = within[within[0].Span:]
		}
		return list
	case '"':
		return n.Text()
	case '0':
		return json.Number(n.Text())
	case 'n':
		return nil
	}
	return n.Kind == 't'
}

// tapeAgrees compares what a tape has of a text with Parse, and what is Plain with the text without its blanks.
func tapeAgrees(t *testing.T, tape *Tape, s string) {
	t.Helper()
	var want values
	wrong := Parse(s, &want, Parsing{Depth: MaxDepth, Lossy: true})
	err := tape.Parse(s, MaxDepth, nil)
	if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(anyOf(tape.Nodes), want.root) {
		t.Errorf("%.200q: %v; Parse has %v, %v", s, err, want.root, wrong)
	}
	if strings.HasPrefix(s, "[") {
		list := []any{}
		one := tape.Elements(s, MaxDepth, nil, func() error {
			list = append(list, anyOf(tape.Nodes))
			return nil
		})
		if (one == nil) != (wrong == nil) || one == nil && !reflect.DeepEqual(any(list), want.root) {
			t.Errorf("elements of %.200q: %v; Parse has %v, %v", s, list, want.root, wrong)
		}
		if err = tape.Parse(s, MaxDepth, nil); (err == nil) != (wrong == nil) {
			t.Errorf("%.200q a second time: %v", s, err)
		}
	}
	if err != nil {
		return
	}
	for _, n := range tape.Nodes {
		if !n.Plain {
			continue
		}
		var value any
		d := json.NewDecoder(strings.NewReader(n.Raw))
		if d.UseNumber(); d.Decode(&value) != nil {
			t.Errorf("%q of %q is no JSON", n.Raw, s)
		}
		var out strings.Builder
		for r := New(n.Raw, nil); r.More(); {
			out.WriteString(r.Token())
		}
		if out.String() != n.Raw {
			t.Errorf("%q of %q is Plain", n.Raw, s)
		}
	}
}

// TestTape compares with Parse, with one tape for all texts.
func TestTape(t *testing.T) {
	tape := &Tape{}
	long := `{"` + strings.Repeat("n", 40) + `": ["` + strings.Repeat("x", 33) + `é", {}, [ ], [[]], {"a" : {}}, -0.5e3, "\u00e9"]}`
	for _, s := range append(append(strange, long, `{"a":1,}`, `[1,]`, `{"a":1 "b":2}`, `[1}`, `{"a":1]`, `{`, `[`, `"`, `{"a`, `{"a"`, `{"a":`, ` 1 `, ``), texts...) {
		tapeAgrees(t, tape, s)
		for cut := range min(len(s), 100) {
			tapeAgrees(t, tape, s[:cut])
		}
	}
}

func FuzzTape(f *testing.F) {
	for _, s := range append(strange, texts...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { tapeAgrees(t, &Tape{}, s) })
}

// TestTapeLong: work is told of all of a text that is long, and its error, and that of Need, ends the reading.
func TestTapeLong(t *testing.T) {
	long := "[" + strings.Repeat(`{"a": 1, "b":"x"},`, quota.BytesPerTell) + "1]"
	told, tape := 0, &Tape{}
	if err := tape.Parse(long, 2, func(n int) error { told += n; return nil }); err != nil || told < len(long)-2*quota.BytesPerTell {
		t.Errorf("%v, told of %d bytes of %d", err, told, len(long))
	}
	if want := 3*quota.BytesPerTell + 2; len(tape.Nodes) != want {
		t.Errorf("%d nodes, want %d", len(tape.Nodes), want)
	}
	full := errors.New("full")
	if err := tape.Parse(long, 2, func(int) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := (&Tape{Need: func(int) error { return full }}).Parse("1", 2, nil); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := tape.Parse("[[[1]]]", 2, nil); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
}

func BenchmarkTape(b *testing.B) {
	var all []string
	for i := range 1000 {
		all = append(all, fmt.Sprintf(`{"user":{"id":%d,"name":"n%d"},"ev":"a","tags":["x","y","t%d"],"v":%d.5}`, i*311, i%97, i%9, i%100))
	}
	tape := &Tape{}
	for b.Loop() {
		for _, s := range all {
			if err := tape.Parse(s, 100, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/text")
}

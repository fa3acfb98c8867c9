package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// values builds what encoding/json makes of a text with UseNumber.
type values struct {
	open  []any // *[]any, map[string]any
	names []string
	root  any
	err   error
}

func (v *values) add(x any) {
	if len(v.open) == 0 {
		v.root = x
		return
	}
	switch o := v.open[len(v.open)-1].(type) {
	case *[]any:
		*o = append(*o, x)
	case map[string]any:
		o[v.names[len(v.names)-1]] = x
		v.names = v.names[:len(v.names)-1]
	}
}

func (v *values) Null()                             { v.add(nil) }
func (v *values) Bool(b bool)                       { v.add(b) }
func (v *values) Number(text string, _ int, _ bool) { v.add(json.Number(text)) }
func (v *values) String(s string)                   { v.add(s) }
func (v *values) BeginMap()                         { v.open = append(v.open, map[string]any{}) }
func (v *values) BeginArray()                       { v.open = append(v.open, &[]any{}) }
func (v *values) Name(name string)                  { v.names = append(v.names, name) }
func (v *values) Err() error                        { return v.err }

func (v *values) End() {
	o := v.open[len(v.open)-1]
	v.open = v.open[:len(v.open)-1]
	if list, ok := o.(*[]any); ok {
		o = *list
	}
	v.add(o)
}

func parseAgrees(t *testing.T, s string) {
	t.Helper()
	var got values
	err := Parse(s, &got, Parsing{Depth: MaxDepth, Lossy: true})
	var want any
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	wrong := d.Decode(&want)
	if !isValid(s) {
		wrong = errors.New("not valid")
	}
	if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got.root, want) {
		t.Errorf("%.200q: %v, %v; encoding/json has %v, %v", s, got.root, err, want, wrong)
	}
}

// strange are strings with escapes, halves of surrogates, and bytes that are not UTF-8.
var strange = []string{
	`"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\ud83d\ude00"`, `"\ude00\ud83d"`, `"\ud83d\n"`, `"\ud83d\u0041"`, `"\u0000\b\f\n\r\t\/\\\""`, "\"a\xffb\xf0\x9f\"", "\"\\n\xff\"", "\"\xed\xa0\xbd\"",
	`{"a\u0062":1,"ab":2}`, `[0.10, -1E+3, 1e400, 12345678901234567890123]`,
}

// TestParse compares with encoding/json.
func TestParse(t *testing.T) {
	for _, s := range append(strange, texts...) {
		parseAgrees(t, s)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range append(strange, texts...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parseAgrees(t, s)
		var want string
		wrong := json.Unmarshal([]byte(s), &want)
		if got, ok := Unquote(s); ok && (got != want || wrong != nil) || !ok && wrong == nil && isValid(s) && s[0] == '"' && s[len(s)-1] == '"' {
			t.Errorf("%q is %q, %v; encoding/json has %q, %v", s, got, ok, want, wrong)
		}
		r := New(s, nil) // paths in any text end
		_, _ = r.Member("a")
		_, _ = r.Element(-1)
		for r.More() {
			if r.Token() == "" {
				t.Fatalf("%q: an empty token at %d", s, r.At())
			}
		}
	})
}

// TestParseErrors: errors have the place, the depth is bounded, and what is not UTF-8 is an error
// where nothing is replaced.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[1, 2`: "byte 5: there is no , or ]", `{"a" 1}`: "byte 5: there is no :", `[1] 2`: "byte 4: there is text behind", "\"\xff\"": "byte 3: a string is not UTF-8",
		`["\x"]`: "byte 3: a string has a wrong escape", `[01]`: "byte 3: a number has", `["a`: "byte 3: a string is not closed", `[[[1]]]`: "byte 2: it has more than 2 objects and arrays",
	} {
		err := Parse(text, &values{}, Parsing{Depth: 2})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if errors.Is(err, ErrDepth) != (text == `[[[1]]]`) {
			t.Errorf("%s: %v", text, err)
		}
	}
	full := errors.New("full")
	if err := Parse(`[1, 2]`, &values{err: full}, Parsing{Depth: 2}); !errors.Is(err, full) {
		t.Errorf("the error of the sink: %v", err)
	}
}

// TestPaths compares with what encoding/json finds.
func TestPaths(t *testing.T) {
	const text = `{"a\u0062": [1, {"c": "x]"}, null], "d": {"d": -1.5}, "d": 2}`
	for path, want := range map[string]string{"ab 1 c": `"x]"`, "ab -1": "null", "ab -3": "1", "ab 3": "", "ab -4": "", "d d": "-1.5", "e": "", "d 0": ""} {
		r, found, err := New(text, nil), true, error(nil)
		for _, step := range strings.Fields(path) {
			var n int64
			if _, wrong := fmt.Sscan(step, &n); wrong == nil {
				found, err = r.Element(n)
			} else {
				found, err = r.Member(step)
			}
			if err != nil {
				t.Fatal(path, err)
			}
			if !found {
				break
			}
		}
		got := ""
		if found {
			got, err = r.Skip()
		}
		if got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", path, got, err, want)
		}
	}
	for _, text := range []string{`{"a": 1x}`, `{"a": tru}`, `{"a": [1}`, `{"a"}`, `{"a": "x`, `{a: 1}`, `{"b": 01, "a": 1}`} {
		r := New(text, nil)
		found, err := r.Member("a")
		if found && err == nil {
			_, err = r.Skip()
		}
		if !errors.Is(err, ErrMalformed) && text != `{"a": [1}` {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTokens: the tokens of a text are the text without its blanks.
func TestTokens(t *testing.T) {
	text := `{ "a b" : [ 1 , -2.5e3 , true ] , "c" : { } }` + "\n"
	var want bytes.Buffer
	if err := json.Compact(&want, []byte(text)); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for r := New(text, nil); r.More(); {
		got.WriteString(r.Token())
	}
	if got.String() != want.String() {
		t.Error(got.String())
	}
}

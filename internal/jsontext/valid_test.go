package jsontext

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
)

func free(int) error { return nil }

var texts = []string{
	``, ` `, `0`, `-0`, `-`, `01`, `1.`, `.1`, `1.5e+10`, `1e`, `1E-7 `, `1e+`, `+1`, `0x1`, `true`, `tru`, `truex`, `null`, ` false `, `"`, `""`, `"a\"b"`, `"\u12aF"`, `"\u12g4"`,
	`"\u123"`, `"\x"`, `"\`, "\"\n\"", "\"\x7f\xff\"", `[]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[[],{}]`, `[`, `]`, `[}`, `{}`, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`,
	`{"a":[{"b":[null,true,"x"]}],"a":-1.5e3}`, `{"a":1}}`, `1 1`, `"a""b"`, "\ufeff1", "\v1", `{"a" : [ 1 , 2 ] , "b" : { } }`, `[1}`, `{"a":1]`, `"\u00`, `"\uD800"`, `"\u1@00"`,
}

var (
	simpleEscape = regexp.MustCompile(`\\[^u]`)
	pair         = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..`)
	half         = regexp.MustCompile(`(?i)\\ud[89a-f]..`)
)

// isValid is json.Valid, but halves of surrogates have to come in pairs, as in DuckDB.
func isValid(s string) bool {
	return json.Valid([]byte(s)) && !half.MatchString(pair.ReplaceAllString(simpleEscape.ReplaceAllString(s, "x"), "x"))
}

func agree(t *testing.T, s string) {
	t.Helper()
	if got, err := Valid(s, free); err != nil || got != isValid(s) {
		t.Errorf("%.200q: %t, %v", s, got, err)
	}
	var names []string
	ok, err := Names(s, free, func(name string) { names = append(names, name) })
	if want, valid := membersOf(s); ok != valid || err != nil || ok && !slices.Equal(names, want) {
		t.Errorf("%.200q: names %q, %t, %v, want %q", s, names, ok, err, want)
	}
}

// membersOf is the names of the members of an object, by encoding/json.
func membersOf(s string) (names []string, valid bool) {
	if !isValid(s) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	if open, _ := d.Token(); open != json.Delim('{') {
		return nil, true
	}
	for d.More() {
		name, _ := d.Token()
		names = append(names, name.(string))
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
	}
	return names, true
}

// TestValid compares the check with that of encoding/json.
func TestValid(t *testing.T) {
	for _, s := range texts {
		agree(t, s)
	}
	for _, depth := range []int{MaxDepth - 1, MaxDepth, MaxDepth + 1} {
		agree(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	const bytes = "{}[]:,\"\\ 01e.-+tfnu\x00\xff"
	for range 100_000 { // a byte or two of a text are others
		b := []byte(texts[r.IntN(len(texts))])
		for range r.IntN(3) {
			if len(b) > 0 {
				b[r.IntN(len(b))] = bytes[r.IntN(len(bytes))]
			}
		}
		agree(t, string(b))
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(agree)
}

// TestStopped: a check ends with the error of work, wherever it is.
func TestStopped(t *testing.T) {
	stop := errors.New("stop")
	for _, s := range []string{strings.Repeat(" ", 1<<20), `"` + strings.Repeat("a", 1<<20) + `"`, strings.Repeat("1", 1<<20), "[" + strings.Repeat("1,", 1<<19) + "1]", "[" + strings.Repeat("{},", 1<<19) + "1]"} {
		calls := 0
		ok, err := Valid(s, func(int) error {
			if calls++; calls == 3 {
				return stop
			}
			return nil
		})
		if ok || !errors.Is(err, stop) || calls != 3 {
			t.Errorf("%.20s…: %t, %v after %d calls", s, ok, err, calls)
		}
		told := 0
		if _, err := Valid(s, func(n int) error { told += n; return nil }); err != nil || told < len(s)-quota.BytesPerTell {
			t.Errorf("%.20s…: told of %d bytes, %v", s, told, err)
		}
	}
}

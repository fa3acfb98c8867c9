package variant

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzMetadata: each name of a dictionary is found again.
func FuzzMetadata(f *testing.F) {
	f.Add(noNames)
	f.Add("\x11\x02\x00\x01\x02ab")
	f.Add("\x41\x02\x00\x00\x00\x01\x00\x02\x00ba")
	f.Fuzz(func(t *testing.T, metadata string) {
		m, err := ParseMetadata(metadata)
		if err != nil {
			return
		}
		checked := m.check()
		for i := range min(m.count, 1000) {
			name, err := m.name(i)
			if err != nil {
				if checked == nil {
					t.Fatal(err)
				}
				return
			}
			if id, ok := m.find(name, 0); checked == nil && !ok {
				t.Fatalf("%q is not found", name)
			} else if ok && checked == nil {
				if again, _ := m.name(id); again != name {
					t.Fatalf("%q is found as %q", name, again)
				}
			}
		}
	})
}

// FuzzJSON: a text that encoding/json takes becomes a Variant of the same meaning, but for
// halves of surrogates, and no other does.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.50,1e400,"x\u00e9\ud83d\ude00"],"b":null,"a":true}`, `123456789012345678901234567890`, ` [ ] `, `-0`, `"\ud800"`, `0.00000000000000000000000000000000000000001`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b Builder
		b.Reset(nil)
		b.JSON(text)
		metadata, value, err := b.Finish()
		valid := json.Valid([]byte(text)) && strings.ToValidUTF8(text, "") == text
		if err == nil && !valid || err != nil && valid && !strings.Contains(text, `\u`) && !errors.Is(err, errDepth) {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return
		}
		v := parsed(t, metadata, string(value))
		got := string(v.AppendJSON(nil))
		if !sameJSON(got, text) && !strings.Contains(got, `Infinity"`) {
			t.Fatalf("%s became %s", text, got)
		}
	})
}

package variant

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// FuzzValue: no bytes may make a method panic, and what passes Check has JSON text, and
// means the same with another dictionary.
func FuzzValue(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(parquetTesting, "shredded_variant/*.bin"))
	if err != nil || len(files) == 0 {
		f.Fatal(len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		names, err := ParseMetadata(string(data))
		if err != nil {
			f.Fatal(err)
		}
		end := names.first + int(names.offset(names.count))
		f.Add(string(data[:end]), string(data[end:]))
	}
	f.Fuzz(func(t *testing.T, metadata, value string) {
		v, err := Parse(metadata, value)
		useAll(&v, "a")
		if err != nil {
			return
		}
		err = v.Check()
		text := v.AppendJSON(nil)
		if err != nil {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		names := encoded(t, map[string]any{"a": nil, "zz": nil}, nil).names
		var b Builder
		b.Reset(&names)
		b.Value(&v)
		metadata, data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		again := parsed(t, metadata, string(data))
		if !bytes.Equal(text, again.AppendJSON(nil)) || !sameKinds(v, again) {
			t.Fatalf("%s became %s", text, again.AppendJSON(nil))
		}
		for i := range v.Len() {
			name, e, err := v.Entry(i)
			if err != nil {
				t.Fatal(err)
			}
			if found, ok, err := v.Field(name); v.Kind() == Object && (!ok || err != nil || found.data != e.data) {
				t.Fatalf("the field %q is not found: %v", name, err)
			}
		}
	})
}

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

// FuzzJSON: a text that encoding/json takes becomes a Variant of the same meaning, and
// no other does.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.50,1e400,"x\u00e9\ud83d\ude00"],"b":null,"a":true}`, `123456789012345678901234567890`, ` [ ] `, `-0`, `"\ud800"`, `0.00000000000000000000000000000000000000001`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b Builder
		b.Reset(nil)
		b.JSON(text)
		metadata, value, err := b.Finish()
		if valid := json.Valid([]byte(text)) && strings.ToValidUTF8(text, "") == text; valid != (err == nil) && !errors.Is(err, errDepth) {
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

// FuzzShredded reads vectors of random layouts with damaged bytes: an error or a value
// that passes Check, and the JSON text is that of the value.
func FuzzShredded(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint16(seed*7), byte(seed), "")
	}
	f.Fuzz(func(t *testing.T, seed uint64, at uint16, change byte, bytes string) {
		r := rand.New(rand.NewPCG(seed, 3))
		models := []any{randomModel(r, 3), randomModel(r, 3)}
		src := shredRows(t, models, randomType(r, 3))
		damage(src, &at, change, bytes)
		l, err := NewLayout(src.Type)
		if err != nil {
			t.Fatal(err)
		}
		path := randomPath(r, models[0])
		if located, err := l.Locate(src, path, Values); err == nil && located.Rest != nil {
			checkAll(t, located.Rest)
		}
		var out vector.Vector
		err = l.Canonical(src, &out)
		texts, textErr := make([]string, src.Len), error(nil)
		for i := range texts {
			var err error
			if texts[i], err = rowText(l, src, i); err != nil {
				textErr = err
			}
		}
		// Of values in a column of their own neither the metadata nor the text is looked at.
		located, locateErr := l.Locate(src, nil, Text)
		if locateErr != nil && textErr == nil || locateErr == nil && textErr != nil && located.Typed == nil {
			t.Fatalf("%v, but of a row: %v", locateErr, textErr)
		}
		if err == nil && textErr != nil || err != nil && textErr == nil && located.Typed == nil {
			t.Fatalf("%v, but the text: %v", err, textErr)
		}
		if err != nil {
			return
		}
		checkAll(t, &out)
		for i, text := range texts {
			if v, ok := Get(&out, i); ok && string(v.AppendJSON(nil)) != text {
				t.Fatalf("%s and %s", v.AppendJSON(nil), text)
			}
		}
	})
}

// damage changes a byte of one of the strings below v, or the whole string.
func damage(v *vector.Vector, at *uint16, change byte, bytes string) {
	for i, s := range v.Str {
		if v.IsNull(i) {
			continue
		}
		if int(*at) < len(s) {
			if bytes != "" {
				v.Str[i] = bytes
			} else {
				v.Str[i] = s[:*at] + string([]byte{s[*at] ^ change}) + s[*at+1:]
			}
			*at = 1<<16 - 1
			return
		}
		*at -= uint16(len(s))
	}
	for _, c := range v.Children {
		damage(c, at, change, bytes)
	}
}

// checkAll checks each row of a canonical vector.
func checkAll(t *testing.T, v *vector.Vector) {
	t.Helper()
	for i := range v.Len {
		if x, ok := Get(v, i); ok {
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
		} else if !v.IsNull(i) {
			t.Fatal("a row that is not NULL is no Variant")
		}
	}
}

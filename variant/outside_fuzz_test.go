package variant_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// FuzzValue: no bytes may make a method panic, and what passes Check has JSON text, and
// means the same with another dictionary.
func FuzzValue(f *testing.F) {
	files, err := filepath.Glob("../testdata/files/parquet-testing/variant/*.metadata")
	if err != nil || len(files) == 0 {
		f.Fatal(len(files), err)
	}
	for _, file := range files {
		metadata, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		value, err := os.ReadFile(strings.TrimSuffix(file, "metadata") + "value")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(metadata), string(value))
	}
	f.Fuzz(func(t *testing.T, metadata, value string) {
		v, err := variant.Parse(metadata, value)
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
		base, _ := bytesOf(encoded(t, map[string]any{"a": nil, "zz": nil}, nil))
		names, err := variant.ParseMetadata(base)
		if err != nil {
			t.Fatal(err)
		}
		var b variant.Builder
		b.Reset(&names)
		b.Value(&v)
		metadata, data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		again, err := variant.Parse(metadata, string(data))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, again.AppendJSON(nil)) || !sameKinds(v, again) {
			t.Fatalf("%s became %s", text, again.AppendJSON(nil))
		}
		for i := range v.Len() {
			name, e, err := v.Entry(i)
			if err != nil {
				t.Fatal(err)
			}
			_, want := e.Bytes()
			found, ok, err := v.Field(name)
			if _, got := found.Bytes(); v.Kind() == variant.Object && (!ok || err != nil || got != want) {
				t.Fatalf("the field %q is not found: %v", name, err)
			}
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
		l, err := variant.NewLayout(src.Type)
		if err != nil {
			t.Fatal(err)
		}
		path := randomPath(r, models[0])
		if located, err := l.Locate(src, nil, path, variant.Values); err == nil && located.Rest != nil {
			checkAll(t, located.Rest)
		}
		var lister variant.Lister
		if entries, err := l.Entries(&lister, src, nil, path); err == nil {
			checkAll(t, entries.Sources[0])
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
		located, locateErr := l.Locate(src, nil, nil, variant.Text)
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
			if v, ok := variant.Get(&out, i); ok && string(v.AppendJSON(nil)) != text {
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
		if x, ok := variant.Get(v, i); ok {
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
		} else if !v.IsNull(i) {
			t.Fatal("a row that is not NULL is no Variant")
		}
	}
}

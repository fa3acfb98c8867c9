package variant

import "testing"

// TestAccept has encodings that no writer needs to choose, but each may
// (VariantEncoding.md, "Metadata encoding" and "Value encoding grammar"): widths that are
// larger than necessary, a long string of few bytes, names that differ in case only, values
// in another order than their fields, bytes between them.
func TestAccept(t *testing.T) {
	const ab = "\x01\x02\x00\x01\x02ab"
	for _, c := range []struct{ name, metadata, value, want string }{
		{"sorted names", "\x11\x02\x00\x01\x02ab", "\x02\x01\x01\x00\x01\x04", `{"b":true}`},
		{"offsets of 2 bytes", "\x41\x01\x00\x00\x00\x01\x00a", "\x02\x01\x00\x00\x01\x04", `{"a":true}`},
		{"offsets of 3 bytes", "\x81\x01\x00\x00\x00\x00\x00\x01\x00\x00a", "\x02\x01\x00\x00\x01\x04", `{"a":true}`},
		{"offsets of 4 bytes", "\xc1\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00a", "\x02\x01\x00\x00\x01\x04", `{"a":true}`},
		{"names that are not used", ab, "\x00", "null"},
		{"names that differ in case", "\x01\x02\x00\x01\x02aA", "\x02\x02\x01\x00\x00\x01\x02\x04\x08", `{"A":true,"a":false}`},
		{"object of a large count", ab, "\x42\x01\x00\x00\x00\x00\x00\x01\x04", `{"a":true}`},
		{"object of wide ids", ab, "\x32\x01\x01\x00\x00\x00\x00\x01\x04", `{"b":true}`},
		{"object of wide offsets", ab, "\x0e\x01\x01\x00\x00\x00\x00\x01\x00\x00\x00\x04", `{"b":true}`},
		{"object of other order", ab, "\x02\x02\x00\x01\x01\x00\x02\x04\x08", `{"a":false,"b":true}`},
		{"object without fields", noNames, "\x02\x00\x00", "{}"},
		{"array of a large count", noNames, "\x13\x01\x00\x00\x00\x00\x01\x04", "[true]"},
		{"array of wide offsets", noNames, "\x0b\x01\x00\x00\x00\x01\x00\x00\x04", "[true]"},
		{"array of other order", noNames, "\x03\x02\x01\x00\x02\x04\x08", "[false,true]"},
		{"array with a gap", noNames, "\x03\x02\x00\x02\x03\x04\x00\x08", "[true,false]"},
		{"array without elements", noNames, "\x03\x00\x00", "[]"},
		{"long string of few bytes", noNames, "\x40\x01\x00\x00\x00a", `"a"`},
		{"short string without bytes", noNames, "\x01", `""`},
		{"decimal16 of one digit", noNames, "\x28\x01\x05" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "0.5"},
		{"scale above the digits", noNames, "\x20\x03\xff\xff\xff\xff", "-0.001"},
	} {
		v := parsed(t, c.metadata, c.value)
		if err := v.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := string(v.AppendJSON(nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	v := parsed(t, "\x01\x02\x00\x01\x02aA", "\x02\x02\x01\x00\x00\x01\x02\x04\x08")
	for name, want := range map[string]Kind{"a": False, "A": True} {
		if e, ok, err := v.Field(name); !ok || err != nil || e.Kind() != want {
			t.Errorf("%s: %v, %v, %v", name, e.Kind(), ok, err)
		}
	}
}

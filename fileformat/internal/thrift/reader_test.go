package thrift

import (
	"errors"
	"strings"
	"testing"
)

// TestExample reads the package comment's example and one field of every type.
func TestExample(t *testing.T) {
	r := NewReader([]byte("\x15\x02\x19\x1c\x15\x00\x00" + // i32 1; list of one struct
		"\x11" + "\x12" + // fields 3 and 4: true, false
		"\x13\xfe" + // i8 -2
		"\x16\x80\x80\x80\x80\x20" + // i64 2^32
		"\x17\x00\x00\x00\x00\x00\x00\xf0\x3f" + // double 1
		"\x18\x03abc" + // string
		"\x05\xd0\x0f\x03" + // field 1000: i32 -2
		"\x00rest"))
	got := map[int16]any{}
	for f := (Field{}); r.Next(&f); {
		switch f.ID {
		case 1, 1000:
			got[f.ID] = r.I32(f)
		case 2:
			n := r.List(f, Struct)
			for range n {
				for f := (Field{}); r.Next(&f); {
					r.Skip(f)
				}
			}
			got[f.ID] = n
		case 3, 4:
			got[f.ID] = r.Bool(f)
		case 5:
			got[f.ID] = r.I8(f)
		case 6:
			got[f.ID] = r.I64(f)
		case 7:
			got[f.ID] = r.Double(f)
		case 8:
			got[f.ID] = r.String(f)
		default:
			t.Errorf("field %d of type %d", f.ID, f.Type)
			r.Skip(f)
		}
	}
	want := map[int16]any{1: int32(1), 2: 1, 3: true, 4: false, 5: int8(-2), 6: int64(1 << 32), 7: 1.0, 8: "abc", 1000: int32(-2)}
	for id, v := range want {
		if got[id] != v {
			t.Errorf("field %d is %v, want %v", id, got[id], v)
		}
	}
	if r.Err() != nil || r.Left() != len("rest") {
		t.Errorf("%v, %d bytes left", r.Err(), r.Left())
	}
}

// TestMismatch: a field of another type than the requested one is skipped completely.
func TestMismatch(t *testing.T) {
	r := NewReader([]byte("\x18\x02ab" + "\x19\x38\x01x\x01y\x01z" + "\x15\x0e" + "\x00"))
	f := Field{}
	r.Next(&f)
	if v := r.I64(f); v != 0 || r.Matched() {
		t.Errorf("a string read as a number is %d", v)
	}
	r.Next(&f)
	if n := r.List(f, I32); n != 0 || r.Matched() {
		t.Errorf("a list of strings read as one of numbers has %d", n)
	}
	r.Next(&f)
	if v := r.I32(f); v != 7 || !r.Matched() || r.Next(&f) || r.Err() != nil {
		t.Errorf("%d, %v", v, r.Err())
	}
}

// TestBounds: a value cannot be longer than the remaining input or nest without limit.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		input string
		short bool // more bytes might help
	}{
		"nothing":                 {"", true},
		"no value":                {"\x15", true},
		"varint cut off":          {"\x15\x80", true},
		"varint too long":         {"\x15" + strings.Repeat("\xff", 11), false},
		"field id too large":      {"\x05\xfe\xff\x07\x00", false},
		"field id that overflows": {"\x05\xfe\xff\x03\x00\x15\x00", false},
		"string beyond the end":   {"\x18\x05abcd", true},
		"string of 2^63":          {"\x18" + strings.Repeat("\xff", 9) + "\x01", true},
		"list beyond the end":     {"\x19\x43\x00\x00", true},
		"list of 2^62":            {"\x19\xf3\xff\xff\xff\xff\xff\xff\xff\xff\x3f", true},
		"map beyond the end":      {"\x1b\x05\x33\x00", true},
		"double cut off":          {"\x17\x00", true},
		"UUID cut off":            {"\x1d\x00", true},
		"unknown type":            {"\x1e\x00", false},
		"list of unknown type":    {"\x19\x1f\x00", false},
		"structs without end":     {strings.Repeat("\x1c", 1000), false},
		"lists without end":       {"\x19" + strings.Repeat("\x19", 1000), false},
		"maps without end":        {"\x1b" + strings.Repeat("\x01\x3b\x00", 1000), false},
	} {
		r := NewReader([]byte(c.input))
		for f := (Field{}); r.Next(&f); {
			r.Skip(f)
		}
		if r.Err() == nil || errors.Is(r.Err(), ErrShort) != c.short {
			t.Errorf("%s: %v", name, r.Err())
		}
		if r.Pos() > len(c.input) {
			t.Errorf("%s: error at %d of %d", name, r.Pos(), len(c.input))
		}
	}
	r := NewReader([]byte("\x19\x43\x00\x00"))
	f := Field{}
	if r.Next(&f); r.List(f, I8) != 0 || r.Err() == nil {
		t.Error("a list longer than the input has elements")
	}
}

// TestSkipCollections: sets, maps and lists of booleans, of one byte per boolean.
func TestSkipCollections(t *testing.T) {
	r := NewReader([]byte("\x19\x31\x01\x02\x01" + "\x1a\x15\x04" + "\x1b\x01\x85\x01k\x02" + "\x1b\x00" + "\x1d0123456789abcdef" + "\x15\x02\x00"))
	last := int32(0)
	for f := (Field{}); r.Next(&f); {
		if f.ID == 6 {
			last = r.I32(f)
			continue
		}
		r.Skip(f)
	}
	if last != 1 || r.Err() != nil || r.Left() != 0 {
		t.Errorf("%d, %v, %d left", last, r.Err(), r.Left())
	}
}

// FuzzSkip skips random input: it ends and never reads beyond the input.
func FuzzSkip(f *testing.F) {
	f.Add([]byte("\x19\x31\x01\x02\x01\x1a\x15\x04\x1b\x01\x85\x01k\x02\x1b\x00\x1d0123456789abcdef\x15\x02\x00"))
	f.Add([]byte(strings.Repeat("\x1c", 70)))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := NewReader(b)
		for f := (Field{}); r.Next(&f); {
			r.Skip(f)
		}
		if r.Pos() > len(b) || r.Left() < 0 {
			t.Fatalf("at %d of %d", r.Pos(), len(b))
		}
	})
}

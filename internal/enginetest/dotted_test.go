package enginetest

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// group is a schema element that has children.
func (w *thrift) group(name string, repetition int64, children int) {
	w.int(3, 5, repetition)
	w.head(4, 8)
	w.text(name)
	w.int(5, 5, int64(children))
	w.end()
}

// dottedFile has names with dots, in a list of groups and in a group:
//
//	repeated group xs { required int64 "a.b"; required group a { required int64 b; } }
//	required group g { required int64 "x.y"; required group x { required int64 y; } }
//
// and three rows:
//
//	xs [{a.b 1, a {b 10}}, {a.b 2, a {b 20}}]   []   [{a.b 3, a {b 30}}]
//	g  {x.y 7, x {y 70}}   {x.y 8, x {y 80}}   {x.y 9, x {y 90}}
func dottedFile() []byte {
	levels := "\x02\x00\x00\x00\x03\x02\x02\x00\x00\x00\x03\x0b" // repetition 0 1 0 0, definition 1 1 0 1, bit-packed
	leaves := []struct {
		path    []string
		levels  string
		entries int64
		values  []int64
	}{
		{[]string{"xs", "a.b"}, levels, 4, []int64{1, 2, 3}},
		{[]string{"xs", "a", "b"}, levels, 4, []int64{10, 20, 30}},
		{[]string{"g", "x.y"}, "", 3, []int64{7, 8, 9}},
		{[]string{"g", "x", "y"}, "", 3, []int64{70, 80, 90}},
	}
	file, offsets := []byte("PAR1"), []int64{}
	for _, l := range leaves {
		offsets = append(offsets, int64(len(file)))
		var body bytes.Buffer
		body.WriteString(l.levels)
		binary.Write(&body, binary.LittleEndian, l.values)
		var h thrift
		h.int(1, 5, 0)
		h.int(2, 5, int64(body.Len()))
		h.int(3, 5, int64(body.Len()))
		h.head(5, 12)
		h.int(1, 5, l.entries)
		for id, encoding := range []int64{0, 3, 3} {
			h.int(2+id, 5, encoding)
		}
		h.end()
		h.end()
		file = append(append(file, h...), body.Bytes()...)
	}
	offsets = append(offsets, int64(len(file)))
	var f thrift
	f.int(1, 5, 1)
	f.list(2, 12, 9)
	f.group("schema", 0, 2)
	for _, c := range []struct {
		repetition           int64
		outer, leaf, in, end string
	}{{2, "xs", "a.b", "a", "b"}, {0, "g", "x.y", "x", "y"}} {
		f.group(c.outer, c.repetition, 2)
		f.element(longs(c.leaf))
		f.group(c.in, 0, 1)
		f.element(longs(c.end))
	}
	f.int(3, 6, 3)
	f.list(4, 12, 1)
	f.list(1, 12, len(leaves))
	for i, l := range leaves {
		size := offsets[i+1] - offsets[i]
		f.int(2, 6, 0)
		f.head(3, 12)
		f.int(1, 5, 2)
		f.list(2, 5, 1)
		f = binary.AppendVarint(f, 0)
		f.list(3, 8, len(l.path))
		for _, name := range l.path {
			f.text(name)
		}
		f.int(4, 5, 0)
		f.int(5, 6, l.entries)
		f.int(6, 6, size)
		f.int(7, 6, size)
		f.int(9, 6, offsets[i])
		f.end()
		f.end()
	}
	f.int(2, 6, offsets[len(leaves)]-4)
	f.int(3, 6, 3)
	f.end()
	f.end()
	file = binary.LittleEndian.AppendUint32(append(file, f...), uint32(len(f)))
	return append(file, "PAR1"...)
}

// TestDottedNames: a dot in a field's name is not a step of a path.
func TestDottedNames(t *testing.T) {
	db := openDir(t, tree(t, map[string][]byte{"t.parquet": dottedFile()}))
	keep(t, db, []promise{
		{"SELECT xs FROM t", `'[{"a.b":1,"a":{"b":10}},{"a.b":2,"a":{"b":20}}]'; '[]'; '[{"a.b":3,"a":{"b":30}}]'`, nil},
		{"SELECT g FROM t", `'{"x.y":7,"x":{"y":70}}'; '{"x.y":8,"x":{"y":80}}'; '{"x.y":9,"x":{"y":90}}'`, nil},
		{"SELECT item FROM t, t.xs", `'{"a.b":1,"a":{"b":10}}'; '{"a.b":2,"a":{"b":20}}'; '{"a.b":3,"a":{"b":30}}'`, nil},
		{"SELECT a FROM t, t.xs", `'{"b":10}'; '{"b":20}'; '{"b":30}'`, nil},
		{`SELECT item->'$."a.b"' FROM t, t.xs`, "1; 2; 3", nil},
		{"SELECT item->'a.b' FROM t, t.xs", "1; 2; 3", nil},
		{"SELECT item->'$.a.b' FROM t, t.xs", "10; 20; 30", nil},
		{"SELECT xs->'$[0].a.b' FROM t", "10; NULL; 30", nil},
		{`SELECT xs->'$[0]."a.b"' FROM t`, "1; NULL; 3", nil},
		{`SELECT g->'$."x.y"' FROM t`, "7; 8; 9", nil},
		{`SELECT g->'$.x.y' FROM t`, "70; 80; 90", nil},
		{"SELECT * FROM t, t.xs", `'[{"a.b":1,"a":{"b":10}},{"a.b":2,"a":{"b":20}}]' 7 70 1 10; ` +
			`'[{"a.b":1,"a":{"b":10}},{"a.b":2,"a":{"b":20}}]' 7 70 2 20; '[{"a.b":3,"a":{"b":30}}]' 9 90 3 30`, nil},
		// Both columns are called a.b.
		{`SELECT i."a.b" FROM t, t.xs i`, "error: ambiguous", nil},
		{`SELECT g."x.y" FROM t`, "error: ambiguous", nil},
	}...)
}

package enginetest

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// Tests of tables of several files need files of any flat schema. They are written
// here byte by byte: one row group, one PLAIN page per column, no NULL.

// flat is a column: physical and converted type as parquet.thrift numbers them,
// converted -1 for none; values are int32, int64, float32, float64 or string.
type flat struct {
	name                string
	physical, converted int
	precision, scale    int
	optional, repeated  bool            // repeated: see repeatedPages
	coded               bool            // the values are a dictionary, and the page is codes: row i has entry i
	nulls               int64           // what the statistics count, 0: there are none
	id                  int64           // the field id; 0: none
	logical             func(w *thrift) // writes the logical type; nil: none
	within              string          // the group that it is the only field of, with its id; "": it is a column
	withinID            int64
	values              []any
}

func ints(name string, values ...any) flat {
	return flat{name: name, physical: 1, converted: -1, values: values}
}
func longs(name string, values ...any) flat {
	return flat{name: name, physical: 2, converted: -1, values: values}
}
func texts(name string, values ...any) flat {
	return flat{name: name, physical: 6, converted: 0, values: values}
}

func (c flat) plain() []byte {
	var b bytes.Buffer
	for _, level := range map[bool][]byte{c.optional: {1}, c.repeated: {0, 1}}[true] { // one run of each
		run := append(binary.AppendUvarint(nil, uint64(len(c.values))<<1), level)
		binary.Write(&b, binary.LittleEndian, uint32(len(run)))
		b.Write(run)
	}
	for _, v := range c.values {
		if s, ok := v.(string); ok && c.physical == 6 {
			binary.Write(&b, binary.LittleEndian, uint32(len(s)))
			b.WriteString(s)
		} else if ok {
			b.WriteString(s)
		} else {
			binary.Write(&b, binary.LittleEndian, v)
		}
	}
	return b.Bytes()
}

// thrift appends fields in the compact protocol's long form.
type thrift []byte

func (w *thrift) head(id, typ int) { *w = binary.AppendVarint(append(*w, byte(typ)), int64(id)) }

func (w *thrift) int(id, typ int, v int64) {
	w.head(id, typ)
	*w = binary.AppendVarint(*w, v)
}

func (w *thrift) text(s string) { *w = append(binary.AppendUvarint(*w, uint64(len(s))), s...) }

func (w *thrift) list(id, typ, n int) {
	w.head(id, 9)
	*w = binary.AppendUvarint(append(*w, byte(0xf0|typ)), uint64(n))
}

func (w *thrift) end() { *w = append(*w, 0) }

// begin is FileMetaData up to its row groups: the version, the schema of the
// columns, and the number of rows.
func (w *thrift) begin(version int64, columns []flat, rows int64) {
	w.int(1, 5, version)
	elements := len(columns) + 1
	for _, c := range columns {
		if c.within != "" {
			elements++
		}
	}
	w.list(2, 12, elements)
	w.head(4, 8)
	w.text("schema")
	w.int(5, 5, int64(len(columns)))
	w.end()
	for _, c := range columns {
		if c.within != "" {
			w.int(3, 5, 0)
			w.head(4, 8)
			w.text(c.within)
			w.int(5, 5, 1)
			w.int(9, 5, c.withinID)
			w.end()
		}
		w.element(c)
	}
	w.int(3, 6, rows)
}

func (w *thrift) element(c flat) {
	w.int(1, 5, int64(c.physical))
	if c.physical == 7 {
		w.int(2, 5, int64(len(c.values[0].(string))))
	}
	repetition := int64(0)
	if c.optional {
		repetition = 1
	}
	if c.repeated {
		repetition = 2
	}
	w.int(3, 5, repetition)
	w.head(4, 8)
	w.text(c.name)
	if c.converted >= 0 {
		w.int(6, 5, int64(c.converted))
	}
	if c.precision > 0 {
		w.int(7, 5, int64(c.scale))
		w.int(8, 5, int64(c.precision))
	}
	if c.id > 0 {
		w.int(9, 5, c.id)
	}
	if c.logical != nil {
		w.head(10, 12)
		c.logical(w)
		w.end()
	}
	w.end()
}

// chunk is one column's metadata. entries is the number of rows, except in repeated
// columns.
func (w *thrift) chunk(c flat, entries, offset, size int64) {
	w.int(2, 6, 0)
	w.head(3, 12)
	w.int(1, 5, int64(c.physical))
	w.list(2, 5, 1)
	*w = binary.AppendVarint(*w, 0)
	if c.within != "" {
		w.list(3, 8, 2)
		w.text(c.within)
	} else {
		w.list(3, 8, 1)
	}
	w.text(c.name)
	w.int(4, 5, 0)
	w.int(5, 6, entries)
	w.int(6, 6, size)
	w.int(7, 6, size)
	w.int(9, 6, offset)
	if c.nulls > 0 {
		w.head(12, 12)
		w.int(3, 6, c.nulls)
		w.end()
	}
	w.end()
	w.end()
}

// parquetOf is a file of the columns.
func parquetOf(columns ...flat) []byte {
	rows := int64(len(columns[0].values))
	file, offsets := []byte("PAR1"), []int64{}
	for _, c := range columns {
		offsets = append(offsets, int64(len(file)))
		body, encoding := c.plain(), int64(0)
		var h thrift
		if c.coded {
			h.pageOf(2, len(body))
			h.head(7, 12)
			h.int(1, 5, rows)
			h.int(2, 5, 0)
			h.end()
			h.end()
			file = append(append(file, h...), body...)
			body, encoding, h = codesUpTo(int(rows)), 8, nil
		}
		h.pageOf(0, len(body))
		h.head(5, 12)
		h.int(1, 5, rows)
		h.int(2, 5, encoding)
		h.int(3, 5, 3)
		h.int(4, 5, 3)
		h.end()
		h.end()
		file = append(append(file, h...), body...)
	}
	offsets = append(offsets, int64(len(file)))
	var f thrift
	f.begin(1, columns, rows)
	f.list(4, 12, 1)
	f.list(1, 12, len(columns))
	for i, c := range columns {
		f.chunk(c, rows, offsets[i], offsets[i+1]-offsets[i])
	}
	f.int(2, 6, offsets[len(columns)]-4)
	f.int(3, 6, rows)
	f.end()
	f.end()
	file = binary.LittleEndian.AppendUint32(append(file, f...), uint32(len(f)))
	return append(file, "PAR1"...)
}

// pageOf begins the header of a page of a type with so many bytes.
func (w *thrift) pageOf(typ int64, size int) {
	w.int(1, 5, typ)
	w.int(2, 5, int64(size))
	w.int(3, 5, int64(size))
}

// codesUpTo is the codes 0 to n-1 in one run of 16 bits each.
func codesUpTo(n int) []byte {
	groups := (n + 7) / 8
	out := binary.AppendUvarint([]byte{16}, uint64(groups)<<1|1)
	for code := range 8 * groups {
		out = binary.LittleEndian.AppendUint16(out, uint16(code%n))
	}
	return out
}

// tree writes files below a new folder.
func tree(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

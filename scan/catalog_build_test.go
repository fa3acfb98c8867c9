package scan

import (
	"encoding/binary"
	"testing"
	"testing/fstest"
	"time"
)

// The tests of the catalog need files of any schema and no values, so they
// write footers by themselves, in Thrift's compact protocol.

// thriftWriter appends fields; last is the id of the struct's previous field.
type thriftWriter struct {
	buf  []byte
	last []int
}

func (w *thriftWriter) field(id, typ int) {
	top := len(w.last) - 1
	w.buf = append(w.buf, byte((id-w.last[top])<<4|typ))
	w.last[top] = id
}

func (w *thriftWriter) int(id, typ int, v int64) {
	w.field(id, typ)
	w.buf = binary.AppendVarint(w.buf, v)
}

func (w *thriftWriter) str(id int, s string) {
	w.field(id, 8)
	w.buf = binary.AppendUvarint(w.buf, uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *thriftWriter) list(id, n, typ int) {
	w.field(id, 9)
	w.buf = append(w.buf, byte(0xf0|typ))
	w.buf = binary.AppendUvarint(w.buf, uint64(n))
}

func (w *thriftWriter) begin() { w.last = append(w.last, 0) }

func (w *thriftWriter) end() {
	w.buf = append(w.buf, 0)
	w.last = w.last[:len(w.last)-1]
}

// field is a column: physical type and converted type as parquet.thrift numbers them.
type field struct {
	name                string
	physical, converted int // converted: -1 none
	optional            bool
	precision, scale    int
	children            []field // a group
}

func count(fields []field) int {
	n := len(fields)
	for _, f := range fields {
		n += count(f.children)
	}
	return n
}

func (w *thriftWriter) element(f field, root bool) {
	w.begin()
	if f.children == nil {
		w.int(1, 5, int64(f.physical))
	}
	if !root {
		optional := 0
		if f.optional {
			optional = 1
		}
		w.int(3, 5, int64(optional))
	}
	w.str(4, f.name)
	if f.children != nil {
		w.int(5, 5, int64(len(f.children)))
	}
	if f.converted >= 0 && f.children == nil {
		w.int(6, 5, int64(f.converted))
	}
	if f.precision > 0 {
		w.int(7, 5, int64(f.scale))
		w.int(8, 5, int64(f.precision))
	}
	w.end()
	for _, c := range f.children {
		w.element(c, false)
	}
}

// parquetFile is a file without rows. With parts it is a summary file: a row
// group of as many rows for each path.
func parquetFile(fields []field, parts ...string) []byte {
	w := &thriftWriter{}
	w.begin()
	w.int(1, 5, 1)
	w.list(2, 1+count(fields), 12)
	w.element(field{name: "schema", children: fields}, true)
	w.int(3, 6, 0)
	w.list(4, len(parts), 12)
	for _, p := range parts {
		w.rowGroup(fields, p)
	}
	w.end()
	out := append([]byte("PAR1"), w.buf...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(w.buf)))
	return append(out, "PAR1"...)
}

func (w *thriftWriter) rowGroup(fields []field, file string) {
	w.begin()
	w.list(1, len(fields), 12)
	for _, f := range fields {
		w.begin()
		w.str(1, file)
		w.int(2, 6, 0)
		w.field(3, 12)
		w.begin()
		w.int(1, 5, int64(f.physical))
		w.list(2, 0, 5)
		w.list(3, 1, 8)
		w.buf = binary.AppendUvarint(w.buf, uint64(len(f.name)))
		w.buf = append(w.buf, f.name...)
		w.int(4, 5, 0)
		for id := 5; id <= 7; id++ {
			w.int(id, 6, 0)
		}
		w.int(9, 6, 0)
		w.end()
		w.end()
	}
	w.int(2, 6, 0)
	w.int(3, 6, 0)
	w.end()
}

func int32Field(name string) field { return field{name: name, physical: 1, converted: -1} }
func int64Field(name string) field { return field{name: name, physical: 2, converted: -1} }
func textField(name string) field  { return field{name: name, physical: 6, converted: 0} }

// mapFS is a file system of the given files, with a time, so that footers are cached.
func mapFS(files map[string][]byte) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range files {
		out[name] = &fstest.MapFile{Data: data, ModTime: time.Unix(1700000000, 0)}
	}
	return out
}

func open(t *testing.T, c Config) *Catalog {
	t.Helper()
	catalog, err := NewCatalog(c)
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

func snapshot(t *testing.T, c *Catalog) *Snapshot {
	t.Helper()
	s, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func table(t *testing.T, s *Snapshot, name string) *Table {
	t.Helper()
	found, err := s.Table(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Package scantest writes Parquet files for the tests of scan's packages: files
// of any schema and no values, which are nothing but a footer in Thrift's
// compact protocol.
package scantest

import (
	"encoding/binary"
	"testing/fstest"
	"time"
)

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

// Field is a column: physical type and converted type as parquet.thrift numbers them.
type Field struct {
	Name                string
	Physical, Converted int // Converted: -1 none
	Optional            bool
	Precision, Scale    int
	Children            []Field // a group
}

func count(fields []Field) int {
	n := len(fields)
	for _, f := range fields {
		n += count(f.Children)
	}
	return n
}

func (w *thriftWriter) element(f Field, root bool) {
	w.begin()
	if f.Children == nil {
		w.int(1, 5, int64(f.Physical))
	}
	if !root {
		optional := 0
		if f.Optional {
			optional = 1
		}
		w.int(3, 5, int64(optional))
	}
	w.str(4, f.Name)
	if f.Children != nil {
		w.int(5, 5, int64(len(f.Children)))
	}
	if f.Converted >= 0 && f.Children == nil {
		w.int(6, 5, int64(f.Converted))
	}
	if f.Precision > 0 {
		w.int(7, 5, int64(f.Scale))
		w.int(8, 5, int64(f.Precision))
	}
	w.end()
	for _, c := range f.Children {
		w.element(c, false)
	}
}

// File is a file without rows. With parts it is a summary file: a row
// group of as many rows for each path.
func File(fields []Field, parts ...string) []byte {
	w := &thriftWriter{}
	w.begin()
	w.int(1, 5, 1)
	w.list(2, 1+count(fields), 12)
	w.element(Field{Name: "schema", Children: fields}, true)
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

func (w *thriftWriter) rowGroup(fields []Field, file string) {
	w.begin()
	w.list(1, len(fields), 12)
	for _, f := range fields {
		w.begin()
		w.str(1, file)
		w.int(2, 6, 0)
		w.field(3, 12)
		w.begin()
		w.int(1, 5, int64(f.Physical))
		w.list(2, 0, 5)
		w.list(3, 1, 8)
		w.buf = binary.AppendUvarint(w.buf, uint64(len(f.Name)))
		w.buf = append(w.buf, f.Name...)
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

// Int32 is a REQUIRED INT32 column.
func Int32(name string) Field { return Field{Name: name, Physical: 1, Converted: -1} }

// Int64 is a REQUIRED INT64 column.
func Int64(name string) Field { return Field{Name: name, Physical: 2, Converted: -1} }

// Text is a REQUIRED BYTE_ARRAY column of strings.
func Text(name string) Field { return Field{Name: name, Physical: 6, Converted: 0} }

// FS is a file system of the given files, with a modification time, so that
// footers are cached.
func FS(files map[string][]byte) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range files {
		out[name] = &fstest.MapFile{Data: data, ModTime: time.Unix(1700000000, 0)}
	}
	return out
}

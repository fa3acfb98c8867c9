package fileformat

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// The tests write metadata byte by byte in Thrift's compact protocol, so that they
// can write metadata that no real writer writes.

// Types of the compact protocol.
const (
	tTrue, tFalse, tI8, tI16, tI32, tI64, tDouble, tBinary, tList, tSet, tMap, tStruct = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
)

// tf is a field of a struct: its id and its value, whose Go type decides the
// type on the wire: bool, int8, int32, int64, float64, string, ts, tl, raw.
type tf struct {
	id    int
	value any
}

// ts is a struct. tl is a list: of the wire type, with its elements.
type ts []tf

type tl struct {
	typ      int
	elements []any
}

// raw is a value given by its wire type and bytes.
type raw struct {
	typ   int
	bytes string
}

func structs[T any](elements ...T) tl { return list(tStruct, elements...) }

func list[T any](typ int, elements ...T) tl {
	l := tl{typ: typ}
	for _, e := range elements {
		l.elements = append(l.elements, e)
	}
	return l
}

func wireType(v any) int {
	switch v := v.(type) {
	case bool:
		if v {
			return tTrue
		}
		return tFalse
	case int8:
		return tI8
	case int32:
		return tI32
	case int64:
		return tI64
	case float64:
		return tDouble
	case string:
		return tBinary
	case ts:
		return tStruct
	case tl:
		return tList
	case raw:
		return v.typ
	}
	panic("wireType")
}

func appendThrift(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool: // as an element
		return append(b, byte(wireType(v)))
	case int8:
		return append(b, byte(v))
	case int32:
		return binary.AppendVarint(b, int64(v))
	case int64:
		return binary.AppendVarint(b, v)
	case float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case string:
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case raw:
		return append(b, v.bytes...)
	case tl:
		b = binary.AppendUvarint(append(b, byte(0xf0|v.typ)), uint64(len(v.elements)))
		for _, e := range v.elements {
			b = appendThrift(b, e)
		}
		return b
	case ts:
		for _, f := range v {
			// The long form of a field header: id as a zigzag varint.
			b = append(b, byte(wireType(f.value)))
			b = binary.AppendVarint(b, int64(f.id))
			if _, isBool := f.value.(bool); !isBool {
				b = appendThrift(b, f.value)
			}
		}
		return append(b, 0)
	}
	panic("appendThrift")
}

// with is the struct with some fields replaced or, where the value is nil, left out.
func (s ts) with(changes ...tf) ts {
	var out ts
	for _, f := range s {
		keep := true
		for _, c := range changes {
			keep = keep && c.id != f.id
		}
		if keep {
			out = append(out, f)
		}
	}
	for _, c := range changes {
		if c.value != nil {
			out = append(out, c)
		}
	}
	return out
}

// wrap makes a file of data and a footer.
func wrap(data string, footer []byte) []byte {
	b := append([]byte(magic+data), footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, magic...)
}

func openBytes(b []byte) (*File, error) {
	return Open(bytes.NewReader(b), int64(len(b)), Options{Name: "test"})
}

// The parts of a small file: a required INT32 "a" and an optional list of
// strings "xs", one row group of three rows, pages in data at 4 and 14.
const testData = "0123456789abcdefghij"

func testSchema() tl {
	return structs(
		ts{{4, "schema"}, {5, int32(2)}},
		ts{{1, int32(1)}, {3, int32(0)}, {4, "a"}},
		ts{{3, int32(1)}, {4, "xs"}, {5, int32(1)}, {6, int32(3)}},
		ts{{3, int32(2)}, {4, "list"}, {5, int32(1)}},
		ts{{1, int32(6)}, {3, int32(1)}, {4, "element"}, {6, int32(0)}},
	)
}

func testMeta(typ int32, values, offset int64, path ...string) ts {
	return ts{{1, typ}, {2, list(tI32, int32(0), int32(3))}, {3, list(tBinary, path...)}, {4, int32(1)}, {5, values}, {6, int64(20)}, {7, int64(10)}, {9, offset}}
}

func testChunks() []ts {
	return []ts{
		{{2, int64(0)}, {3, testMeta(1, 3, 4, "a")}},
		{{2, int64(0)}, {3, testMeta(6, 5, 14, "xs", "list", "element")}},
	}
}

func testGroup(chunks ...ts) ts { return ts{{1, structs(chunks...)}, {2, int64(40)}, {3, int64(3)}} }

func testFooter() ts {
	return ts{{1, int32(2)}, {2, testSchema()}, {3, int64(3)}, {4, structs(testGroup(testChunks()...))}}
}

// testFile is the file with changes to its footer.
func testFile(changes ...tf) []byte {
	return wrap(testData, appendThrift(nil, testFooter().with(changes...)))
}

// chunkFile is the file with changes to the metadata of its first chunk.
func chunkFile(changes ...tf) []byte {
	chunks := testChunks()
	chunks[0] = ts{{2, int64(0)}, {3, testMeta(1, 3, 4, "a").with(changes...)}}
	return testFile(tf{4, structs(testGroup(chunks...))})
}

func mustOpen(t *testing.T, b []byte) *File {
	t.Helper()
	f, err := openBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

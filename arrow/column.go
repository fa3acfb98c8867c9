package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parquetsql/parquetsql/vector"
)

// errTooLong is a column whose texts or lists are more than 32-bit offsets can count; fewer rows may fit.
var errTooLong = errors.New("texts or lists of a batch have more than 2147483647 bytes or elements")

// maker makes Arrow's arrays of vectors.
type maker struct {
	mem memory.Allocator
	mapping
	dictionaries []*dictionary // the last one of each column
}

// column is rows of a column of a batch, n of them; rows nil: the first ones.
func (m *maker) column(i int, v *vector.Vector, rows []int32, n int, f arrow.Field) (arrow.Array, error) {
	var data *array.Data
	var err error
	if t, ok := f.Type.(*arrow.DictionaryType); ok {
		data, err = m.encoded(i, v, rows, n, f, t)
	} else {
		data, err = m.data(v, rows, n, f)
	}
	if err != nil {
		return nil, err
	}
	defer data.Release()
	return array.MakeFromData(data), nil
}

// values are the rows of a vector that are to be copied.
type values struct {
	n      int
	src    *vector.Vector // flat or constant: what holds the values
	places []int32        // where in src each row's value is; nil: row i is at i
	bits   []byte         // a bit for each row that has a value; nil: all have one
	nulls  int
}

// valuesOf finds the rows of v and which are NULL.
func valuesOf(v *vector.Vector, rows []int32, n int) values {
	x := values{n: n, src: v, places: rows}
	switch v.Form {
	case vector.Constant:
		x.places = make([]int32, n)
	case vector.Dictionary:
		x.src, x.places = v.Dict, make([]int32, n)
		for i := range x.places {
			x.places[i] = v.Codes[rowAt(rows, i)]
		}
	}
	if !v.MayHaveNulls() {
		return x
	}
	x.bits = make([]byte, bitutil.BytesForBits(int64(n)))
	if v.Form == vector.Flat && rows == nil && v.Valid != nil {
		x.setWords(v.Valid)
	} else {
		for i := range n {
			if !v.IsNull(rowAt(rows, i)) {
				bitutil.SetBit(x.bits, i)
			}
		}
	}
	if x.nulls = n - bitutil.CountSetBits(x.bits, 0, n); x.nulls == 0 {
		x.bits = nil
	}
	return x
}

// setWords copies a bitmap. Bits behind the last row are clear.
func (x *values) setWords(valid vector.Validity) {
	var word [8]byte
	for at := 0; at < len(x.bits); at += 8 {
		binary.LittleEndian.PutUint64(word[:], valid[at/8])
		copy(x.bits[at:], word[:])
	}
	if rest := x.n & 7; rest != 0 {
		x.bits[len(x.bits)-1] &= 1<<rest - 1
	}
}

func rowAt(rows []int32, i int) int {
	if rows != nil {
		return int(rows[i])
	}
	return i
}

// place is where in src the value of a row is.
func (x *values) place(i int) int { return rowAt(x.places, i) }

func (x *values) isNull(i int) bool { return x.bits != nil && !bitutil.BitIsSet(x.bits, i) }

// parts are the buffers and children of an array that is being made.
type parts struct {
	buffers  []*memory.Buffer
	children []arrow.ArrayData
}

func (p *parts) release() {
	for _, b := range p.buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, c := range p.children {
		c.Release()
	}
}

// buffer adds a buffer of so many bytes.
func (m *maker) buffer(p *parts, bytes int) []byte {
	b := memory.NewResizableBuffer(m.mem)
	b.Resize(bytes)
	p.buffers = append(p.buffers, b)
	return b.Bytes()
}

// validity begins the buffers of an array with that of which values there are, none where all are.
func (m *maker) validity(p *parts, x *values, f arrow.Field) error {
	switch {
	case x.nulls > 0 && !f.Nullable:
		return fmt.Errorf("a value is NULL where none may be")
	case x.bits == nil:
		p.buffers = append(p.buffers, nil)
	default:
		copy(m.buffer(p, len(x.bits)), x.bits)
	}
	return nil
}

// data is rows of a vector as an array of a field.
func (m *maker) data(v *vector.Vector, rows []int32, n int, f arrow.Field) (*array.Data, error) {
	if f.Type.ID() == arrow.NULL {
		return array.NewData(arrow.Null, n, []*memory.Buffer{nil}, nil, n, 0), nil
	}
	x := valuesOf(v, rows, n)
	var p parts
	defer p.release()
	if err := m.validity(&p, &x, f); err != nil {
		return nil, err
	}
	if err := m.fill(&p, &x, f.Type); err != nil {
		return nil, err
	}
	return array.NewData(f.Type, n, p.buffers, p.children, x.nulls, 0), nil
}

// fill adds the values of an array of a type.
func (m *maker) fill(p *parts, x *values, t arrow.DataType) error {
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
	}
	if x.nulls == x.n { // of whatever type NULL is here
		return m.fillNulls(p, x.n, t)
	}
	switch x.src.Type.Storage() {
	case vector.StoreBool:
		bits := m.buffer(p, int(bitutil.BytesForBits(int64(x.n))))
		clear(bits)
		for i := range x.n {
			if !x.isNull(i) && x.src.Bool[x.place(i)] {
				bitutil.SetBit(bits, i)
			}
		}
		return nil
	case vector.StoreString:
		return m.fillStrings(p, x, t)
	case vector.StoreNested:
		return m.fillNested(p, x, t)
	}
	return m.fillNumbers(p, x, t)
}

// fillNulls adds what stands below n NULLs.
func (m *maker) fillNulls(p *parts, n int, t arrow.DataType) error {
	switch t := t.(type) {
	case *arrow.StringType, *arrow.BinaryType:
		clear(m.buffer(p, 4*(n+1)))
		m.buffer(p, 0)
		return nil
	case *arrow.ListType:
		clear(m.buffer(p, 4*(n+1)))
		return m.below(p, 0, t.ElemField())
	case *arrow.MapType:
		clear(m.buffer(p, 4*(n+1)))
		return m.below(p, 0, t.ElemField())
	case *arrow.StructType:
		for _, f := range t.Fields() {
			if err := m.below(p, n, f); err != nil {
				return err
			}
		}
		return nil
	case *arrow.BooleanType:
		clear(m.buffer(p, int(bitutil.BytesForBits(int64(n)))))
		return nil
	case arrow.FixedWidthDataType:
		clear(m.buffer(p, n*t.Bytes()))
		return nil
	}
	return fmt.Errorf("no values of %s are made here", t)
}

// below adds a child of n rows that stand below NULLs: NULL themselves where they may be.
func (m *maker) below(p *parts, n int, f arrow.Field) error {
	var child parts
	defer child.release()
	nulls := 0
	if f.Type.ID() == arrow.NULL {
		p.children = append(p.children, array.NewData(arrow.Null, n, []*memory.Buffer{nil}, nil, n, 0))
		return nil
	}
	if child.buffers = append(child.buffers, nil); f.Nullable && n > 0 {
		nulls, child.buffers = n, nil
		clear(m.buffer(&child, int(bitutil.BytesForBits(int64(n)))))
	}
	t := f.Type
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
	}
	if err := m.fillNulls(&child, n, t); err != nil {
		return err
	}
	p.children = append(p.children, array.NewData(f.Type, n, child.buffers, child.children, nulls, 0))
	return nil
}

package arrow

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// The bytes of a Variant that is null: a dictionary of no names, and the value (VariantEncoding.md,
// "Metadata encoding" and "Value encoding"). They stand below a NULL, as neither of the two may be one.
const (
	emptyMetadata = "\x01\x00\x00"
	nullValue     = "\x00"
)

// fillNested adds the children of a LIST, MAP, STRUCT or VARIANT.
func (m *maker) fillNested(p *parts, x *values, t arrow.DataType) error {
	switch t := t.(type) {
	case *arrow.ListType:
		return m.fillList(p, x, t.ElemField())
	case *arrow.MapType:
		return m.fillMap(p, x, t)
	case *arrow.StructType:
		if x.src.Type.Kind == vector.Variant {
			return m.fillVariant(p, x, t)
		}
		for i, f := range t.Fields() {
			if err := m.child(p, x, x.src.Children[i], f); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("no %s is made of %s", t, x.src.Type)
}

// child adds a field of a STRUCT. Below a NULL is a NULL, or a zero where none may be.
func (m *maker) child(p *parts, x *values, v *vector.Vector, f arrow.Field) error {
	if !f.Nullable && x.nulls > 0 {
		return m.required(p, x, v, f)
	}
	data, err := m.data(v, x.places, x.n, f)
	if err != nil {
		return fmt.Errorf("field %s: %w", f.Name, err)
	}
	p.children = append(p.children, data)
	return nil
}

// required adds a field that is never NULL of a STRUCT that may be.
func (m *maker) required(p *parts, x *values, v *vector.Vector, f arrow.Field) error {
	present := make([]int32, 0, x.n)
	for i := range x.n {
		if !x.isNull(i) {
			present = append(present, int32(x.place(i)))
		}
	}
	// The values that there are, and behind them a row for what is below NULLs.
	var all vector.Vector
	if err := all.Gather(v, present); err != nil {
		return err
	}
	if all.MayHaveNulls() {
		for i := range all.Len {
			if all.IsNull(i) {
				return fmt.Errorf("field %s: a value is NULL where none may be", f.Name)
			}
		}
	}
	all.AppendNulls(1)
	places, next := make([]int32, x.n), int32(0)
	for i := range places {
		if places[i] = int32(len(present)); !x.isNull(i) {
			places[i], next = next, next+1
		}
	}
	nullable := f
	nullable.Nullable = true
	data, err := m.data(&all, places, x.n, nullable)
	if err != nil {
		return fmt.Errorf("field %s: %w", f.Name, err)
	}
	defer data.Release()
	buffers := append([]*memory.Buffer{nil}, data.Buffers()[1:]...)
	p.children = append(p.children, array.NewData(f.Type, x.n, buffers, data.Children(), 0, 0))
	return nil
}

// fillVariant adds metadata and value, of which neither is NULL.
func (m *maker) fillVariant(p *parts, x *values, t *arrow.StructType) error {
	for i, below := range []string{emptyMetadata, nullValue} {
		child := valuesOf(x.src.Children[i], x.places, x.n)
		child.bits, child.nulls = x.bits, x.nulls
		var c parts
		c.buffers = append(c.buffers, nil)
		err := m.fillTexts(&c, &child, below)
		if err == nil {
			p.children = append(p.children, array.NewData(t.Field(i).Type, x.n, c.buffers, nil, 0, 0))
		}
		c.release()
		if err != nil {
			return err
		}
	}
	return nil
}

// elements adds the offsets of lists, and finds their elements: n of those of the children, listed by
// rows or, where it is nil, the first ones from from on.
func (m *maker) elements(p *parts, x *values) (rows []int32, from, n int, err error) {
	offsets := arrow.Int32Traits.CastFromBytes(m.buffer(p, 4*(x.n+1)))
	offsets[0] = 0
	from, next, gap := 0, -1, false
	for i := range x.n {
		if !x.isNull(i) {
			at := x.place(i)
			if lo, hi := int(x.src.Offsets[at]), int(x.src.Offsets[at+1]); lo < hi {
				if next < 0 {
					from, next = lo, lo
				}
				gap, next = gap || lo != next, hi
				n += hi - lo
			}
		}
		if n > math.MaxInt32 {
			return nil, 0, 0, errTooLong
		}
		offsets[i+1] = int32(n)
	}
	if !gap {
		return nil, from, n, nil
	}
	rows = make([]int32, 0, n)
	for i := range x.n {
		if x.isNull(i) {
			continue
		}
		at := x.place(i)
		for e := x.src.Offsets[at]; e < x.src.Offsets[at+1]; e++ {
			rows = append(rows, e)
		}
	}
	return rows, 0, n, nil
}

func (m *maker) fillList(p *parts, x *values, f arrow.Field) error {
	rows, from, n, err := m.elements(p, x)
	if err != nil {
		return err
	}
	data, err := m.data(part(x.src.Children[0], rows, from, n), rows, n, f)
	if err != nil {
		return err
	}
	p.children = append(p.children, data)
	return nil
}

// part is the elements of a child from a place on, unless rows lists them.
func part(child *vector.Vector, rows []int32, from, n int) *vector.Vector {
	if rows != nil {
		return child
	}
	out := &vector.Vector{}
	out.Slice(child, from, n)
	return out
}

// fillMap adds the entries, a list of structs of key and value.
func (m *maker) fillMap(p *parts, x *values, t *arrow.MapType) error {
	rows, from, n, err := m.elements(p, x)
	if err != nil {
		return err
	}
	key := part(x.src.Children[0], rows, from, n)
	if key.MayHaveNulls() {
		for i := range n {
			if key.IsNull(rowAt(rows, i)) {
				return fmt.Errorf("a key of a MAP is NULL, which Arrow does not have: %w", parquetsql.ErrUnsupported)
			}
		}
	}
	var entries parts
	defer entries.release()
	entries.buffers = append(entries.buffers, nil)
	data, err := m.data(key, rows, n, t.KeyField())
	if err != nil {
		return fmt.Errorf("the key: %w", err)
	}
	entries.children = append(entries.children, data)
	value := vector.New(vector.Of(vector.Null), n)
	at := []int32(nil)
	if len(x.src.Children) > 1 {
		value, at = part(x.src.Children[1], rows, from, n), rows
	}
	if data, err = m.data(value, at, n, t.ItemField()); err != nil {
		return fmt.Errorf("the value: %w", err)
	}
	entries.children = append(entries.children, data)
	p.children = append(p.children, array.NewData(t.Elem(), n, entries.buffers, entries.children, 0, 0))
	return nil
}

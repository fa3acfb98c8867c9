package variant

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// Len is the number of fields of an object or elements of an array, and 0 for all
// other values.
func (v *Value) Len() int {
	var c container
	if err := v.data.container(&c); err != nil {
		return 0
	}
	return int(c.count)
}

// Index is the element of an array at a position, from 0, or from the end where it
// is negative. It is false for what is not there, and for values that are no array.
func (v *Value) Index(position int64) (Value, bool, error) {
	e, ok, err := v.data.index(position)
	return Value{v.names, e}, ok, err
}

func (d raw) index(position int64) (raw, bool, error) {
	if d.kind() != Array {
		return "", false, nil
	}
	var c container
	if err := d.container(&c); err != nil {
		return "", false, err
	}
	if position < 0 {
		position += int64(c.count)
	}
	if position < 0 || position >= int64(c.count) {
		return "", false, nil
	}
	e, err := d.element(&c, uint32(position))
	return e, err == nil, err
}

// Entry is the i-th field of an object, in the order of the names, or the i-th
// element of an array, without a name; v has it, by Len.
func (v *Value) Entry(i int) (name string, e Value, err error) {
	var c container
	if err := v.data.container(&c); err != nil {
		return "", Value{}, err
	}
	if i < 0 || uint64(i) >= uint64(c.count) {
		return "", Value{}, fmt.Errorf("a Variant of %d values has no value %d", c.count, i)
	}
	name, data, err := v.data.entry(&v.names, &c, uint32(i))
	return name, Value{v.names, data}, err
}

func (d raw) entry(names *Metadata, c *container, i uint32) (name string, e raw, err error) {
	if c.idWidth != 0 {
		if name, err = d.fieldName(names, c, i); err != nil {
			return "", "", err
		}
	}
	e, err = d.element(c, i)
	return name, e, err
}

// Field is the field of an object with a name, by letter case. It is false for what
// is not there, and for values that are no object.
//
// Names are searched as if they were sorted, as they must be; only a search without
// success looks at all of them, since a field that some writer has put elsewhere
// must not seem missing. Nothing is allocated.
func (v *Value) Field(name string) (Value, bool, error) {
	e, ok, err := v.data.field(&v.names, name)
	return Value{v.names, e}, ok, err
}

func (d raw) field(names *Metadata, name string) (raw, bool, error) {
	if d.kind() != Object {
		return "", false, nil
	}
	var c container
	if err := d.container(&c); err != nil {
		return "", false, err
	}
	at, err := d.search(names, &c, name)
	if err != nil || at < 0 {
		return "", false, err
	}
	e, err := d.element(&c, uint32(at))
	return e, err == nil, err
}

// fewFields is the number of fields up to which all are looked at.
const fewFields = 8

// search is the number of the field with a name, -1 if there is none.
func (d raw) search(names *Metadata, c *container, name string) (int64, error) {
	if c.count > fewFields {
		lo, hi := uint32(0), c.count
		for lo < hi {
			mid := lo + (hi-lo)/2
			at, err := d.fieldName(names, c, mid)
			switch {
			case err != nil:
				return -1, err
			case at == name:
				return int64(mid), nil
			case at < name:
				lo = mid + 1
			default:
				hi = mid
			}
		}
	}
	for i := range c.count {
		at, err := d.fieldName(names, c, i)
		if err != nil {
			return -1, err
		}
		if at == name {
			return int64(i), nil
		}
	}
	return -1, nil
}

// At is the value that a path of FieldSteps and PositionSteps leads to; false if
// there is none. Other steps lead nowhere.
func (v *Value) At(path vector.Path) (Value, bool, error) {
	d, ok, err := v.data.at(&v.names, path)
	return Value{v.names, d}, ok, err
}

func (d raw) at(names *Metadata, path vector.Path) (raw, bool, error) {
	for i := range path {
		var ok bool
		var err error
		switch s := &path[i]; s.Kind {
		case vector.FieldStep:
			d, ok, err = d.field(names, s.Name)
		case vector.PositionStep:
			d, ok, err = d.index(s.Position)
		}
		if !ok || err != nil {
			return "", false, err
		}
	}
	return d, true, nil
}

// find is at for values of many rows with the same dictionary.
func (d raw) find(names *dictionary, path vector.Path) (raw, bool, error) {
	for i := range path {
		var ok bool
		var err error
		switch s := &path[i]; s.Kind {
		case vector.FieldStep:
			d, ok, err = d.numberedField(names, s.Name)
		case vector.PositionStep:
			d, ok, err = d.index(s.Position)
		}
		if !ok || err != nil {
			return "", false, err
		}
	}
	d, err := d.cut()
	return d, err == nil, err
}

// manyFields is the number of fields from which on a binary search by names is faster
// than looking at all numbers.
const manyFields = 64

// numberedField is field by the number of the name, if that is known. What is behind the
// value is part of the result.
func (d raw) numberedField(names *dictionary, name string) (raw, bool, error) {
	n := names.number(name)
	if n.known == absent || d.kind() != Object {
		return "", false, nil
	}
	var c container
	if err := d.container(&c); err != nil {
		return "", false, err
	}
	if n.known == searched || c.count > manyFields {
		return d.field(&names.Metadata, name)
	}
	for i := range c.count {
		if loadUint(d, c.ids+int(i)*int(c.idWidth), c.idWidth) == n.id {
			start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
			if start >= c.total {
				return "", false, errBehind(i)
			}
			return d[c.values+int(start) : c.values+int(c.total)], true, nil
		}
	}
	return "", false, nil
}

package variant

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may be within each other. It bounds the
// stack, and what a path, a comparison and JSON text cost.
const MaxDepth = 1000

// maxScale is the largest scale of a decimal (VariantEncoding.md, "Encoding types").
const maxScale = 38

var errDepth = fmt.Errorf("a Variant has more than %d objects and arrays within each other", MaxDepth)

// Check reads all of v and its names: sizes and offsets, UTF-8, scales and
// precisions of decimals, the order of field names, which excludes that one comes
// twice, and the depth. Values may not share bytes, so that a Variant means no more
// than its size lets expect.
func (v *Value) Check() error {
	if err := v.names.check(); err != nil {
		return err
	}
	return v.data.check(&v.names, MaxDepth)
}

func (d raw) check(names *Metadata, depth int) error {
	switch d.kind() {
	case Object, Array:
		return d.checkContainer(names, depth)
	case shortString, String:
		s, err := d.text()
		if err == nil && !utf8.ValidString(s) {
			return errEncoding(s)
		}
		return err
	case Decimal4, Decimal8, Decimal16:
		_, _, err := d.decimal()
		return err
	}
	_, err := d.size()
	return err
}

// open is the header of an object or array that may have depth-1 more within it.
func (d raw) open(depth int) (container, error) {
	if depth == 0 {
		return container{}, errDepth
	}
	return d.container()
}

var errShared = errors.New("values of a Variant's object or array share bytes")

func errUnordered(before, name string) error {
	return fmt.Errorf("the fields of a Variant's object are not in the order of their names: %.100q is before %.100q", before, name)
}

func (d raw) checkContainer(names *Metadata, depth int) error {
	c, err := d.open(depth)
	if err != nil {
		return err
	}
	before, used := "", uint64(0)
	for i := range c.count {
		name, e, err := d.entry(names, &c, i)
		if err != nil {
			return err
		}
		if c.idWidth != 0 && i > 0 && name <= before {
			return errUnordered(before, name)
		}
		if used += uint64(len(e)); used > uint64(c.total) {
			return errShared
		}
		if err := e.check(names, depth-1); err != nil {
			return err
		}
		before = name
	}
	return nil
}

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

// maxNamed bounds the names of all fields of a value, each counted as often as it is
// used: a small value with one long name in its metadata could mean a text, or a key,
// without bounds.
const maxNamed = 1 << 28

var errNamed = fmt.Errorf("the names of all fields of a Variant have more than %d bytes", maxNamed)

// Check reads all of v and its names: sizes and offsets, UTF-8, scales and
// precisions of decimals, the order of field names, which excludes that one comes
// twice, and the depth. Values may not share bytes, so that a Variant means no more
// than its size lets expect.
func (v *Value) Check() error {
	if err := v.names.check(); err != nil {
		return err
	}
	return v.data.check(&v.names)
}

// check reads all of d. The names have been checked.
func (d raw) check(names *Metadata) error {
	c := checker{names: names}
	return c.value(d, MaxDepth)
}

// checker checks the values within one.
type checker struct {
	names *Metadata
	named int // bytes of the names of fields so far
}

func (c *checker) value(d raw, depth int) error {
	switch d.kind() {
	case Object, Array:
		return c.container(d, depth)
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

func (c *checker) container(d raw, depth int) error {
	h, err := d.open(depth)
	if err != nil {
		return err
	}
	before, used := "", uint64(0)
	for i := range h.count {
		name, e, err := d.entry(c.names, &h, i)
		if err != nil {
			return err
		}
		if h.idWidth != 0 && i > 0 && name <= before {
			return errUnordered(before, name)
		}
		if c.named += len(name); c.named > maxNamed {
			return errNamed
		}
		if used += uint64(len(e)); used > uint64(h.total) {
			return errShared
		}
		if err := c.value(e, depth-1); err != nil {
			return err
		}
		before = name
	}
	return nil
}

package variant

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
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
	return v.data.check(&dictionary{Metadata: v.names})
}

// check reads all of d. The names are checked, or nil if d is a primitive value.
func (d raw) check(names *dictionary) error {
	if names != nil {
		names.prepare()
	}
	c := checker{names: names}
	_, err := c.value(d, MaxDepth)
	return err
}

// checker checks the values within one.
type checker struct {
	names *dictionary
	named int // bytes of the names of fields so far
}

// value checks the value that d begins with, and is its size.
func (c *checker) value(d raw, depth int) (size int, err error) {
	if size, err = d.size(); err != nil {
		return 0, err
	}
	text := d[:size]
	switch header := d[0]; header & 3 {
	case basicObject, basicArray:
		return size, c.container(d, depth)
	case basicShortString:
		text = text[1:]
	default:
		switch Kind(header >> 2) {
		case Decimal4, Decimal8, Decimal16:
			_, _, err := text.decimal()
			return size, err
		case String:
			text = text[5:]
		default:
			return size, nil
		}
	}
	if vector.ASCII(string(text)) < len(text) && !utf8.ValidString(string(text)) {
		return size, errEncoding(string(text))
	}
	return size, nil
}

// open reads the header of an object or array that may have depth-1 more within it.
func (d raw) open(c *container, depth int) error {
	if depth == 0 {
		return errDepth
	}
	return d.container(c)
}

var errShared = errors.New("values of a Variant's object or array share bytes")

func errUnordered(before, name string) error {
	return fmt.Errorf("the fields of a Variant's object are not in the order of their names: %.100q is before %.100q", before, name)
}

func (c *checker) container(d raw, depth int) error {
	var h container
	if err := d.open(&h, depth); err != nil {
		return err
	}
	order, used := newAscending(c.names), uint64(0)
	for i := range h.count {
		if h.idWidth != 0 {
			id := loadUint(d, h.ids+int(i)*int(h.idWidth), h.idWidth)
			if err := order.next(id); err != nil {
				return err
			}
			if c.named += c.names.size(id); c.named > maxNamed {
				return errNamed
			}
		}
		start := loadUint(d, h.offsets+int(i)*int(h.offsetWidth), h.offsetWidth)
		if start >= h.total {
			return errBehind(i)
		}
		size, err := c.value(d[h.values+int(start):h.values+int(h.total)], depth-1)
		if err != nil {
			return err
		}
		if used += uint64(size); used > uint64(h.total) {
			return errShared
		}
	}
	return nil
}

//go:build checkviews

package column

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// viewCheck checks that consumers of a batch neither write to its values, which may
// be views of a page, nor read them after the reader's next call, when the memory
// may have other content. lend hands out a copy; end panics if the copy was changed,
// and then overwrites it. Strings are not checked: they cannot be written to and
// stay valid.
type viewCheck[T any] struct {
	lent []T
	was  []byte
}

func (c *viewCheck[T]) lend(values []T) []T {
	was, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return values // strings
	}
	c.lent, c.was = slices.Clone(values), was
	return c.lent
}

func (c *viewCheck[T]) end() {
	if len(c.was) == 0 {
		return
	}
	now, err := binary.Append(nil, binary.LittleEndian, c.lent)
	if err != nil || !bytes.Equal(now, c.was) {
		panic("a batch's values were written to")
	}
	for i := range now {
		now[i] = 0xA5
	}
	if _, err := binary.Decode(now, binary.LittleEndian, c.lent); err != nil {
		panic(err)
	}
	c.lent, c.was = nil, nil
}

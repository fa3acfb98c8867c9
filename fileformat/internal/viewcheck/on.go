//go:build checkviews

// Package viewcheck checks, under the build tag checkviews, how consumers use the values
// of a batch.
package viewcheck

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// Values checks that consumers of a batch neither write to its values, which may
// be views of a page, nor read them after the reader's next call, when the memory
// may have other content. Strings are checked where they are lent; others stay valid.
type Values[T any] struct {
	lent []T
	was  []byte
	text []byte // of strings
}

// Lend hands out a copy of the values; lent says that strings are valid no longer than others.
func (c *Values[T]) Lend(values []T, lent bool) []T {
	if strings, ok := any(values).([]string); ok {
		if !lent {
			return values
		}
		return any(c.lendStrings(strings)).([]T)
	}
	was, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	c.lent, c.was = slices.Clone(values), was
	return c.lent
}

// mostText is how many bytes are copied: tests measure the memory of long texts.
const mostText = 4 << 20

// lendStrings returns the same strings in memory of their own.
func (c *Values[T]) lendStrings(values []string) []string {
	c.text = nil
	for _, s := range values {
		if len(c.text)+len(s) > mostText {
			c.text = nil
			return values
		}
		c.text = append(c.text, s...)
	}
	text, out := le.String(c.text), make([]string, len(values))
	for i, s := range values {
		out[i], text = text[:len(s)], text[len(s):]
	}
	return out
}

// Keep says that strings are used after the end.
func (c *Values[T]) Keep() { c.text = nil }

// End panics if the copy was changed, and then overwrites it.
func (c *Values[T]) End() {
	for i := range c.text {
		c.text[i] = 0xA5
	}
	c.text = nil
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

// Overwrite replaces strings that nobody may read any longer.
func Overwrite(strings []string) {
	for i := range strings {
		strings[i] = "overwritten"
	}
}

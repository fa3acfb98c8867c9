//go:build checkviews

package column

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// guard holds the consumers of batches to their contract: that they do not write
// to values, which may lie in a page, and do not look at them after the reader's
// next call, when the memory may have other content. It hands out a copy, panics
// where that was changed by the end of the batch, and then overwrites it. Strings
// are left out: they cannot be written to, and stay.
type guard[T any] struct {
	lent []T
	was  []byte
}

func (g *guard[T]) lend(values []T) []T {
	was, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return values // strings
	}
	g.lent, g.was = slices.Clone(values), was
	return g.lent
}

func (g *guard[T]) end() {
	if len(g.was) == 0 {
		return
	}
	now, err := binary.Append(nil, binary.LittleEndian, g.lent)
	if err != nil || !bytes.Equal(now, g.was) {
		panic("parquet: a batch's values were written to")
	}
	for i := range now {
		now[i] = 0xA5
	}
	if _, err := binary.Decode(now, binary.LittleEndian, g.lent); err != nil {
		panic(err)
	}
	g.lent, g.was = nil, nil
}

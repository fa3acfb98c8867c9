package reader

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Texts point into pages, whose memory is used again if nobody keeps a text: for texts that
// only conjuncts read, and those of Request.Lent, this is so. Other texts are the consumer's
// for ever. Where conjuncts leave few rows, these rows' texts are copied and the pages'
// memory is used again, too; where they leave many, the pages stay.

// lending is what happens to the memory of a column's texts.
type lending uint8

const (
	lendNothing lending = iota // it stays, whatever is read
	lendAll                    // it is used again
	lendRest                   // it is used again where texts are copied
)

// copyShare is the part of the rows of a window up to which texts are copied: a copy costs
// about as much as new memory for a page.
const copyShare = 4

// lends is what happens to texts of column i, or within its values, which the file has as
// they are in the table.
func (c *columnReader) lends(i int) lending {
	s := c.morsel.reader.scan
	t := c.column.Type
	stay := s.stay[i]
	switch {
	case i >= s.own || !t.Equal(s.table.Columns[i].Type) || !t.HasTexts():
		return lendNothing
	case stay && t.IsNested() || !t.IsNested() && !c.column.Flat():
		return lendNothing
	case !stay:
		return lendAll
	case len(c.morsel.reader.filters) > 0 && c.buffers.copied >= c.buffers.stayed:
		return lendRest
	}
	return lendNothing
}

// settle makes the texts that leave the scan the consumer's: those of v that are selected
// and, without a selection, all. The window had so many rows.
func (c *columnReader) settle(v *vector.Vector, sel []int32, window int) *vector.Vector {
	if c.lending != lendRest || v.Form != vector.Flat || len(v.Str) == 0 {
		return v
	}
	rows := v.Len
	if sel != nil {
		rows = len(sel)
	}
	if rows*copyShare > window {
		c.buffers.stayed++
		c.decoded.keep()
		return v
	}
	c.buffers.copied++
	return copyTexts(&c.buffers.more().own, v, sel)
}

// keep makes the texts that were read last stay.
func (d *decoded) keep() {
	for _, l := range d.leaves {
		l.reader.Keep()
	}
}

// copyTexts makes out a view of v, but for the texts of the selected rows, which are copies
// that lie together.
func copyTexts(out, v *vector.Vector, sel []int32) *vector.Vector {
	texts := append(out.Str[:0], v.Str[:v.Len]...)
	*out = *v
	out.Str = texts
	rows, size := v.Len, 0
	if sel != nil {
		rows = len(sel)
	}
	at := func(i int) int {
		if sel != nil {
			return int(sel[i])
		}
		return i
	}
	for i := range rows {
		if v.IsNull(at(i)) {
			texts[at(i)] = ""
		}
		size += len(texts[at(i)])
	}
	var all strings.Builder
	all.Grow(size)
	for i := range rows {
		start := all.Len()
		all.WriteString(texts[at(i)])
		texts[at(i)] = all.String()[start:]
	}
	return out
}

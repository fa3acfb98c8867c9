package reader

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// Texts point into pages, whose memory is used again where texts are lent: those that only
// conjuncts read, and those of Request.Lent. Other texts stay. Where conjuncts leave few rows,
// these rows' texts are copied and the pages' memory is used again, too; where they leave many,
// the pages stay.

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

// settle says who owns the texts that leave the scan, those of v that are selected and, without a
// selection, all; it copies them where that is worth it. The window had so many rows.
func (c *columnReader) settle(v *vector.Vector, sel []int32, window int) (*vector.Vector, error) {
	switch {
	case c.lending == lendAll:
		return v, nil
	case c.lending == lendNothing || v.Form != vector.Flat || len(v.Str) == 0:
		v.Raise(vector.Shared)
		return v, nil
	}
	rows := v.Len
	if sel != nil {
		rows = len(sel)
	}
	if rows*copyShare > window {
		c.buffers.stayed++
		c.decoded.keep()
		v.Raise(vector.Shared)
		return v, nil
	}
	c.buffers.copied++
	out, _, err := v.Own(sel, math.MaxInt, &c.buffers.more().own)
	return out, err
}

// keep makes the texts that were read last stay.
func (d *decoded) keep() {
	for _, l := range d.leaves {
		l.reader.Keep()
	}
}

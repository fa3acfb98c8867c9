package reader

import (
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// A shredded path has most values in a column of their own. The others, with the metadata
// that they need, are decoded of rows only where that column is NULL: of other rows their
// pages are skipped.

// restBuffers is the memory for them.
type restBuffers struct {
	read    vector.Vector // as decoded
	picked  vector.Vector // the rows that are needed
	values  vector.Vector // these converted
	merged  vector.Vector // with the shredded values
	rows    []int32
	missing []int32
	picks   []vector.Pick
}

// span is the numbers of some rows: from row from on or, if selected is not nil, these.
type span struct {
	from     int64
	selected []int64
}

func (s span) row(i int32) int64 {
	if s.selected != nil {
		return s.selected[i]
	}
	return s.from + int64(i)
}

// merge converts the shredded values of rows and, where these are NULL, the values of
// rest, of all rows or those that are left. There are fewer rows if a later one is
// damaged.
func (c *columnReader) merge(rows *vector.Vector, at span, left []int32) (*vector.Vector, error) {
	missing, err := c.missing(rows, left)
	if err != nil {
		return nil, err
	}
	n := rows.Len
	var others *vector.Vector
	if len(missing) > 0 {
		others, err = c.others(missing, at)
		var lost *lostRows
		switch {
		case errors.As(err, &lost) && missing[0] > 0:
			n, missing = int(missing[0]), nil
		case err != nil:
			return nil, err
		case others.Len < len(missing):
			n, missing = int(missing[others.Len]), missing[:others.Len]
		}
	}
	if n < rows.Len {
		var part vector.Vector
		part.Slice(rows, 0, n)
		past, _ := slices.BinarySearch(left, int32(n))
		rows, left = &part, left[:past]
	}
	out, err := c.convert(rows, at.from, left)
	if err != nil || len(missing) == 0 {
		return out, err
	}
	return c.put(others, missing, out)
}

// missing lists the rows, all or those that are left, without a shredded value.
func (c *columnReader) missing(v *vector.Vector, left []int32) ([]int32, error) {
	var valid vector.Validity
	rows := v.Len
	for _, step := range c.typed {
		var err error
		if v, err = v.Flatten(nil); err != nil {
			return nil, c.decoded.wrap(err)
		}
		at := slices.IndexFunc(v.Type.Fields, func(f vector.Field) bool { return f.Name == step.Name })
		if at < 0 { // a bare NULL
			break
		}
		valid, v = vector.And(valid, v.Valid), v.Children[at]
	}
	out := c.buffers.more().rest.missing[:0]
	add := func(row int32) {
		if valid != nil && !valid.Get(int(row)) || v.IsNull(int(row)) {
			out = append(out, row)
		}
	}
	switch {
	case valid == nil && !v.MayHaveNulls():
	case left != nil:
		for _, row := range left {
			add(row)
		}
	default:
		for row := range int32(rows) {
			add(row)
		}
	}
	c.buffers.more().rest.missing = out
	return out, nil
}

// others are the values of rest in the listed rows, as far as these are not damaged. The
// error is *lostRows if the first of them is lost.
func (c *columnReader) others(missing []int32, at span) (*vector.Vector, error) {
	b := &c.buffers.more().rest
	first, last := at.row(missing[0]), at.row(missing[len(missing)-1])
	if c.rest.passed(first, false) {
		c.rest = c.rest.alone(c)
		c.rest.buffer = &vector.Vector{}
	}
	var part vector.Vector
	rows, err := c.rest.rows(first, int(last-first)+1, nil, &part)
	if err != nil {
		return nil, err
	}
	b.rows = b.rows[:0]
	for _, i := range missing {
		if row := at.row(i) - first; row < int64(rows.Len) {
			b.rows = append(b.rows, int32(row))
		}
	}
	if err := b.picked.Gather(rows, b.rows); err != nil {
		return nil, c.rest.wrap(err)
	}
	values, err := c.convert(&b.picked, first, nil)
	if err != nil {
		return nil, err
	}
	// The converter makes the shredded values next, in the same memory.
	return &b.values, b.values.Gather(values, nil)
}

// put is out with other values in the listed rows. It may end among these.
func (c *columnReader) put(others *vector.Vector, missing []int32, out *vector.Vector) (*vector.Vector, error) {
	b := &c.buffers.more().rest
	b.picks = vector.Resize(b.picks, out.Len)
	for i := range b.picks {
		b.picks[i] = vector.Pick{Row: int32(i)}
	}
	for k, i := range missing {
		if int(i) < out.Len {
			b.picks[i] = vector.Pick{Source: 1, Row: int32(k)}
		}
	}
	return &b.merged, b.merged.Pick(c.column.Converter().To(), []*vector.Vector{out, others}, b.picks)
}

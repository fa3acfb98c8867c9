package sample

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// chance passes each row on with a chance.
type chance struct {
	in     exec.Operator
	random random
	share  float64
	below  uint64 // of 1<<32: a random number of 32 bits is below it where a row is drawn
	bits   uint64 // the second half of the last random number, each of which is for two rows
	half   bool   // bits are for the next row
	next   int64  // rows of in until the one that is drawn next, if share is small
	sel    []int32
}

// rareShare is up to which chance the rows until the next one are counted.
const rareShare = 1.0 / 16

// NewChance draws each row of in with the same chance, of 1. Which ones they are follows from
// their numbers and the seed.
func NewChance(in exec.Operator, share float64, seed uint64) exec.Operator {
	switch {
	case share >= 1:
		return in
	case !(share > 0):
		return exec.NewLimit(in, 0, 0)
	}
	c := &chance{in: in, share: share, below: uint64(math.Ldexp(share, 32)), random: random(seed)}
	if share < rareShare {
		c.next = skipped(&c.random, share)
	}
	return c
}

// Schema implements exec.Operator.
func (c *chance) Schema() vector.Schema { return c.in.Schema() }

// Close implements exec.Operator.
func (c *chance) Close() error { return c.in.Close() }

// Next implements exec.Operator.
func (c *chance) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := c.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if c.draw(b.Rows()); len(c.sel) == 0 {
			continue
		}
		if b.Sel != nil {
			for i, at := range c.sel {
				c.sel[i] = b.Sel[at]
			}
		}
		b.Sel = c.sel
		return b, nil
	}
}

// draw lists the rows of n that are drawn.
func (c *chance) draw(n int) {
	if c.share < rareShare {
		c.sel = c.sel[:0]
		for ; c.next < int64(n); c.next += 1 + skipped(&c.random, c.share) {
			c.sel = append(c.sel, int32(c.next))
		}
		c.next -= int64(n)
		return
	}
	sel, r, drawn, i := vector.Resize(c.sel, n), c.random, 0, 0
	// A row is written behind those that are drawn, and overwritten unless it is drawn, too.
	if c.half && n > 0 {
		drawn, c.half, i = int((c.bits-c.below)>>63), false, 1
		sel[0] = 0
	}
	for ; i+1 < n; i += 2 {
		bits := r.next()
		sel[drawn] = int32(i)
		drawn += int((bits&math.MaxUint32 - c.below) >> 63)
		sel[drawn] = int32(i + 1)
		drawn += int((bits>>32 - c.below) >> 63)
	}
	if i < n {
		bits := r.next()
		sel[drawn] = int32(i)
		drawn += int((bits&math.MaxUint32 - c.below) >> 63)
		c.bits, c.half = bits>>32, true
	}
	c.sel, c.random = sel[:drawn], r
}

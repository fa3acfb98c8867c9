package join

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// positional joins rows by their number. It reads its inputs in turn.
type positional struct {
	sides  [2]cursor
	schema vector.Schema
	out    vector.Batch
	err    error
}

// cursor is how far an input has been used.
type cursor struct {
	in   exec.Operator
	b    *vector.Batch // nil: the next one is needed, or the input has ended
	from int           // the next selected row of b
	end  bool
	cols []*vector.Vector
}

// NewPositional joins the n-th row of left with the n-th of right. NULLs stand for the
// rows that the shorter input lacks. It has no goroutines.
func NewPositional(left, right exec.Operator, schema vector.Schema) exec.Operator {
	return &positional{sides: [2]cursor{{in: left}, {in: right}}, schema: schema}
}

// Schema implements exec.Operator.
func (p *positional) Schema() vector.Schema { return p.schema }

// Close implements exec.Operator.
func (p *positional) Close() error {
	return exec.CloseAll([]exec.Operator{p.sides[0].in, p.sides[1].in})
}

// Next implements exec.Operator.
func (p *positional) Next(ctx context.Context) (*vector.Batch, error) {
	if p.err != nil {
		return nil, p.err
	}
	n := vector.BatchSize
	for i := range p.sides {
		c := &p.sides[i]
		if p.err = c.fill(ctx); p.err != nil {
			return nil, p.err
		}
		if !c.end {
			n = min(n, c.b.Rows()-c.from)
		}
	}
	if p.sides[0].end && p.sides[1].end {
		return nil, nil
	}
	p.out.Len, p.out.Sel, p.out.Cols = n, nil, p.out.Cols[:0]
	for i := range p.sides {
		if p.err = p.sides[i].take(n); p.err != nil {
			return nil, p.err
		}
		p.out.Cols = append(p.out.Cols, p.sides[i].cols...)
	}
	return &p.out, nil
}

// fill reads the next batch when all rows of the last one were taken.
func (c *cursor) fill(ctx context.Context) error {
	for !c.end && (c.b == nil || c.from == c.b.Rows()) {
		b, err := c.in.Next(ctx)
		if err != nil {
			return err
		}
		c.b, c.from, c.end = b, 0, b == nil
	}
	return nil
}

// take makes cols the next n rows, NULLs after the end.
func (c *cursor) take(n int) error {
	c.cols = c.cols[:0]
	if c.end {
		for _, col := range c.in.Schema() {
			c.cols = append(c.cols, vector.NewConstant(vector.NullOf(col.Type), n))
		}
		return nil
	}
	for _, v := range c.b.Cols {
		part := &vector.Vector{}
		if c.b.Sel == nil {
			part.Slice(v, c.from, n)
		} else if err := exec.CopyVector(part, v, c.b.Sel[c.from:c.from+n]); err != nil {
			return err
		}
		c.cols = append(c.cols, part)
	}
	c.from += n
	return nil
}

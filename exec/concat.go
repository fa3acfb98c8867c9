package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// concat is the rows of its inputs, one input after the other.
type concat struct {
	in []Operator
	at int
}

// NewConcat is the rows of all inputs, those of the first before those of the next. It
// closes each input at its end: what it holds is needed no longer.
func NewConcat(in []Operator) Operator {
	if len(in) == 1 {
		return in[0]
	}
	return &concat{in: in}
}

func (c *concat) Schema() vector.Schema { return c.in[0].Schema() }
func (c *concat) Close() error          { return CloseAll(c.in) }

func (c *concat) Next(ctx context.Context) (*vector.Batch, error) {
	for c.at < len(c.in) {
		b, err := c.in[c.at].Next(ctx)
		if b != nil || err != nil {
			return b, err
		}
		c.at++
		if err := c.in[c.at-1].Close(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

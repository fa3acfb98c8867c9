package exec

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

type portion struct {
	limit
	percent float64
	total   func() int64
	counted bool
}

// NewPortion skips offset rows and passes on percent of 100 of all rows, rounded down. total is how many these are; it
// is asked after the first Next of in.
func NewPortion(in Operator, offset int64, percent float64, total func() int64) Operator {
	return &portion{limit: limit{in: in, skip: max(offset, 0)}, percent: percent, total: total}
}

func (p *portion) Next(ctx context.Context) (*vector.Batch, error) {
	if p.counted {
		return p.limit.Next(ctx)
	}
	p.counted = true
	b, err := p.in.Next(ctx)
	if b == nil || err != nil {
		return nil, err
	}
	p.left = int64(math.Floor(p.percent / 100 * float64(p.total()))) // in this order: 29 % of 100 rows are 28, as in DuckDB
	if p.left == 0 {
		return nil, p.in.Close()
	}
	if b = p.limit.part(b); b != nil {
		return b, nil
	}
	return p.limit.Next(ctx)
}

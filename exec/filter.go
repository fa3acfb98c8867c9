package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

type filter struct {
	in Operator
	f  *expr.Filter
}

// NewFilter selects the rows where e is TRUE. It copies nothing: it narrows the
// selection of the batches of in, and drops batches without rows.
func NewFilter(env Env, in Operator, e expr.Expr) Operator {
	f := &filter{in: in, f: expr.NewFilter(e)}
	f.f.Meter = env.Meter()
	return f
}

func (f *filter) Schema() vector.Schema { return f.in.Schema() }
func (f *filter) Close() error          { f.f.Meter.Start(0); return f.in.Close() }

func (f *filter) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := f.in.Next(ctx)
		if b == nil || err != nil {
			f.f.Meter.Start(0)
			return nil, err
		}
		if err := f.f.Apply(b); err != nil {
			return nil, err
		}
		if b.Rows() > 0 {
			return b, nil
		}
	}
}

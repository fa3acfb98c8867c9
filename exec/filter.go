package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

type filter struct {
	in Operator
	f  *expr.Filter // nil after the last batch
}

// NewFilter selects the rows where e is TRUE. It copies nothing: it narrows the
// selection of the batches of in, and drops batches without rows.
func NewFilter(env Env, in Operator, e expr.Expr) Operator {
	f := &filter{in: in, f: expr.NewFilter(e)}
	f.f.Meter = env.Meter()
	return f
}

func (f *filter) Schema() vector.Schema { return f.in.Schema() }
func (f *filter) Close() error          { f.end(); return f.in.Close() }

// end is that of project.
func (f *filter) end() {
	if f.f != nil {
		f.f.Meter.Start(0)
		f.f = nil
	}
}

func (f *filter) Next(ctx context.Context) (*vector.Batch, error) {
	for f.f != nil {
		b, err := f.in.Next(ctx)
		if err != nil {
			f.f.Meter.Start(0)
			return nil, err
		}
		if b == nil {
			break
		}
		if err := f.f.Apply(b); err != nil {
			return nil, err
		}
		if b.Rows() > 0 {
			return b, nil
		}
	}
	f.end()
	return nil, nil
}

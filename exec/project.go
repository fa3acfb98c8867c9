package exec

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

type project struct {
	in     Operator
	exprs  *ExprSet
	schema vector.Schema
	batch  *vector.Batch // of in, while it has rows that are not projected yet
	left   []int32
	out    vector.Batch
}

// NewProject evaluates exprs over the rows of in; schema describes the results.
func NewProject(in Operator, exprs []expr.Expr, schema vector.Schema) Operator {
	p := &project{in: in, exprs: &ExprSet{}, schema: schema}
	for _, e := range exprs {
		p.exprs.Add(e)
	}
	return p
}

func (p *project) Schema() vector.Schema { return p.schema }
func (p *project) Close() error          { return p.in.Close() }

func (p *project) Next(ctx context.Context) (*vector.Batch, error) {
	if len(p.left) > 0 {
		return p.part(len(p.left))
	}
	b, err := p.in.Next(ctx)
	if b == nil || err != nil {
		return nil, err
	}
	if err = p.eval(b); errors.Is(err, expr.ErrBatchTooLong) && b.Rows() > 1 {
		p.batch, p.left = b, p.left[:0]
		for i := range b.Rows() {
			p.left = append(p.left, int32(b.Row(i)))
		}
		return p.part(len(p.left) / 2)
	}
	if err != nil {
		return nil, err
	}
	return &p.out, nil
}

// part projects up to n of the remaining rows, or fewer if their texts would be too
// long for one batch.
func (p *project) part(n int) (*vector.Batch, error) {
	for ; ; n /= 2 {
		err := p.eval(&vector.Batch{Len: p.batch.Len, Cols: p.batch.Cols, Sel: p.left[:n:n]})
		if err == nil {
			p.left = p.left[n:]
			return &p.out, nil
		}
		if n == 1 || !errors.Is(err, expr.ErrBatchTooLong) {
			return nil, err
		}
	}
}

func (p *project) eval(b *vector.Batch) error {
	cols, err := p.exprs.Eval(b)
	if err == nil {
		p.out = vector.Batch{Len: b.Len, Cols: cols, Sel: b.Sel}
	}
	return err
}

package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

type project struct {
	in     Operator
	exprs  *ExprSet // nil after the last batch
	schema vector.Schema
	parts  expr.Parts // of the batch of in
	out    vector.Batch
}

// NewProject evaluates exprs over the rows of in; schema describes the results.
func NewProject(env Env, in Operator, exprs []expr.Expr, schema vector.Schema) Operator {
	p := &project{in: Narrowed(env, in, exprs), exprs: NewExprSet(env), schema: schema}
	for _, e := range exprs {
		p.exprs.Add(e)
	}
	return p
}

func (p *project) Schema() vector.Schema { return p.schema }
func (p *project) Close() error          { p.end(); return p.in.Close() }

// end gives up the values of the last batch, which point to pages: other operators may run on
// for a long time.
func (p *project) end() {
	if p.exprs != nil {
		p.exprs.End()
		p.exprs, p.parts, p.out = nil, expr.Parts{}, vector.Batch{}
	}
}

func (p *project) Next(ctx context.Context) (*vector.Batch, error) {
	if p.exprs == nil {
		return nil, nil
	}
	if !p.parts.More() {
		b, err := p.in.Next(ctx)
		if err != nil {
			p.exprs.End()
			return nil, err
		}
		if b == nil {
			p.end()
			return nil, nil
		}
		p.parts.Start(b)
	} else if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.parts.Next(p.eval); err != nil {
		return nil, err
	}
	return &p.out, nil
}

func (p *project) eval(b *vector.Batch) error {
	cols, err := p.exprs.Eval(b)
	if err == nil {
		p.out = vector.Batch{Len: b.Len, Cols: cols, Sel: b.Sel}
	}
	return err
}

package lower

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/vector"
)

var metaKinds = [...]scan.MetaKind{
	logical.CountStar: scan.CountStar, logical.Count: scan.Count, logical.Min: scan.Min, logical.Max: scan.Max,
}

// metaAggregate is the operator that asks metadata first.
func (b *builder) metaAggregate(n *logical.MetaAggregate) ([]exec.Operator, error) {
	if b.options.Pruning&scan.PruneMetadata == 0 || n.Scan.Table.(Table).Scanned().Virtual != nil {
		in, err := b.build(n.Scan)
		if err != nil {
			return nil, err
		}
		return []exec.Operator{b.plain(n, in)}, nil
	}
	s, err := b.request(n.Scan)
	if err != nil {
		return nil, err
	}
	return []exec.Operator{&metaOperator{n: n, b: b, scan: s}}, nil
}

func (b *builder) plain(n *logical.MetaAggregate, in []exec.Operator) exec.Operator {
	return group.New(b.options.Env, in, nil, n.Aggs, n.Output)
}

// metaOperator gives one row: what metadata tells, put together with the
// aggregates over the rows that it does not tell of.
type metaOperator struct {
	n    *logical.MetaAggregate
	b    *builder
	scan *reader.Scan
	rest exec.Operator
	done bool
}

// Schema implements exec.Operator.
func (m *metaOperator) Schema() vector.Schema { return m.n.Output }

// Next implements exec.Operator.
func (m *metaOperator) Next(ctx context.Context) (*vector.Batch, error) {
	if m.done {
		return nil, nil
	}
	m.done = true
	asked := make([]scan.MetaAggregate, len(m.n.Kinds))
	for i, k := range m.n.Kinds {
		asked[i] = scan.MetaAggregate{Kind: metaKinds[k], Column: m.n.Of[i]}
	}
	values, rest, err := m.scan.Metadata(ctx, asked)
	if err != nil {
		return nil, err
	}
	if rest != nil {
		if rest != m.scan {
			m.b.scans = append(m.b.scans, Running{m.n.Scan, rest})
		}
		if values, err = m.read(ctx, values, rest); err != nil {
			return nil, err
		}
	}
	out := &vector.Batch{Len: 1}
	for i, v := range values {
		v.Type = m.n.Output[i].Type
		out.Cols = append(out.Cols, vector.NewConstant(v, 1))
	}
	return out, nil
}

// read aggregates the rest and adds it to the values.
func (m *metaOperator) read(ctx context.Context, values []vector.Scalar, rest *reader.Scan) ([]vector.Scalar, error) {
	m.rest = m.b.plain(m.n, m.b.readers(m.n.Scan, rest))
	batch, err := m.rest.Next(ctx)
	if err != nil || batch == nil || batch.Rows() == 0 {
		return values, err
	}
	row := batch.Row(0)
	for i := range values {
		if values[i], err = combine(m.n.Kinds[i], values[i], batch.Cols[i].Get(row)); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// combine puts two partial answers together.
func combine(k logical.MetaKind, a, b vector.Scalar) (vector.Scalar, error) {
	if k == logical.CountStar || k == logical.Count {
		a.I64 += b.I64
		return a, nil
	}
	if a.Null {
		return b, nil
	}
	if b.Null {
		return a, nil
	}
	op := expr.OpLt
	if k == logical.Max {
		op = expr.OpGt
	}
	e, err := expr.NewCompare(op, expr.NewConst(b), expr.NewConst(a))
	if err != nil {
		return a, err
	}
	if c, ok := e.(*expr.Const); ok && c.Value.Bool {
		return b, nil
	}
	return a, nil
}

// Close implements exec.Operator.
func (m *metaOperator) Close() error {
	m.done = true
	if m.rest == nil {
		return nil
	}
	return m.rest.Close()
}

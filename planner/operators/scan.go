package operators

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// scan makes the readers of a scan.
func (b *builder) scan(n *physical.Scan) ([]exec.Operator, error) {
	s, err := b.request(n)
	if err != nil {
		return nil, err
	}
	r := Running{Node: n, Scan: s}
	ops := make([]exec.Operator, n.Readers)
	for i := range ops {
		one := s.NewReader()
		ops[i] = one
		r.readers = append(r.readers, one)
	}
	b.last[n] = r
	if b.repeats {
		for i := range slices.Backward(b.scans) {
			if b.scans[i].Node == n {
				r.before = b.scans[i].Scan
				b.scans[i] = r
				return ops, nil
			}
		}
	}
	b.scans = append(b.scans, r)
	return ops, nil
}

// request starts the scan of a node.
func (b *builder) request(n *physical.Scan) (scan.Scan, error) {
	r := scan.Request{
		Columns: n.Of.Read, Lent: n.Lent, Derived: n.Of.Derived, Limit: n.Of.Limit, Budget: b.env.Budget, Readers: n.Readers,
		First: n.First, InOrder: n.InOrder, Asks: n.Asks,
	}
	// A request names columns by their index in the table, then in Derived, then in Inner.
	all := n.Of.All()
	places := positionsOf(all)
	var err error
	if r.Filter, err = places.all(b.ctx, n.Of.Filter); err != nil {
		return nil, err
	}
	for i, inner := range n.Of.Inner {
		places[inner.ID] = len(all) + i
		r.Inner = append(r.Inner, inner.Inner)
	}
	if r.Unnested, err = places.all(b.ctx, n.Of.Unnested); err != nil {
		return nil, err
	}
	return n.Source.Scan(b.ctx, r)
}

// metaAggregate uses metadata first and reads only the rows for which metadata is
// not enough.
func (b *builder) metaAggregate(n *physical.MetaAggregate) ([]exec.Operator, error) {
	aggs, err := positionsOf(n.In.Columns()).aggregates(b.ctx, n.Of.Aggs)
	if err != nil {
		return nil, err
	}
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	schema := n.Columns().Schema()
	s := b.last[n.In].Scan
	var rest exec.Operator
	if n.Restricts {
		rest = group.NewExtremes(b.env, in, aggs, schema, narrowing(s, n))
	} else {
		rest = group.New(b.env, in, nil, aggs, schema)[0]
	}
	if !n.FromMetadata {
		return []exec.Operator{rest}, nil
	}
	known := func(ctx context.Context) ([]vector.Scalar, bool, error) { return s.Metadata(ctx, n.Of.Asks) }
	return one(group.NewAnswered(known, rest, aggs, schema))
}

// narrowing is the function that is told the least and greatest values so far: the scan leaves out what
// statistics show to be neither lesser nor greater.
func narrowing(s scan.Scan, n *physical.MetaAggregate) func([]vector.Scalar) {
	place := s.NewBound()
	columns := n.In.Of.Table.Description().Columns
	return func(values []vector.Scalar) {
		better := make([]expr.Expr, len(values))
		for i, v := range values {
			ask, op := n.Of.Asks[i], expr.OpLt
			if ask.Kind == scan.Max {
				op = expr.OpGt
			}
			c := columns[ask.Column]
			e, err := expr.NewCompare(op, expr.NewColumn(ask.Column, c.Name, c.Type), expr.NewConst(v))
			if err != nil {
				return
			}
			better[i] = e
		}
		s.SetBetter(place, better)
	}
}

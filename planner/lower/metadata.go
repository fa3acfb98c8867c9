package lower

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
)

// metaAggregate uses metadata first and reads only the rows for which metadata is
// not enough.
func (b *builder) metaAggregate(n *logical.MetaAggregate) ([]exec.Operator, error) {
	aggs, err := positionsOf(n.In.Columns()).aggregates(b.ctx, n.Aggs)
	if err != nil {
		return nil, err
	}
	b.lend(n, n.In, nil, true)
	defer delete(b.lent, n.In) // others may read the same scan
	schema := n.Columns().Schema()
	aggregate := func(in []exec.Operator) exec.Operator {
		return group.New(b.env, in, nil, aggs, schema)[0]
	}
	if t, ok := n.In.Table.(*catalog.Table); !ok || !t.Scan.Pruning.Any(scan.PruneMetadata) {
		in, err := b.build(n.In)
		if err != nil {
			return nil, err
		}
		return []exec.Operator{aggregate(in)}, nil
	}
	s, t, err := b.request(n.In)
	if err != nil {
		return nil, err
	}
	known := func(ctx context.Context) ([]vector.Scalar, bool, error) {
		values, rest, err := s.Metadata(ctx, n.Asks)
		return values, rest == nil, err
	}
	return []exec.Operator{group.NewKnown(known, aggregate(b.readers(n.In, s, t)), aggs, schema)}, nil
}

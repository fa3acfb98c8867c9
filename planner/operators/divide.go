package operators

import (
	"context"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Divider says which partition each row of a plan belongs to. It is for one goroutine.
type Divider struct {
	keys       []*expr.Evaluator
	hasher     *hashtable.Hasher
	partitions uint64

	values []*vector.Vector
	hashes []uint64
}

// NewDivider divides rows with some columns by the hash of keys. It divides them the same in every
// process.
func NewDivider(ctx context.Context, columns logical.Columns, keys []expr.Expr, partitions int) (*Divider, error) {
	list, err := positionsOf(columns).all(ctx, keys)
	if err != nil {
		return nil, err
	}
	d := &Divider{hasher: hashtable.NewStable(len(keys)), partitions: uint64(max(1, partitions)), values: make([]*vector.Vector, len(keys))}
	for _, e := range list {
		d.keys = append(d.keys, expr.NewEvaluator(e))
	}
	return d, nil
}

// Of is the partition of each selected row of a batch. It is valid until the next call.
func (d *Divider) Of(b *vector.Batch) ([]uint64, error) {
	for i, e := range d.keys {
		var err error
		if d.values[i], err = e.Eval(b); err != nil {
			return nil, err
		}
	}
	d.hashes = vector.Resize(d.hashes, b.Rows())
	d.hasher.Hash(d.values, b, d.hashes)
	for i, h := range d.hashes {
		// Mixed once more: hash tables of these rows use the hash itself.
		d.hashes[i], _ = bits.Mul64(hashtable.Mix(h), d.partitions)
	}
	return d.hashes, nil
}

package expr

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// valueBytes is about what is kept for each row of a batch and each value: the value, its
	// validity, and what operations need beside it.
	valueBytes = 16
	// leastRows is the least number of rows of a batch.
	leastRows = 8
)

// BatchRows is how many rows a batch should have at most of which so many values of each row
// are kept or computed. Batches are not charged to the budget.
func BatchRows(budget *quota.Budget, values int) int {
	if budget.Limit() == 0 {
		return vector.BatchSize
	}
	rows := max(4*quota.FreeBytes(budget), quota.LeastBatch) / (valueBytes * int64(max(values, 1)))
	return int(min(max(rows, leastRows), vector.BatchSize))
}

// Operations is how many values the evaluation of a list of expressions computes of a row. It counts no further after the end of ctx, which may be nil.
func Operations(ctx context.Context, list []Expr) int {
	n, ticker := 0, quota.NewTicker(ctx, quota.NodesPerLook)
	for _, e := range list {
		Walk(e, func(x Expr) bool {
			if ticker.Err() != nil || len(x.Children()) == 0 {
				return false
			}
			n++
			return ticker.Work(1) == nil
		})
	}
	return n
}

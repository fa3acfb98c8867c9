package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// Env is what all operators of a query share.
type Env struct {
	Context context.Context // of the query, for evaluations that take long; nil: none
	Budget  *quota.Budget   // nil: no memory limit
	TempDir string          // the folder for rows that do not fit into Budget
	Encrypt bool            // these rows are encrypted on disk, as they were in the files that they come from
}

// Meter bounds what the expressions of one operator make of a batch.
func (e Env) Meter() *quota.Meter { return quota.NewMeter(e.Context, e.Budget) }

// Ended is the error of the query's context, for what may take long between two batches.
func (e Env) Ended() error {
	if e.Context == nil {
		return nil
	}
	return e.Context.Err()
}

package operators

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// Limits is the resources that one query may use.
type Limits struct {
	Parallelism int    // goroutines that may work on the query; 0 counts as 1
	MemoryLimit int64  // bytes that the query may hold; 0: no limit
	TempDir     string // the folder for rows that do not fit
	Statement   int    // the length of the query, whose plan counts
}

// env is the memory budget and the spill folder of one query. The plan of a very long
// statement is charged.
func (l Limits) env(ctx context.Context) (exec.Env, error) {
	budget := quota.New(l.MemoryLimit)
	if made := int64(l.Statement) * planBytes; made > quota.FreePlan {
		if err := budget.Collect(ctx); err != nil {
			return exec.Env{}, err
		}
		if err := budget.Need(made/planShare - quota.FreePlan/planShare); err != nil {
			return exec.Env{}, fmt.Errorf("the plan of a statement of %d bytes: %w", l.Statement, err)
		}
	}
	return exec.Env{Context: ctx, TempDir: l.TempDir, Budget: budget}, nil
}

const (
	// planBytes is about the memory that planning takes for each byte of a statement: tokens,
	// three trees, and operations.
	planBytes = 200
	// planShare is the part of it that the plan has, and the rest is garbage.
	planShare = 2
)

// PageRoom is how many bytes the pages of scans may take, whatever operators hold; 0: any.
func (l Limits) PageRoom() int64 { return quota.New(l.MemoryLimit).PageRoom() }

// Uncounted is how much memory a query may take before what it takes is charged, in bytes: to
// read a footer, or to plan. 0 is any.
func (l Limits) Uncounted() int64 {
	if l.MemoryLimit <= 0 {
		return 0
	}
	return l.MemoryLimit + quota.Slack
}

// Admit is an error if a statement of so many bytes takes more memory than the limit before
// its plan is there and can be charged.
func (l Limits) Admit(bytes int) error {
	if need, most := int64(bytes)*planBytes, l.Uncounted(); most > 0 && need > most {
		return fmt.Errorf("%w: planning a statement of %d bytes takes up to %d, memory_limit is %d; raise it or shorten the statement",
			errs.ErrMemoryLimit, bytes, need, l.MemoryLimit)
	}
	return nil
}

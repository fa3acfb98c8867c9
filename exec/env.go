package exec

import "github.com/parquetsql/parquetsql/internal/membudget"

// Env is what all operators of a query share.
type Env struct {
	Budget  *membudget.Budget // nil: no memory limit
	TempDir string            // the folder for rows that do not fit into Budget
	Encrypt bool              // these rows are encrypted on disk, as they were in the files that they come from
}

package files

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/selection"
)

// Deletes are rows of a file that do not count, by their positions from 0 in the whole file. They
// are loaded only when rows of the file are to be read or counted. Rows that a condition deletes, as
// equality deletes of Iceberg do, have no positions: they are conjuncts of one file, for which the
// place is a field of File beside this one.
type Deletes struct {
	Name string // the file that has the positions, for errors; may be the log
	Rows int64  // how many; -1: not known before they are loaded

	// Load reads the positions. It charges what they take to the budget, until free is called,
	// once and by any goroutine. Its error names the file. It may be called again, for another
	// scan or after an error.
	Load func(ctx context.Context, b *quota.Budget) (rows selection.Rows, free func(), err error)
}

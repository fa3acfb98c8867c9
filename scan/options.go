package scan

import "github.com/parquetsql/parquetsql/internal/errs"

// Options is how tables are read, apart from what a query asks for. It is made once
// from the settings, belongs to the catalog, and reaches each Request by way of the
// table.
type Options struct {
	Pruning       Pruners                  // what may be left unread; 0 reads everything: same rows
	OnCorruptSkip bool                     // leave damaged rows out instead of failing
	OnSkip        func(*errs.CorruptError) // called for each unit left out; may be nil
}

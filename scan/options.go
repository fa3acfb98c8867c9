package scan

import "github.com/parquetsql/parquetsql/internal/errs"

// Options says how tables are read; it is the same for all queries. It is made once
// from the settings. The catalog gives it to each table, and the table to each Request.
type Options struct {
	Pruning       Pruners                  // what may be skipped; 0 skips nothing and gives the same rows
	OnCorruptSkip bool                     // skip damaged rows instead of failing
	OnSkip        func(*errs.CorruptError) // called for each unit skipped; may be nil
}

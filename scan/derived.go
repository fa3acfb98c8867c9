package scan

import "github.com/parquetsql/parquetsql/expr"

// Derived is a column that a scan makes of a VARIANT column. It reads no more of
// that column than it needs: where a file has the path in columns of its own, only
// these.
type Derived struct {
	Column int // index into Table.Columns
	expr.Extraction
}

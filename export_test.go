package parquetsql

import (
	"database/sql/driver"

	"github.com/parquetsql/parquetsql/scan"
)

// WithPruners is the same connector, cache included, whose queries use these
// pruners and no others, for tests that compare them.
func WithPruners(c driver.Connector, p scan.Pruners) driver.Connector {
	out := *c.(*connector)
	out.pruners = p
	return &out
}

package parquetsql_test

import (
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestNilOfOurTypes: a nil pointer to a type of this package is NULL, as one to any other.
func TestNilOfOurTypes(t *testing.T) {
	db := openDir(t, "testdata")
	for _, arg := range []any{(*parquetsql.Decimal)(nil), (*parquetsql.Interval)(nil), (*parquetsql.UUID)(nil)} {
		var null bool
		if err := db.QueryRow("SELECT ? IS NULL", arg).Scan(&null); err != nil || !null {
			t.Errorf("%T: %v, %v", arg, null, err)
		}
	}
}

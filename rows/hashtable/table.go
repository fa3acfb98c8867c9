package hashtable

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Table maps rows of key columns to ids. NULL equals NULL, NaN equals NaN, -0.0
// equals 0.0, intervals are equal if they compare so, and for nested values see
// nested.go. Several goroutines may call Keys, Hashes and their own Finders
// at the same time while none calls FindOrInsert.
type Table interface {
	// FindOrInsert writes to ids[i] the id of the i-th selected row of b. keys are
	// aligned with b. Of keys it keeps only Dict pointers. It fails, with
	// vector.ErrTooLong, only for nested keys.
	FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error
	// NewFinder returns a Finder. It may be used until the next FindOrInsert.
	NewFinder() Finder
	// Len is the number of ids.
	Len() int
	// Keys makes out the key columns of these ids. It fails as FindOrInsert does.
	Keys(ids []uint32, out []*vector.Vector) error
	// Hashes writes hashes of these ids' keys: equal for equal keys in all tables of
	// the same types and seed.
	Hashes(ids []uint32, out []uint64)
	// Bytes is the memory that the table holds.
	Bytes() int64
}

// New is a table for keys of these types, at least one. share says that the
// inserted strings stay in memory for as long as the table anyway, so that they
// need not be cloned.
func New(types []vector.Type, seed Seed, share bool) Table {
	if len(types) > 1 && !slices.ContainsFunc(types, isListed) {
		return newJoint(types, seed, share)
	}
	return newPlain(types, seed, share)
}

// newPlain is New without regard to where the columns come from: others will look their own up.
func newPlain(types []vector.Type, seed Seed, share bool) Table {
	if len(types) == 1 {
		return newColumn(types[0], seed, share)
	}
	if slices.ContainsFunc(types, isListed) {
		return newColumns(types, seed, share)
	}
	return newMulti(types, seed, share)
}

// isListed reports whether values of the type are compared, wherever they are: LISTs and MAPs, which have no ids that
// are cheaper.
func isListed(t vector.Type) bool { return t.Storage() == vector.StoreNested && !canDivide(t) }

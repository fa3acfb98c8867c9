package hashtable

import (
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Table numbers rows of key columns. NULL equals NULL, NaN equals NaN, -0.0
// equals 0.0 and intervals are equal where they compare so. Several goroutines
// may call Keys and Hashes at once, while none calls Number.
type Table interface {
	// Number writes to ids[i] the number of the i-th row that exists in b; keys
	// are aligned with b. It keeps nothing of keys but Dict pointers.
	FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32)
	// Len is the number of ids.
	Len() int
	// Keys makes out the key columns of these numbers.
	Keys(ids []uint32, out []*vector.Vector)
	// Hashes writes hashes of these numbers' keys: equal for equal keys in all
	// tables of the same types and seed.
	Hashes(ids []uint32, out []uint64)
	// Bytes is the memory that the table holds.
	Bytes() int64
}

// New is a table for keys of these types, at least one. share says that the
// strings that will come live for as long as the table does anyhow and need not
// be cloned.
func New(types []vector.Type, seed Seed, share bool) (Table, error) {
	for _, t := range types {
		if t.Storage() == vector.StoreNested {
			return nil, errs.Unsupported("GROUP BY or DISTINCT over a %s; use its JSON text, CAST(x AS VARCHAR)", t.Kind)
		}
	}
	if len(types) == 1 {
		return newColumn(types[0], seed, share), nil
	}
	return newMulti(types, seed, share), nil
}

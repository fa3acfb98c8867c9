package scan

// MetaKind is an aggregate that metadata can answer.
type MetaKind uint8

// The aggregates.
const (
	CountStar MetaKind = iota
	Count
	Min
	Max
)

// MetaAggregate asks for one aggregate over all rows that pass the filter.
type MetaAggregate struct {
	Kind   MetaKind
	Column int // index into Table.Columns, one that the request needs; unused for CountStar
	// NoNulls says that the answer holds only where the column has no NULLs: it is COALESCE of the column that is aggregated.
	NoNulls bool
}

package selection

// Rows is a set of row numbers, from 0. It is immutable and may be used by several goroutines.
type Rows interface {
	// Within is how many of the rows from to to-1 are in the set.
	Within(from, to int64) int64
	// Append appends those of the rows from to to-1 that are in the set, ascending, each less from.
	Append(out []int32, from, to int64) []int32
}

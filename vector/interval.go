package vector

// IntervalValue is a span of time in the three parts that do not convert into
// each other exactly: a month has no fixed number of days, a day no fixed
// number of hours. Parquet's INTERVAL has unsigned 32-bit months, days and
// milliseconds (LogicalTypes.md, "INTERVAL"); all of them fit.
type IntervalValue struct {
	Months, Days, Micros int64
}

const (
	microsPerDay = 86400 * 1e6
	daysPerMonth = 30
)

// Compare orders intervals as DuckDB and PostgreSQL do: a month counts as 30
// days, a day as 24 hours.
func (v IntervalValue) Compare(o IntervalValue) int {
	return v.span().Cmp(o.span())
}

// span is the interval in microseconds, in 128 bits because 64 may overflow.
func (v IntervalValue) span() Int128 {
	days := MulInt64(v.Months, daysPerMonth).Add(Int128From(v.Days))
	return days.Mul64(microsPerDay).Add(Int128From(v.Micros))
}

// manyDays is how many days a short interval has at most: their microseconds fit in 64 bits.
const manyDays = 100_000_000

// short reports whether an interval is the only one of its length that does so: it has no months, and less than
// a day beside its days, in the same direction.
func (v IntervalValue) short() bool {
	return v.Months == 0 && v.Days < manyDays && v.Days > -manyDays && v.Micros < microsPerDay && v.Micros > -microsPerDay &&
		!(v.Days > 0 && v.Micros < 0) && !(v.Days < 0 && v.Micros > 0)
}

// Normal is the same number for all intervals that compare equal, so that they
// have the same hash.
func (v IntervalValue) Normal() Int128 { return v.span() }

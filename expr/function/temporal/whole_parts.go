package temporal

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// complete counts the whole parts between two points in time.
func (p datePart) complete(d1, n1, d2, n2 int64) (int64, bool) {
	sign := int64(1)
	if d2 < d1 || d2 == d1 && n2 < n1 {
		d1, n1, d2, n2, sign = d2, n2, d1, n1, -1
	}
	months := p.months()
	switch {
	case months > 0:
		return sign * (wholeMonths(d1, n1, d2, n2) / months), true
	case p >= partHour && p <= partNanosecond:
		v := vector.MulInt64(d2-d1, scalar.NanosPerDay).Add(vector.Int128From(n2 - n1))
		q, _ := v.DivMod(vector.Int128From(p.nanos()))
		return sign * q.Int64(), q.IsInt64()
	}
	days := d2 - d1
	if n2 < n1 {
		days--
	}
	if p == partWeek || p == partYearWeek {
		days /= 7
	}
	return sign * days, true
}

// completeZoned is complete for TIMESTAMPTZ: months that go back are taken from the later point, as in DuckDB, while those between TIMESTAMPs are
// the same in both directions.
func (p datePart) completeZoned(d1, n1, d2, n2 int64) (int64, bool) {
	months := p.months()
	if months == 0 || d1 < d2 || d1 == d2 && n1 <= n2 {
		return p.complete(d1, n1, d2, n2)
	}
	y1, m1, day1 := vector.CivilDate(d1)
	y2, m2, day2 := vector.CivilDate(d2)
	back := (y1-y2)*12 + int64(m1-m2)
	if day1 = min(day1, scalar.DaysInMonth(y2, m2)); day1 < day2 || day1 == day2 && n1 < n2 {
		back--
	}
	return -(back / months), true
}

// wholeMonths counts the complete months from the first point to the second. On the
// last day of a month, a month that began on a later day number is complete.
func wholeMonths(d1, n1, d2, n2 int64) int64 {
	y1, m1, day1 := vector.CivilDate(d1)
	y2, m2, day2 := vector.CivilDate(d2)
	months := (y2-y1)*12 + int64(m2-m1)
	if day2 < day1 && day2 == scalar.DaysInMonth(y2, m2) {
		day1 = day2
	}
	if day2 < day1 || day2 == day1 && n2 < n1 {
		months--
	}
	return months
}

package vector

// CivilDate is the proleptic Gregorian date of a number of days since
// 1970-01-01, for any number of days (the time package wraps beyond 64 bits of
// seconds). Year 0 is 1 BC. The algorithm is that of Neri and Schneider, "Euclidean
// affine functions and their application to calendar algorithms" (2021): of an era of
// 400 years it divides by multiplying.
func CivilDate(days int64) (year int64, month, day int) {
	n := days + civilEpoch
	if uint64(n) < civilSpan {
		y, m, d := civil(uint32(n))
		return int64(y), int(m), int(d)
	}
	era := floorDiv(days, daysPerEra) // not of n, which may be beyond 64 bits
	y, m, d := civil(uint32(days - era*daysPerEra + civilEpoch))
	return int64(y) + era*400, int(m), int(d)
}

const (
	civilEpoch = 719468  // days from 0000-03-01 to 1970-01-01
	civilSpan  = 1 << 28 // for fewer days since 0000-03-01, 32 bits suffice
	daysPerEra = 146097  // of 400 years
)

// civil is the date that lies n days after 0000-03-01; n is below civilSpan. Years begin in March here.
func civil(n uint32) (year, month, day uint32) {
	n = 4*n + 3
	product := 2939745 * uint64(n%daysPerEra|3)
	dayOfYear := uint32(product) / 2939745 / 4
	place := 2141*dayOfYear + 197913
	year, month = 100*(n/daysPerEra)+uint32(product>>32), place>>16
	if dayOfYear >= 306 {
		year, month = year+1, month-12
	}
	return year, month, uint32(uint16(place))/2141 + 1
}

// CivilYears, CivilMonths and CivilDays are a part of CivilDate for many numbers of days.
func CivilYears(out, days []int64) {
	for i, v := range days {
		n := v + civilEpoch
		if uint64(n) >= civilSpan {
			out[i], _, _ = CivilDate(v)
			continue
		}
		year, _, _ := civil(uint32(n))
		out[i] = int64(year)
	}
}

func CivilMonths(out, days []int64) {
	for i, v := range days {
		n := v + civilEpoch
		if uint64(n) >= civilSpan {
			_, month, _ := CivilDate(v)
			out[i] = int64(month)
			continue
		}
		_, month, _ := civil(uint32(n))
		out[i] = int64(month)
	}
}

func CivilDays(out, days []int64) {
	for i, v := range days {
		n := v + civilEpoch
		if uint64(n) >= civilSpan {
			_, _, day := CivilDate(v)
			out[i] = int64(day)
			continue
		}
		_, _, day := civil(uint32(n))
		out[i] = int64(day)
	}
}

// DaysFromCivil is the reverse of CivilDate (days_from_civil).
func DaysFromCivil(year int64, month, day int) int64 {
	if uint64(year-1) < 1<<15 { // as Neri and Schneider compute it, with 32 bits
		y, m := uint32(year), uint32(month)
		if m <= 2 {
			y, m = y-1, m+12
		}
		century := y / 100
		return int64(1461*y/4-century+century/4+(979*m-2919)/32) + int64(day) - 1 - civilEpoch
	}
	if month <= 2 {
		year--
	}
	era := floorDiv(year, 400)
	yoe := year - era*400
	mp := int64(month+9) % 12
	doy := (153*mp+2)/5 + int64(day) - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// SplitTimestamp is a timestamp in its unit (Wide: see SplitWide) as days since
// 1970 and nanoseconds in the day.
func SplitTimestamp(v int64, u Unit) (days, nanos int64) {
	perDay := u.PerDay()
	days = perDay.Floor(v)
	return days, (v - days*perDay.By) * (nanosPerSec / u.PerSecond())
}

// SplitWide is SplitTimestamp for 128-bit nanoseconds.
func SplitWide(v Int128) (days, nanos int64) {
	if v.IsInt64() {
		return SplitTimestamp(v.Int64(), Nanos)
	}
	q, r := v.DivMod(Int128From(secondsPerDay * nanosPerSec))
	days, nanos = q.Int64(), r.Int64()
	if nanos < 0 {
		days--
		nanos += secondsPerDay * nanosPerSec
	}
	return days, nanos
}

// PerDay divides timestamps in the unit by the length of a day.
func (u Unit) PerDay() *Divider {
	switch u {
	case Seconds:
		return &secondsInDay
	case Millis:
		return &millisInDay
	case Micros:
		return &microsInDay
	}
	return &nanosInDay
}

var (
	secondsInDay = NewDivider(secondsPerDay)
	millisInDay  = NewDivider(secondsPerDay * 1e3)
	microsInDay  = NewDivider(secondsPerDay * 1e6)
	nanosInDay   = NewDivider(secondsPerDay * nanosPerSec)
)

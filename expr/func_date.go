package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// dateFunctions take dates and times apart. TIMESTAMPTZ is taken in UTC.
var dateFunctions = map[string]binder{
	"EXTRACT":   partByName,
	"DATE_PART": partByName,
	"DATEPART":  partByName,

	"YEAR": onePart(partYear), "MONTH": onePart(partMonth), "DAY": onePart(partDay), "DAYOFMONTH": onePart(partDay),
	"HOUR": onePart(partHour), "MINUTE": onePart(partMinute), "SECOND": onePart(partSecond),
	"MILLISECOND": onePart(partMillisecond), "MICROSECOND": onePart(partMicrosecond),
	"QUARTER": onePart(partQuarter), "WEEK": onePart(partWeek), "WEEKOFYEAR": onePart(partWeek),
	"ISOYEAR": onePart(partISOYear), "YEARWEEK": onePart(partYearWeek),
	"DAYOFWEEK": onePart(partDayOfWeek), "WEEKDAY": onePart(partDayOfWeek), "ISODOW": onePart(partISODayOfWeek),
	"DAYOFYEAR": onePart(partDayOfYear), "DECADE": onePart(partDecade), "CENTURY": onePart(partCentury),
	"MILLENNIUM": onePart(partMillennium), "ERA": onePart(partEra), "EPOCH": onePart(partEpoch), "JULIAN": onePart(partJulian),

	"EPOCH_MS":       epochIn(1_000_000, vector.Millis),
	"EPOCH_US":       epochIn(1000, 0),
	"EPOCH_NS":       epochIn(1, 0),
	"UNIX_TIMESTAMP": epochIn(nanosPerSec, 0),

	"DATE_TRUNC": dateTrunc,
	"DATETRUNC":  dateTrunc,
	"DATE":       castTo(vector.Of(vector.Date)),
	"TIMESTAMP":  castTo(vector.TimestampType(vector.Micros, false)),
	"TIME":       castTo(vector.TimeType(vector.Micros)),
	"LAST_DAY":   lastDay,
	"DAYNAME":    nameOf(func(days int64) string { return dayNames[floorMod(days+4, 7)] }),
	"MONTHNAME": nameOf(func(days int64) string {
		_, month, _ := vector.CivilDate(days)
		return monthNames[month-1]
	}),
}

var dayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func castTo(t vector.Type) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return NewCast(args[0], t, false)
	}
}

// wantPoint takes a date or timestamp; a string literal is a timestamp.
func wantPoint(function string, e Expr) (Expr, error) {
	if isInstant(e.Type()) {
		return e, nil
	}
	return wantTimestamp(function, e)
}

// perPoint is a kernel over points in time of any type: days since 1970 and
// nanoseconds in the day.
func perPoint[R vector.Value](t vector.Type, f func(days, nanos int64) R) func() kernel {
	switch {
	case t.Kind == vector.Date:
		return map1(func(v int64) R { return f(v, 0) })
	case t.Kind == vector.Time:
		per := nanosPer(t.Unit)
		return map1(func(v int64) R { return f(0, v*per) })
	case t.Unit == vector.Wide:
		return map1(func(v vector.Int128) R { return f(vector.SplitWide(v)) })
	}
	u := t.Unit
	return map1(func(v int64) R { return f(vector.SplitTimestamp(v, u)) })
}

// partByName is EXTRACT(part FROM x) as DATE_PART('part', x).
func partByName(name string, args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongCount(name, args, "2")
	}
	text, err := constantText(name, "part", args[0])
	if err != nil {
		return nil, err
	}
	p, err := parsePart(text)
	if err != nil {
		return nil, err
	}
	return newPart(name, p, args[1], args)
}

// onePart is a function named after its part.
func onePart(p datePart) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return newPart(name, p, args[0], args)
	}
}

// newPart is a part of x, the last of the arguments of the call.
func newPart(name string, p datePart, x Expr, args []Expr) (Expr, error) {
	t := x.Type()
	if t.Kind != vector.Interval && t.Kind != vector.Time {
		var err error
		if x, err = wantPoint(name, x); err != nil {
			return nil, err
		}
		t = x.Type()
	}
	if p.ofDays() && p != partEpoch && t.Kind == vector.Time {
		return nil, fmt.Errorf("%s: a TIME has no such part", name)
	}
	args = append(append([]Expr(nil), args[:len(args)-1]...), x)
	impl, ret := &routine{args: []Expr{x}}, typeInt
	switch {
	case p == partEpoch:
		impl.make, ret = epochKernel(t), typeDouble
	case p == partJulian && t.Kind != vector.Interval:
		ret = typeDouble
		impl.make = perPoint(t, func(days, nanos int64) float64 { return float64(days) + 2440588 + float64(nanos)/nanosPerDay })
	case t.Kind == vector.Interval:
		if _, err := p.ofInterval(vector.IntervalValue{}); err != nil {
			return nil, err
		}
		impl.make = map1(func(v vector.IntervalValue) int64 { n, _ := p.ofInterval(v); return n })
	default:
		if impl.make = p.clockKernel(t); impl.make == nil {
			impl.make = perPoint(t, p.of)
		}
	}
	return fold(&Call{Name: name, Args: args, T: ret, impl: impl}), nil
}

// clockKernel is hour, minute and second of 64-bit timestamps, without going
// through days; nil for what else there is.
func (p datePart) clockKernel(t vector.Type) func() kernel {
	if !t.IsTimestamp() || t.Unit == vector.Wide || p != partHour && p != partMinute && p != partSecond {
		return nil
	}
	size := p.nanos() / nanosPer(t.Unit)
	if p == partHour {
		return map1(func(v int64) int64 { return floorMod(floorDiv(v, size), 24) })
	}
	return map1(func(v int64) int64 { return floorMod(floorDiv(v, size), 60) })
}

// epochKernel is seconds since 1970, or in an interval, with their fraction.
func epochKernel(t vector.Type) func() kernel {
	if t.Kind == vector.Interval {
		return map1(func(v vector.IntervalValue) float64 {
			days := float64(v.Months/12)*365.25 + float64(v.Months%12)*30 + float64(v.Days)
			return days*secondsPerDay + float64(v.Micros)/1e6
		})
	}
	return perPoint(t, func(days, nanos int64) float64 {
		if v, ok := mulChecked(days, microsPerDay); ok && nanos%1000 == 0 {
			return float64(v+nanos/1000) / 1e6
		}
		return float64(days)*secondsPerDay + float64(nanos)/1e9
	})
}

// epochIn is whole units of so many nanoseconds since 1970. Where made is set,
// an integer is turned the other way, into a TIMESTAMP.
func epochIn(per int64, made vector.Unit) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		if made != 0 && args[0].Type().IsInteger() {
			scale := nanosPer(made) / 1000
			return fixed(vector.TimestampType(vector.Micros, false), try1(func(v int64) (int64, outcome) {
				w, ok := mulChecked(v, scale)
				if !ok {
					return 0, outcome{err: fmt.Errorf("%s(%d): %w", name, v, errOutOfRange)}
				}
				return w, outcome{}
			}), true, wantInt)(name, args)
		}
		x, err := wantPoint(name, args[0])
		if err != nil {
			return nil, err
		}
		x, err = NewCast(x, vector.TimestampType(vector.Wide, false), false)
		if err != nil {
			return nil, err
		}
		return newCall(name, []Expr{x}, typeInt, try1(func(v vector.Int128) (int64, outcome) {
			w, ok := narrowInstant(v, per)
			if !ok {
				return 0, outcome{err: fmt.Errorf("%s: %w", name, errOutOfRange)}
			}
			return w, outcome{}
		}), true, keepArg)
	}
}

// dateTrunc is DATE_TRUNC('part', x). Of a DATE it is a TIMESTAMP.
func dateTrunc(name string, args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongCount(name, args, "2")
	}
	text, err := constantText(name, "part", args[0])
	if err != nil {
		return nil, err
	}
	p, err := parsePart(text)
	if err != nil {
		return nil, err
	}
	if !p.truncatable() {
		return nil, fmt.Errorf("%s: a date cannot be cut down to %q", name, text)
	}
	x := args[1]
	if x.Type().Kind == vector.Interval {
		impl := &routine{args: []Expr{x}, make: map1(p.truncateInterval)}
		return fold(&Call{Name: name, Args: args, T: x.Type(), impl: impl}), nil
	}
	if x, err = wantPoint(name, x); err != nil {
		return nil, err
	}
	t := x.Type()
	impl := &routine{args: []Expr{x}}
	if t.Kind == vector.Date {
		t = vector.TimestampType(vector.Micros, false)
		if x, err = NewCast(x, t, false); err != nil {
			return nil, err
		}
		impl.args = []Expr{x}
	}
	impl.make, impl.careful = truncated(t, p), true
	return fold(&Call{Name: name, Args: []Expr{args[0], x}, T: t, impl: impl}), nil
}

// truncated cuts a timestamp down within its own type. Only the first moments
// that the type has may fall before it.
func truncated(t vector.Type, p datePart) func() kernel {
	join := func(days, nanos int64) vector.Int128 {
		return vector.MulInt64(days, nanosPerDay).Add(vector.Int128From(nanos))
	}
	if t.Unit == vector.Wide {
		return map1(func(v vector.Int128) vector.Int128 {
			days, nanos := vector.SplitWide(v)
			return join(p.truncate(days, nanos))
		})
	}
	u, per := t.Unit, nanosPer(t.Unit)
	if size := p.nanos() / per; !p.ofDays() && size > 0 {
		return try1(func(v int64) (int64, outcome) {
			w := v - floorMod(v, size)
			if w > v {
				return 0, outcome{err: fmt.Errorf("DATE_TRUNC: %w", errOutOfRange)}
			}
			return w, outcome{}
		})
	}
	dayLength := nanosPerDay / per
	return try1(func(v int64) (int64, outcome) {
		days, nanos := p.truncate(vector.SplitTimestamp(v, u))
		w := days*dayLength + nanos/per
		if w > v {
			return 0, outcome{err: fmt.Errorf("DATE_TRUNC: %w", errOutOfRange)}
		}
		return w, outcome{}
	})
}

// lastDay is the last day of the month.
func lastDay(name string, args []Expr) (Expr, error) {
	return perDay(name, args, vector.Of(vector.Date), func(days, _ int64) int64 {
		year, month, _ := vector.CivilDate(days)
		return vector.DaysFromCivil(year, month, daysInMonth(year, month))
	})
}

func nameOf(f func(days int64) string) binder {
	return func(name string, args []Expr) (Expr, error) {
		return perDay(name, args, typeText, func(days, _ int64) string { return f(days) })
	}
}

// perDay is a function of one point in time.
func perDay[R vector.Value](name string, args []Expr, ret vector.Type, f func(days, nanos int64) R) (Expr, error) {
	if len(args) != 1 {
		return nil, wrongCount(name, args, "1")
	}
	x, err := wantPoint(name, args[0])
	if err != nil {
		return nil, err
	}
	return newCall(name, []Expr{x}, ret, perPoint(x.Type(), f), false, keepArg)
}

package expr

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// dateMathFunctions count and add time, and make dates.
var dateMathFunctions = map[string]binder{
	"DATE_DIFF":      counted(datePart.between),
	"DATEDIFF":       byCount(2, dayDifference, counted(datePart.between)),
	"DATE_SUB":       byCount(2, operator(OpSub), counted(datePart.complete)),
	"DATESUB":        counted(datePart.complete),
	"SUBDATE":        operator(OpSub),
	"TIMESTAMPDIFF":  counted(datePart.complete),
	"DATE_ADD":       byCount(2, operator(OpAdd), addParts),
	"ADDDATE":        operator(OpAdd),
	"TIMESTAMPADD":   addParts,
	"MAKE_DATE":      byCount(1, dateFromDays, unsupportedCount, fixed(vector.Of(vector.Date), try3(makeDate), true, wantInt, wantInt, wantInt)),
	"MAKE_TIMESTAMP": makeTimestamp,
	"TO_TIMESTAMP":   fixed(vector.TimestampType(vector.Micros, true), try1(fromEpoch), true, wantDouble),
	"FROM_UNIXTIME":  fixed(vector.TimestampType(vector.Micros, false), try1(fromEpoch), true, wantDouble),
	"TIME_BUCKET":    timeBucket,
	"TO_YEARS":       intervalOf(unit{months: 12}), "TO_MONTHS": intervalOf(unit{months: 1}),
	"TO_WEEKS": intervalOf(unit{days: 7}), "TO_DAYS": intervalOf(unit{days: 1}),
	"TO_HOURS": intervalOf(unit{micros: 3_600_000_000}), "TO_MINUTES": intervalOf(unit{micros: 60_000_000}),
	"TO_SECONDS": intervalOf(unit{micros: 1_000_000}), "TO_MILLISECONDS": intervalOf(unit{micros: 1000}),
	"TO_MICROSECONDS": intervalOf(unit{micros: 1}),
}

func unsupportedCount(name string, args []Expr) (Expr, error) {
	return nil, wrongCount(name, args, "1 or 3")
}

// counted is a function of a part and two points in time.
func counted(count func(p datePart, d1, n1, d2, n2 int64) (int64, bool)) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 3 {
			return nil, wrongCount(name, args, "3")
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
			return nil, fmt.Errorf("%s: time is not counted by %q", name, text)
		}
		points := make([]Expr, 2)
		for i := range points {
			x, err := wantPoint(name, args[i+1])
			if err != nil {
				return nil, err
			}
			if points[i], err = NewCast(x, vector.TimestampType(vector.Wide, false), false); err != nil {
				return nil, err
			}
		}
		impl := &routine{args: points, careful: true, make: try2(func(a, b vector.Int128) (int64, outcome) {
			d1, n1 := vector.SplitWide(a)
			d2, n2 := vector.SplitWide(b)
			v, ok := count(p, d1, n1, d2, n2)
			if !ok {
				return 0, outcome{err: fmt.Errorf("%s: %w", name, errOutOfRange)}
			}
			return v, outcome{}
		})}
		return fold(&Call{Name: name, Args: append([]Expr{args[0]}, points...), T: typeInt, impl: impl}), nil
	}
}

// dayDifference is MySQL's DATEDIFF(a, b): the days from b to a.
func dayDifference(name string, args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongCount(name, args, "2 or 3")
	}
	part := NewConst(vector.StringScalar("day"))
	return counted(datePart.between)(name, []Expr{part, args[1], args[0]})
}

// addParts is DATE_ADD('part', n, x).
func addParts(name string, args []Expr) (Expr, error) {
	if len(args) != 3 {
		return nil, wrongCount(name, args, "2 or 3")
	}
	text, err := constantText(name, "part", args[0])
	if err != nil {
		return nil, err
	}
	u, ok := intervalUnit(text)
	if !ok {
		return nil, fmt.Errorf("%s: there is no unit %q", name, text)
	}
	by, err := intervalOf(u)(name, args[1:2])
	if err != nil {
		return nil, err
	}
	x, err := wantPoint(name, args[2])
	if err != nil {
		return nil, err
	}
	return NewArith(OpAdd, x, by)
}

// intervalOf is so many of a unit.
func intervalOf(u unit) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		n, err := wantInt(name, args[0])
		if err != nil {
			return nil, err
		}
		one := vector.Scalar{Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Months: u.months, Days: u.days, Micros: u.micros}}
		return NewArith(OpMul, NewConst(one), n)
	}
}

func makeDate(year, month, day int64) (int64, outcome) {
	days, ok := civilDays(year, month, day)
	if !ok {
		return 0, outcome{err: fmt.Errorf("there is no date %d-%d-%d", year, month, day)}
	}
	return days, outcome{}
}

// dateFromDays is MAKE_DATE(days since 1970).
var dateFromDays = fixed(vector.Of(vector.Date), try1(func(v int64) (int64, outcome) {
	if v != int64(int32(v)) {
		return 0, outcome{err: fmt.Errorf("MAKE_DATE(%d): %w", v, errOutOfRange)}
	}
	return v, outcome{}
}), true, wantInt)

// makeTimestamp is MAKE_TIMESTAMP(year, month, day, hour, minute, seconds), or
// of microseconds since 1970.
func makeTimestamp(name string, args []Expr) (Expr, error) {
	t := vector.TimestampType(vector.Micros, false)
	if len(args) == 1 {
		return fixed(t, map1(func(v int64) int64 { return v }), false, wantInt)(name, args)
	}
	if len(args) != 6 {
		return nil, wrongCount(name, args, "1 or 6")
	}
	make := func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			var parts [5]operand[int64]
			for k := range parts {
				parts[k] = operandOf[int64](args[k])
			}
			seconds := operandOf[float64](args[5])
			for _, i := range listed(rows, n) {
				days, o := makeDate(parts[0].at(i), parts[1].at(i), parts[2].at(i))
				if o.err != nil {
					return o.err
				}
				hour, minute, second := parts[3].at(i), parts[4].at(i), seconds.at(i)
				if hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 60) {
					return fmt.Errorf("there is no time %d:%d:%v", hour, minute, second)
				}
				micros := (hour*3600+minute*60)*1_000_000 + int64(math.Round(second*1e6))
				at, ok := narrowInstant(vector.MulInt64(days, nanosPerDay).Add(vector.Int128From(micros*1000)), 1000)
				if !ok {
					return fmt.Errorf("MAKE_TIMESTAMP: %w", errOutOfRange)
				}
				out.I64[i] = at
			}
			return nil
		}
	}
	return newCall(name, args, t, make, true, wantInt, wantInt, wantInt, wantInt, wantInt, wantDouble)
}

// fromEpoch is the microseconds of seconds since 1970.
func fromEpoch(v float64) (int64, outcome) {
	w := math.Round(v * 1e6)
	if !(w >= -1<<63 && w < 1<<63) {
		return 0, outcome{err: fmt.Errorf("timestamp of %v seconds: %w", v, errOutOfRange)}
	}
	return int64(w), outcome{}
}

// Buckets begin where DuckDB has them begin: those of months in January 2000,
// others on Monday, 3 January 2000.
const (
	bucketMonths = 30 * 12
	bucketDays   = 10959
)

// timeBucket is TIME_BUCKET(width, x): the beginning of the bucket that x is in.
func timeBucket(name string, args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongCount(name, args, "2")
	}
	width, err := wantInterval(name, args[0])
	if err != nil {
		return nil, err
	}
	w, ok := literal(width)
	months, rest := w.Interval.Months, vector.MulInt64(w.Interval.Days, nanosPerDay).Add(vector.MulInt64(w.Interval.Micros, 1000))
	if !ok || months < 0 || rest.Sign() < 0 || (months == 0) == (rest.Sign() == 0) {
		return nil, fmt.Errorf("%s takes a literal interval of months alone, or of days and smaller units, above zero", name)
	}
	x, err := wantPoint(name, args[1])
	if err != nil {
		return nil, err
	}
	t := x.Type()
	if x, err = NewCast(x, vector.TimestampType(vector.Wide, t.Kind == vector.TimestampTZ), false); err != nil {
		return nil, err
	}
	call, err := newCall(name, []Expr{width, x}, x.Type(), map2(func(_ vector.IntervalValue, v vector.Int128) vector.Int128 {
		return bucketOf(v, months, rest)
	}), true, keepArg, keepArg)
	if err != nil {
		return nil, err
	}
	return NewCast(call, t, false)
}

func bucketOf(v vector.Int128, months int64, rest vector.Int128) vector.Int128 {
	if months > 0 {
		days, _ := vector.SplitWide(v)
		year, month, _ := vector.CivilDate(days)
		at := (year-1970)*12 + int64(month-1) - bucketMonths
		at = floorDiv(at, months)*months + bucketMonths
		return vector.MulInt64(vector.DaysFromCivil(1970+floorDiv(at, 12), int(floorMod(at, 12))+1, 1), nanosPerDay)
	}
	v = v.Sub(vector.MulInt64(bucketDays, nanosPerDay))
	_, r := v.DivMod(rest)
	if r.Sign() < 0 {
		r = r.Add(rest)
	}
	return v.Sub(r).Add(vector.MulInt64(bucketDays, nanosPerDay))
}

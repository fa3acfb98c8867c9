package temporal

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions extract parts of dates and times. TIMESTAMPTZ is read in UTC.
var Functions = []expr.Function{
	{Name: "EXTRACT", Aliases: []string{"DATE_PART", "DATEPART"}, Help: "a part of a date or time; also written EXTRACT(part FROM x); of a list of parts a STRUCT", Example: "EXTRACT(year FROM DATE '2024-02-29') → 2024",
		Binding: define.Custom(partByName, "'part', "+instants+" | TIME | INTERVAL → number", "VARCHAR, "+instants+" | TIME | INTERVAL → BIGINT")},
	{Name: "YEAR", Help: "the year", Example: "YEAR(DATE '2024-02-29') → 2024",
		Total: true, NotNull: true, Monotone: risingDate, Binding: onePart(partYear)},
	{Name: "MONTH", Help: "the month, from 1", Example: "MONTH(DATE '2024-02-29') → 2",
		Total: true, NotNull: true, Binding: onePart(partMonth)},
	{Name: "DAY", Aliases: []string{"DAYOFMONTH"}, Help: "the day of the month", Example: "DAY(DATE '2024-02-29') → 29",
		Total: true, NotNull: true, Binding: onePart(partDay)},
	{Name: "HOUR", Help: "the hour, from 0", Example: "HOUR(TIMESTAMP '2024-02-29 13:14:15') → 13",
		Total: true, NotNull: true, Binding: onePart(partHour)},
	{Name: "MINUTE", Help: "the minute", Example: "MINUTE(TIME '13:14:15') → 14",
		Total: true, NotNull: true, Binding: onePart(partMinute)},
	{Name: "SECOND", Help: "the second, without its fraction", Example: "SECOND(TIME '13:14:15.5') → 15",
		Total: true, NotNull: true, Binding: onePart(partSecond)},
	{Name: "MILLISECOND", Help: "the seconds and their fraction, in milliseconds", Example: "MILLISECOND(TIME '13:14:15.5') → 15500",
		Binding: onePart(partMillisecond)},
	{Name: "MICROSECOND", Help: "the seconds and their fraction, in microseconds", Example: "MICROSECOND(TIME '13:14:15.5') → 15500000",
		Binding: onePart(partMicrosecond)},
	{Name: "NANOSECOND", Help: "the seconds and their fraction, in nanoseconds", Example: "NANOSECOND(TIMESTAMP_NS '2024-01-01 00:00:01.000000005') → 1000000005",
		Binding: onePart(partNanosecond)},
	{Name: "QUARTER", Help: "the quarter of the year, from 1", Example: "QUARTER(DATE '2024-05-01') → 2",
		Total: true, NotNull: true, Binding: onePart(partQuarter)},
	{Name: "WEEK", Aliases: []string{"WEEKOFYEAR"}, Help: "the week of the year by ISO 8601", Example: "WEEK(DATE '2024-12-31') → 1",
		Binding: onePart(partWeek)},
	{Name: "ISOYEAR", Help: "the year that the ISO week belongs to", Example: "ISOYEAR(DATE '2024-12-31') → 2025",
		Binding: onePart(partISOYear)},
	{Name: "YEARWEEK", Help: "the ISO year and the ISO week as one number", Example: "YEARWEEK(DATE '2024-12-31') → 202501",
		Binding: onePart(partYearWeek)},
	{Name: "DAYOFWEEK", Aliases: []string{"WEEKDAY"}, Help: "the day of the week, from Sunday, which is 0", Example: "DAYOFWEEK(DATE '2024-02-29') → 4",
		Binding: onePart(partDayOfWeek)},
	{Name: "ISODOW", Help: "the day of the week, from Monday, which is 1", Example: "ISODOW(DATE '2024-02-25') → 7",
		Binding: onePart(partISODayOfWeek)},
	{Name: "DAYOFYEAR", Help: "the day of the year, from 1", Example: "DAYOFYEAR(DATE '2024-02-29') → 60",
		Binding: onePart(partDayOfYear)},
	{Name: "DECADE", Help: "the year divided by ten", Example: "DECADE(DATE '2024-02-29') → 202",
		Binding: onePart(partDecade)},
	{Name: "CENTURY", Help: "the century; 2001 begins the 21st", Example: "CENTURY(DATE '2000-12-31') → 20",
		Binding: onePart(partCentury)},
	{Name: "MILLENNIUM", Help: "the millennium; 2001 begins the third", Example: "MILLENNIUM(DATE '2024-02-29') → 3",
		Binding: onePart(partMillennium)},
	{Name: "ERA", Help: "1 for years after Christ, else 0", Example: "ERA(DATE '2024-02-29') → 1",
		Binding: onePart(partEra)},
	{Name: "EPOCH", Help: "the seconds since 1970, with their fraction", Example: "EPOCH(TIMESTAMP '1970-01-02') → 86400.0",
		Binding: onePart(partEpoch)},
	{Name: "JULIAN", Help: "the Julian day", Example: "JULIAN(DATE '2024-02-29') → 2460370.0",
		Binding: onePart(partJulian)},
	{Name: "EPOCH_MS", Help: "the milliseconds since 1970, or the timestamp of them", Example: "EPOCH_MS(TIMESTAMP '1970-01-01 00:00:01.5') → 1500",
		Binding: epochIn(1_000_000, vector.Millis)},
	{Name: "EPOCH_US", Help: "the microseconds since 1970", Example: "EPOCH_US(TIMESTAMP '1970-01-01 00:00:01') → 1000000",
		Binding: epochIn(1000, 0)},
	{Name: "EPOCH_NS", Help: "the nanoseconds since 1970", Example: "EPOCH_NS(TIMESTAMP '1970-01-01 00:00:01') → 1000000000",
		Binding: epochIn(1, 0)},
	{Name: "UNIX_TIMESTAMP", Help: "the whole seconds since 1970", Example: "UNIX_TIMESTAMP(DATE '1970-01-02') → 86400",
		Binding: epochIn(scalar.NanosPerSec, 0)},
	{Name: "DATE_TRUNC", Aliases: []string{"DATETRUNC"}, Help: "the beginning of the part of time that contains the timestamp", Example: "DATE_TRUNC('month', TIMESTAMP '2024-02-29 13:14:15') → 2024-02-01 00:00:00",
		Monotone: risingTruncation, Binding: define.Custom(dateTrunc, "VARCHAR, DATE | TIMESTAMP → TIMESTAMP", "VARCHAR, TIMESTAMPTZ → TIMESTAMPTZ", "VARCHAR, INTERVAL → INTERVAL")},
	{Name: "DATE", Help: "the argument as a DATE", Example: "DATE('2024-02-29') → 2024-02-29",
		Monotone: risingDate, Binding: castTo(vector.Of(vector.Date), "VARCHAR | "+instants+" → DATE")},
	{Name: "TIMESTAMP", Help: "the argument as a TIMESTAMP", Example: "TIMESTAMP('2024-02-29') → 2024-02-29 00:00:00",
		Binding: castTo(vector.TimestampType(vector.Micros, false), "VARCHAR | "+instants+" → TIMESTAMP")},
	{Name: "TIME", Help: "the argument as a TIME", Example: "TIME('13:14:15') → 13:14:15",
		Binding: castTo(vector.TimeType(vector.Micros), "VARCHAR | TIME | TIMESTAMP | TIMESTAMPTZ → TIME")},
	{Name: "LAST_DAY", Help: "the last day of the month", Example: "LAST_DAY(DATE '2024-02-01') → 2024-02-29",
		Monotone: risingDate, Binding: define.Fixed(vector.Of(vector.Date), kernel.Try1(lastDay), true, wantDate)},
	{Name: "DAYS_IN_MONTH", Help: "how many days the month has", Example: "DAYS_IN_MONTH(DATE '2024-02-01') → 29",
		Total: true, Binding: define.Fixed(define.TypeInt, kernel.Map1(daysInMonth), true, wantDate)},
	{Name: "DAYNAME", Help: "the name of the weekday", Example: "DAYNAME(DATE '2024-02-29') → Thursday",
		Binding: nameOf(func(days int64) string { return dayNames[kernel.FloorMod(days+4, 7)] })},
	{Name: "MONTHNAME", Help: "the name of the month", Example: "MONTHNAME(DATE '2024-02-29') → February",
		Binding: nameOf(func(days int64) string {
			_, month, _ := vector.CivilDate(days)
			return monthNames[month-1]
		})},
}

var dayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func castTo(t vector.Type, signature string) expr.Binding {
	return define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewCast(args[0], t, false) }, signature)
}

// wantPoint accepts a date or timestamp; a string literal becomes a timestamp.
var wantPoint = define.Want{Types: instants, Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	if scalar.IsInstant(e.Type()) {
		return e, nil
	}
	return define.ImplicitCast(e, function, vector.TimestampType(vector.Micros, false), scalar.IsInstant)
}}

const instants = "DATE | TIMESTAMP | TIMESTAMPTZ"

// perPoint is a kernel over points in time of any type: days since 1970 and
// nanoseconds in the day.
func perPoint[R vector.Value](t vector.Type, f func(days, nanos int64) R) func() kernel.Func {
	switch {
	case t.Kind == vector.Date:
		return kernel.Map1(func(v int64) R { return f(v, 0) })
	case t.Kind == vector.Time:
		per := kernel.NanosPer(t.Unit)
		return kernel.Map1(func(v int64) R { return f(0, v*per) })
	case t.Unit == vector.Wide:
		return kernel.Map1(func(v vector.Int128) R { return f(vector.SplitWide(v)) })
	}
	u := t.Unit
	return kernel.Map1(func(v int64) R { return f(vector.SplitTimestamp(v, u)) })
}

// onePart is a function named after its part.
func onePart(p datePart) expr.Binding {
	takes, result := instants, " → BIGINT"
	if p.ofTime() {
		takes += " | TIME"
	}
	if _, err := p.ofInterval(vector.IntervalValue{}); err == nil || p == partEpoch {
		takes += " | INTERVAL"
	}
	if p == partEpoch || p == partJulian {
		result = " → DOUBLE"
	}
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) { return newPart(call, p, args[0], args) }, takes+result)
}

// newPart extracts a part of x, the last of the call's arguments.
func newPart(call expr.Callee, p datePart, x expr.Expr, args []expr.Expr) (expr.Expr, error) {
	t := x.Type()
	if t.Kind != vector.Interval && t.Kind != vector.Time {
		var err error
		if x, err = wantPoint.Bind(call.Name, x); err != nil {
			return nil, err
		}
		t = x.Type()
	}
	if t.Kind == vector.Time && !p.ofTime() {
		return nil, fmt.Errorf("%s: TIME does not have this part", call.Name)
	}
	args = append(append([]expr.Expr(nil), args[:len(args)-1]...), x)
	impl, ret := &expr.Routine{Args: []expr.Expr{x}}, define.TypeInt
	switch {
	case p == partEpoch:
		impl.Make, ret = epochKernel(t), define.TypeDouble
	case p == partJulian && t.Kind != vector.Interval:
		ret = define.TypeDouble
		impl.Make = perPoint(t, func(days, nanos int64) float64 { return float64(days) + 2440588 + float64(nanos)/scalar.NanosPerDay })
	case t.Kind == vector.Interval:
		if _, err := p.ofInterval(vector.IntervalValue{}); err != nil {
			return nil, err
		}
		impl.Make = kernel.Map1(func(v vector.IntervalValue) int64 { n, _ := p.ofInterval(v); return n })
	default:
		if impl.Make = p.clockKernel(t); impl.Make == nil {
			impl.Make = p.dayKernel(t)
		}
		if impl.Make == nil {
			impl.Make = perPoint(t, p.of)
		}
	}
	return expr.NewCall(call, args, ret, impl), nil
}

// clockKernel extracts hour, minute and second of 64-bit timestamps without computing
// days; it is nil for other parts and types.
func (p datePart) clockKernel(t vector.Type) func() kernel.Func {
	if !t.IsTimestamp() || t.Unit == vector.Wide || p != partHour && p != partMinute && p != partSecond {
		return nil
	}
	size, cycle := vector.NewDivider(p.nanos()/kernel.NanosPer(t.Unit)), vector.NewDivider(60)
	if p == partHour {
		cycle = vector.NewDivider(24)
	}
	return func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			in, r := args[0].I64, out.I64
			for _, i := range kernel.Listed(rows, n) {
				units := size.Floor(in[i])
				r[i] = units - cycle.Floor(units)*cycle.By
			}
			return nil
		}
	}
}

// epochKernel returns the seconds since 1970 or in an interval, with their fraction.
func epochKernel(t vector.Type) func() kernel.Func {
	if t.Kind == vector.Interval {
		return kernel.Map1(func(v vector.IntervalValue) float64 {
			days := float64(v.Months/12)*365.25 + float64(v.Months%12)*30 + float64(v.Days)
			return days*scalar.SecondsPerDay + float64(v.Micros)/1e6
		})
	}
	return perPoint(t, func(days, nanos int64) float64 {
		if v, ok := scalar.MulChecked(days, scalar.MicrosPerDay); ok && nanos%1000 == 0 {
			return float64(v+nanos/1000) / 1e6
		}
		if v, ok := scalar.MulChecked(days, scalar.NanosPerDay); ok && v <= math.MaxInt64-nanos {
			return float64(v+nanos) / 1e9
		}
		return float64(days)*scalar.SecondsPerDay + float64(nanos)/1e9
	})
}

// wantDate accepts a date, and a timestamp as its day.
var wantDate = define.Want{Types: instants, Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	x, err := wantPoint.Bind(function, e)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(x, vector.Of(vector.Date), false)
}}

// lastDay is the last day of the month. For the last month of DATE it is out of range.
func lastDay(days int64) (int64, kernel.Outcome) {
	year, month, _ := vector.CivilDate(days)
	last := vector.DaysFromCivil(year, month, scalar.DaysInMonth(year, month))
	if !scalar.FitsDate(last) {
		return 0, kernel.Outcome{Err: fmt.Errorf("LAST_DAY(%s): %w", vector.AppendDate(nil, days), kernel.ErrOutOfRange)}
	}
	return last, kernel.Outcome{}
}

func nameOf(f func(days int64) string) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := wantPoint.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		return define.Strict(call, []expr.Expr{x}, define.TypeText, perPoint(x.Type(), func(days, _ int64) string { return f(days) }), false)
	}, instants+" → VARCHAR")
}

// risingDate says that a function keeps the order of dates and of timestamps.
func risingDate(args []expr.Expr) []expr.Slope {
	if len(args) == 1 && scalar.IsInstant(args[0].Type()) {
		return []expr.Slope{expr.Rising}
	}
	return nil
}

func daysInMonth(days int64) int64 {
	year, month, _ := vector.CivilDate(days)
	return int64(scalar.DaysInMonth(year, month))
}

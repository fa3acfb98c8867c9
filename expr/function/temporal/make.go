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

// MakeFunctions make dates, times and timestamps of numbers.
var MakeFunctions = []expr.Function{
	{Name: "MAKE_DATE", Help: "the date of a year, a month and a day, or of the days since 1970", Example: "MAKE_DATE(2024, 2, 29) → 2024-02-29",
		Binding: define.Overloaded(dateFromDays, define.Fixed(vector.Of(vector.Date), kernel.Try3(makeDate), true, define.WantInt, define.WantInt, define.WantInt))},
	{Name: "MAKE_TIME", Help: "the time of an hour, a minute and seconds", Example: "MAKE_TIME(13, 14, 15.5)::VARCHAR → 13:14:15.5",
		Binding: define.Fixed(vector.TimeType(vector.Micros), kernel.Try3(makeTime), true, define.WantInt, define.WantInt, define.WantDouble)},
	makeTimestamp,
	{Name: "MAKE_TIMESTAMP_MS", Help: "the timestamp of the milliseconds since 1970", Example: "MAKE_TIMESTAMP_MS(1500) → 1970-01-01 00:00:01.5",
		Binding: timestampIn(vector.Millis)},
	{Name: "MAKE_TIMESTAMP_NS", Help: "the timestamp of the nanoseconds since 1970", Example: "MAKE_TIMESTAMP_NS(1500) → 1970-01-01 00:00:00.0000015",
		Binding: define.Custom(timestampOf(vector.Nanos, false).Bind, "BIGINT → TIMESTAMP_NS")},
	{Name: "MAKE_TIMESTAMPTZ", Help: "the TIMESTAMPTZ of its parts, in UTC or the zone, or of the microseconds since 1970", Example: "MAKE_TIMESTAMPTZ(2024, 2, 29, 13, 14, 15.5, 'Asia/Tokyo') → 2024-02-29 04:14:15.5+00",
		Binding: define.Overloaded(timestampOf(vector.Micros, true), timestampOfParts(true), timestampInZone)},
}

var makeTimestamp = expr.Function{Name: "MAKE_TIMESTAMP", Help: "the timestamp of its parts, or of the microseconds since 1970", Example: "MAKE_TIMESTAMP(2024, 2, 29, 13, 14, 15.5) → 2024-02-29 13:14:15.5",
	Binding: define.Overloaded(timestampOf(vector.Micros, false), timestampOfParts(false))}

func makeDate(year, month, day int64) (int64, kernel.Outcome) {
	days, ok := scalar.CivilDays(year, month, day)
	if !ok {
		return 0, kernel.Outcome{Err: fmt.Errorf("there is no date %d-%d-%d", year, month, day)}
	}
	return days, kernel.Outcome{}
}

// dateFromDays is MAKE_DATE(days since 1970).
var dateFromDays = define.Fixed(vector.Of(vector.Date), kernel.Try1(func(v int64) (int64, kernel.Outcome) {
	if v != int64(int32(v)) {
		return 0, kernel.Outcome{Err: fmt.Errorf("MAKE_DATE(%d): %w", v, kernel.ErrOutOfRange)}
	}
	return v, kernel.Outcome{}
}), true, define.WantInt)

// timestampOf is a timestamp of an integer that counts a unit since 1970.
func timestampOf(u vector.Unit, utc bool) expr.Binding {
	return define.Fixed(vector.TimestampType(u, utc), kernel.Map1(func(v int64) int64 { return v }), false, define.WantInt)
}

// timestampOfParts is a timestamp of year, month, day, hour, minute and seconds.
func timestampOfParts(utc bool) expr.Binding {
	return define.Fixed(vector.TimestampType(vector.Micros, utc), timestampKernel, true,
		define.WantInt, define.WantInt, define.WantInt, define.WantInt, define.WantInt, define.WantDouble)
}

// timestampInZone is MAKE_TIMESTAMPTZ(year, month, day, hour, minute, seconds, zone).
var timestampInZone = define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	local, err := timestampOfParts(false).Bind(expr.Callee{Function: &makeTimestamp, Name: makeTimestamp.Name}, args[:6])
	if err != nil {
		return nil, err
	}
	return atZone(expr.Callee{Function: &timezone, Name: timezone.Name}, []expr.Expr{args[6], local})
}, "BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, DOUBLE, VARCHAR → TIMESTAMPTZ")

func timestampKernel() kernel.Func {
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		var parts [5]kernel.Operand[int64]
		for k := range parts {
			parts[k] = kernel.OperandOf[int64](args[k])
		}
		seconds := kernel.OperandOf[float64](args[5])
		for _, i := range kernel.Listed(rows, n) {
			days, o := makeDate(parts[0].At(i), parts[1].At(i), parts[2].At(i))
			if o.Err != nil {
				return o.Err
			}
			micros, o := makeTime(parts[3].At(i), parts[4].At(i), seconds.At(i))
			if o.Err != nil {
				return o.Err
			}
			at, ok := kernel.NarrowInstant(joinWide(days, micros*1000), 1000)
			if !ok {
				return fmt.Errorf("MAKE_TIMESTAMP: %w", kernel.ErrOutOfRange)
			}
			out.I64[i] = at
		}
		return nil
	}
}

// makeTime is a time of day in microseconds: up to 24:00:00, and with up to 60 seconds,
// as rounding makes them.
func makeTime(hour, minute int64, second float64) (int64, kernel.Outcome) {
	micros := math.Round(second * 1e6)
	const day = 86400 * 1_000_000
	if hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(micros >= 0 && micros <= 60e6) || (hour*3600+minute*60)*1_000_000+int64(micros) > day {
		return 0, kernel.Outcome{Err: fmt.Errorf("there is no time %d:%d:%v", hour, minute, second)}
	}
	return (hour*3600+minute*60)*1_000_000 + int64(micros), kernel.Outcome{}
}

// fromEpoch converts seconds since 1970 to microseconds.
func fromEpoch(v float64) (int64, kernel.Outcome) {
	w := math.Round(v * 1e6)
	if !(w >= -1<<63 && w < 1<<63) {
		return 0, kernel.Outcome{Err: fmt.Errorf("timestamp of %v seconds: %w", v, kernel.ErrOutOfRange)}
	}
	return int64(w), kernel.Outcome{}
}

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

// MathFunctions count and add time, and make dates.
var MathFunctions = []expr.Function{
	{Name: "DATE_DIFF", Help: "the number of boundaries of a part of time between two timestamps", Example: "DATE_DIFF('month', DATE '2024-01-31', DATE '2024-02-01') → 1",
		Monotone: fallingDifference, Binding: counted(false)},
	{Name: "DATEDIFF", Help: "as DATE_DIFF; with two arguments MySQL's days from the second to the first", Example: "DATEDIFF('day', DATE '2024-02-01', DATE '2024-03-01') → 29",
		Binding: define.Overloaded(define.Custom(dayDifference, instants+", "+instants+" → BIGINT"), counted(false))},
	{Name: "DATE_SUB", Help: "the number of complete parts of time between two timestamps, or the first argument minus an interval", Example: "DATE_SUB('month', DATE '2024-01-31', DATE '2024-02-28') → 0",
		Binding: define.Overloaded(define.Operator(scalar.OpSub, define.Differences...), counted(true))},
	{Name: "DATESUB", Aliases: []string{"TIMESTAMPDIFF"}, Help: "the number of complete parts of time between two timestamps", Example: "DATESUB('month', DATE '2024-01-31', DATE '2024-02-28') → 0",
		Binding: counted(true)},
	{Name: "SUBDATE", Help: "the date minus an interval or days", Example: "SUBDATE(DATE '2024-03-01', 1) → 2024-02-29",
		Binding: define.Operator(scalar.OpSub, define.Differences...)},
	{Name: "DATE_ADD", Help: "the date plus an interval, or plus a number of parts of time", Example: "DATE_ADD(DATE '2024-02-28', INTERVAL 1 DAY) → 2024-02-29 00:00:00",
		Binding: define.Overloaded(define.Operator(scalar.OpAdd, define.Sums...), addParts)},
	{Name: "ADDDATE", Help: "the date plus an interval or days", Example: "ADDDATE(DATE '2024-02-28', 1) → 2024-02-29",
		Binding: define.Operator(scalar.OpAdd, define.Sums...)},
	{Name: "TIMESTAMPADD", Help: "the timestamp plus a number of parts of time", Example: "TIMESTAMPADD('hour', 3, TIMESTAMP '2024-02-29 22:00:00') → 2024-03-01 01:00:00",
		Binding: addParts},
	{Name: "TO_TIMESTAMP", Help: "the timestamp of the seconds since 1970", Example: "TO_TIMESTAMP(86400) → 1970-01-02 00:00:00+00",
		Binding: define.Fixed(vector.TimestampType(vector.Micros, true), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "FROM_UNIXTIME", Help: "the timestamp without zone of the seconds since 1970", Example: "FROM_UNIXTIME(86400) → 1970-01-02 00:00:00",
		Binding: define.Fixed(vector.TimestampType(vector.Micros, false), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "TIME_BUCKET", Help: "the beginning of the bucket of a width that contains the timestamp; buckets are moved by an offset, begin at an origin or follow the days of a zone", Example: "TIME_BUCKET(INTERVAL '2 weeks', DATE '2024-02-29') → 2024-02-26",
		Monotone: risingTruncation, Binding: define.Overloaded(
			define.Custom(timeBucket, "INTERVAL, DATE → DATE", "INTERVAL, TIMESTAMP → TIMESTAMP", "INTERVAL, TIMESTAMPTZ → TIMESTAMPTZ"),
			define.Custom(movedBucket, "INTERVAL, DATE, INTERVAL | DATE → DATE", "INTERVAL, TIMESTAMP, INTERVAL | TIMESTAMP → TIMESTAMP", "INTERVAL, TIMESTAMPTZ, VARCHAR → TIMESTAMPTZ"))},
	{Name: "AGE", Help: "the years, months, days and time from the second timestamp, or from the first to today, to the other", Example: "AGE(DATE '2024-03-01', DATE '2023-01-31')::VARCHAR → P1Y1M1D",
		Total: true, Binding: define.Custom(age, "DATE | TIMESTAMP | TIMESTAMPTZ, DATE | TIMESTAMP | TIMESTAMPTZ → INTERVAL")},
	{Name: "NORMALIZED_INTERVAL", Help: "the interval with 24 hours as a day and 30 days as a month", Example: "NORMALIZED_INTERVAL(INTERVAL '35 days 30 hours')::VARCHAR → P1M6DT6H",
		Binding: define.Fixed(vector.Of(vector.Interval), kernel.Map1(normalized), false, define.WantInterval)},
	{Name: "TO_MILLENNIA", Help: "an interval of millennia", Example: "TO_MILLENNIA(2)::VARCHAR → P2000Y",
		Binding: intervalOf(scalar.Unit{Months: 12000})},
	{Name: "TO_CENTURIES", Help: "an interval of centuries", Example: "TO_CENTURIES(2)::VARCHAR → P200Y",
		Binding: intervalOf(scalar.Unit{Months: 1200})},
	{Name: "TO_DECADES", Help: "an interval of decades", Example: "TO_DECADES(2)::VARCHAR → P20Y",
		Binding: intervalOf(scalar.Unit{Months: 120})},
	{Name: "TO_QUARTERS", Help: "an interval of quarters", Example: "TO_QUARTERS(2)::VARCHAR → P6M",
		Binding: intervalOf(scalar.Unit{Months: 3})},
	{Name: "TO_YEARS", Help: "an interval of years", Example: "TO_YEARS(2)::VARCHAR → P2Y",
		Binding: intervalOf(scalar.Unit{Months: 12})},
	{Name: "TO_MONTHS", Help: "an interval of months", Example: "TO_MONTHS(2)::VARCHAR → P2M",
		Binding: intervalOf(scalar.Unit{Months: 1})},
	{Name: "TO_WEEKS", Help: "an interval of weeks", Example: "TO_WEEKS(2)::VARCHAR → P14D",
		Binding: intervalOf(scalar.Unit{Days: 7})},
	{Name: "TO_DAYS", Help: "an interval of days", Example: "TO_DAYS(2)::VARCHAR → P2D",
		Binding: intervalOf(scalar.Unit{Days: 1})},
	{Name: "TO_HOURS", Help: "an interval of hours", Example: "TO_HOURS(2)::VARCHAR → PT2H",
		Binding: intervalOf(scalar.Unit{Micros: 3_600_000_000})},
	{Name: "TO_MINUTES", Help: "an interval of minutes", Example: "TO_MINUTES(2)::VARCHAR → PT2M",
		Binding: intervalOf(scalar.Unit{Micros: 60_000_000})},
	{Name: "TO_SECONDS", Help: "an interval of seconds", Example: "TO_SECONDS(2)::VARCHAR → PT2S",
		Binding: secondsOf(1e6)},
	{Name: "TO_MILLISECONDS", Help: "an interval of milliseconds", Example: "TO_MILLISECONDS(2)::VARCHAR → PT0.002S",
		Binding: secondsOf(1e3)},
	{Name: "TO_MICROSECONDS", Help: "an interval of microseconds", Example: "TO_MICROSECONDS(2)::VARCHAR → PT0.000002S",
		Binding: intervalOf(scalar.Unit{Micros: 1})},
}

// addParts is DATE_ADD('part', n, x).
var addParts = define.Custom(addNamedParts, "'part', BIGINT, DATE | TIMESTAMP → TIMESTAMP", "'part', BIGINT, TIMESTAMPTZ → TIMESTAMPTZ")

func addNamedParts(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	text, err := define.ConstantText(call.Name, "part", args[0])
	if err != nil {
		return nil, err
	}
	u, ok := scalar.IntervalUnit(text)
	if !ok {
		return nil, fmt.Errorf("%s: unknown unit %q", call.Name, text)
	}
	by, err := intervalOf(u).Bind(call, args[1:2])
	if err != nil {
		return nil, err
	}
	x, err := wantPoint.Bind(call.Name, args[2])
	if err != nil {
		return nil, err
	}
	return expr.NewArith(scalar.OpAdd, x, by)
}

// secondsOf is an interval of a number of units that may have a fraction; micros is the
// number of microseconds in a unit.
func secondsOf(micros float64) expr.Binding {
	return define.Fixed(vector.Of(vector.Interval), kernel.Try1(func(v float64) (vector.IntervalValue, kernel.Outcome) {
		w := math.RoundToEven(v * micros)
		if !(w >= -1<<63 && w < 1<<63) {
			return vector.IntervalValue{}, kernel.Outcome{Err: fmt.Errorf("interval of %v: %w", v, kernel.ErrOutOfRange)}
		}
		return vector.IntervalValue{Micros: int64(w)}, kernel.Outcome{}
	}), true, define.WantDouble)
}

// normalized carries whole days to days and whole months of 30 days to months.
func normalized(v vector.IntervalValue) vector.IntervalValue {
	days := v.Days + v.Micros/scalar.MicrosPerDay
	return vector.IntervalValue{Months: v.Months + days/30, Days: days % 30, Micros: v.Micros % scalar.MicrosPerDay}
}

// intervalOf multiplies a unit by an integer.
func intervalOf(u scalar.Unit) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		n, err := define.WantInt.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		one := vector.Scalar{Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Months: u.Months, Days: u.Days, Micros: u.Micros}}
		return expr.NewArith(scalar.OpMul, expr.NewConst(one), n)
	}, "BIGINT → INTERVAL")
}

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
		Binding: counted(datePart.between)},
	{Name: "DATEDIFF", Help: "as DATE_DIFF; with two arguments MySQL's days from the second to the first", Example: "DATEDIFF('day', DATE '2024-02-01', DATE '2024-03-01') → 29",
		Binding: define.Overloaded(define.Custom(dayDifference, instants+", "+instants+" → BIGINT"), counted(datePart.between))},
	{Name: "DATE_SUB", Help: "the number of complete parts of time between two timestamps, or the first argument minus an interval", Example: "DATE_SUB('month', DATE '2024-01-31', DATE '2024-02-28') → 0",
		Binding: define.Overloaded(define.Operator(scalar.OpSub, define.Differences...), counted(datePart.complete))},
	{Name: "DATESUB", Aliases: []string{"TIMESTAMPDIFF"}, Help: "the number of complete parts of time between two timestamps", Example: "DATESUB('month', DATE '2024-01-31', DATE '2024-02-28') → 0",
		Binding: counted(datePart.complete)},
	{Name: "SUBDATE", Help: "the date minus an interval or days", Example: "SUBDATE(DATE '2024-03-01', 1) → 2024-02-29",
		Binding: define.Operator(scalar.OpSub, define.Differences...)},
	{Name: "DATE_ADD", Help: "the date plus an interval, or plus a number of parts of time", Example: "DATE_ADD(DATE '2024-02-28', INTERVAL 1 DAY) → 2024-02-29 00:00:00",
		Binding: define.Overloaded(define.Operator(scalar.OpAdd, define.Sums...), addParts)},
	{Name: "ADDDATE", Help: "the date plus an interval or days", Example: "ADDDATE(DATE '2024-02-28', 1) → 2024-02-29",
		Binding: define.Operator(scalar.OpAdd, define.Sums...)},
	{Name: "TIMESTAMPADD", Help: "the timestamp plus a number of parts of time", Example: "TIMESTAMPADD('hour', 3, TIMESTAMP '2024-02-29 22:00:00') → 2024-03-01 01:00:00",
		Binding: addParts},
	{Name: "MAKE_DATE", Help: "the date of a year, a month and a day, or of the days since 1970", Example: "MAKE_DATE(2024, 2, 29) → 2024-02-29",
		Binding: define.Overloaded(dateFromDays, define.Fixed(vector.Of(vector.Date), kernel.Try3(makeDate), true, define.WantInt, define.WantInt, define.WantInt))},
	{Name: "MAKE_TIMESTAMP", Help: "the timestamp of its parts, or of the microseconds since 1970", Example: "MAKE_TIMESTAMP(2024, 2, 29, 13, 14, 15.5) → 2024-02-29 13:14:15.5",
		Binding: define.Overloaded(timestampFromMicros, timestampFromParts)},
	{Name: "TO_TIMESTAMP", Help: "the timestamp of the seconds since 1970", Example: "TO_TIMESTAMP(86400) → 1970-01-02 00:00:00+00",
		Binding: define.Fixed(vector.TimestampType(vector.Micros, true), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "FROM_UNIXTIME", Help: "the timestamp without zone of the seconds since 1970", Example: "FROM_UNIXTIME(86400) → 1970-01-02 00:00:00",
		Binding: define.Fixed(vector.TimestampType(vector.Micros, false), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "TIME_BUCKET", Help: "the beginning of the bucket of a width that contains the timestamp", Example: "TIME_BUCKET(INTERVAL '2 weeks', DATE '2024-02-29') → 2024-02-26",
		Binding: define.Custom(timeBucket, "INTERVAL literal, DATE → DATE", "INTERVAL literal, TIMESTAMP → TIMESTAMP", "INTERVAL literal, TIMESTAMPTZ → TIMESTAMPTZ")},
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
		Binding: intervalOf(scalar.Unit{Micros: 1_000_000})},
	{Name: "TO_MILLISECONDS", Help: "an interval of milliseconds", Example: "TO_MILLISECONDS(2)::VARCHAR → PT0.002S",
		Binding: intervalOf(scalar.Unit{Micros: 1000})},
	{Name: "TO_MICROSECONDS", Help: "an interval of microseconds", Example: "TO_MICROSECONDS(2)::VARCHAR → PT0.000002S",
		Binding: intervalOf(scalar.Unit{Micros: 1})},
}

// counted is a function that counts a part between two points in time.
func counted(count func(p datePart, d1, n1, d2, n2 int64) (int64, bool)) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		p, err := truncatablePart(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		points := make([]expr.Expr, 2)
		for i := range points {
			x, err := wantPoint.Bind(call.Name, args[i+1])
			if err != nil {
				return nil, err
			}
			if points[i], err = expr.NewCast(x, vector.TimestampType(vector.Wide, false), false); err != nil {
				return nil, err
			}
		}
		impl := &expr.Routine{Args: points, Operation: kernel.Operation{Careful: true, Make: kernel.Try2(func(a, b vector.Int128) (int64, kernel.Outcome) {
			d1, n1 := vector.SplitWide(a)
			d2, n2 := vector.SplitWide(b)
			v, ok := count(p, d1, n1, d2, n2)
			if !ok {
				return 0, kernel.Outcome{Err: fmt.Errorf("%s: %w", call.Name, kernel.ErrOutOfRange)}
			}
			return v, kernel.Outcome{}
		})}}
		return expr.NewCall(call, append([]expr.Expr{args[0]}, points...), define.TypeInt, impl), nil
	}, "'part', "+instants+", "+instants+" → BIGINT")
}

// dayDifference is MySQL's DATEDIFF(a, b): the days from b to a.
func dayDifference(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	part := expr.NewConst(vector.StringScalar("day"))
	return counted(datePart.between).Bind(call, []expr.Expr{part, args[1], args[0]})
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

// timestampFromMicros is MAKE_TIMESTAMP(microseconds since 1970).
var timestampFromMicros = define.Fixed(vector.TimestampType(vector.Micros, false), kernel.Map1(func(v int64) int64 { return v }), false, define.WantInt)

// timestampFromParts is MAKE_TIMESTAMP(year, month, day, hour, minute, seconds).
var timestampFromParts = define.Fixed(vector.TimestampType(vector.Micros, false), timestampKernel, true, define.WantInt, define.WantInt, define.WantInt, define.WantInt, define.WantInt, define.WantDouble)

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
			hour, minute, second := parts[3].At(i), parts[4].At(i), seconds.At(i)
			if hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 60) {
				return fmt.Errorf("there is no time %d:%d:%v", hour, minute, second)
			}
			micros := (hour*3600+minute*60)*1_000_000 + int64(math.Round(second*1e6))
			at, ok := kernel.NarrowInstant(vector.MulInt64(days, scalar.NanosPerDay).Add(vector.Int128From(micros*1000)), 1000)
			if !ok {
				return fmt.Errorf("MAKE_TIMESTAMP: %w", kernel.ErrOutOfRange)
			}
			out.I64[i] = at
		}
		return nil
	}
}

// fromEpoch converts seconds since 1970 to microseconds.
func fromEpoch(v float64) (int64, kernel.Outcome) {
	w := math.Round(v * 1e6)
	if !(w >= -1<<63 && w < 1<<63) {
		return 0, kernel.Outcome{Err: fmt.Errorf("timestamp of %v seconds: %w", v, kernel.ErrOutOfRange)}
	}
	return int64(w), kernel.Outcome{}
}

// The first bucket begins as in DuckDB: buckets of months in January 2000, others on
// Monday, 3 January 2000.
const (
	bucketMonths = 30 * 12
	bucketDays   = 10959
)

// timeBucket is TIME_BUCKET(width, x): the beginning of the bucket that contains x.
func timeBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	width, err := define.WantInterval.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	w, ok := expr.Literal(width)
	months, rest := w.Interval.Months, vector.MulInt64(w.Interval.Days, scalar.NanosPerDay).Add(vector.MulInt64(w.Interval.Micros, 1000))
	if !ok || months < 0 || rest.Sign() < 0 || (months == 0) == (rest.Sign() == 0) {
		return nil, fmt.Errorf("%s takes a positive literal interval, either of months or of days and smaller units", call.Name)
	}
	x, err := wantPoint.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	t := x.Type()
	if x, err = expr.NewCast(x, vector.TimestampType(vector.Wide, t.Kind == vector.TimestampTZ), false); err != nil {
		return nil, err
	}
	result, err := define.Strict(call, []expr.Expr{width, x}, x.Type(), kernel.Map2(func(_ vector.IntervalValue, v vector.Int128) vector.Int128 {
		return bucketOf(v, months, rest)
	}), true)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(result, t, false)
}

func bucketOf(v vector.Int128, months int64, rest vector.Int128) vector.Int128 {
	if months > 0 {
		days, _ := vector.SplitWide(v)
		year, month, _ := vector.CivilDate(days)
		at := (year-1970)*12 + int64(month-1) - bucketMonths
		at = kernel.FloorDiv(at, months)*months + bucketMonths
		return vector.MulInt64(vector.DaysFromCivil(1970+kernel.FloorDiv(at, 12), int(kernel.FloorMod(at, 12))+1, 1), scalar.NanosPerDay)
	}
	v = v.Sub(vector.MulInt64(bucketDays, scalar.NanosPerDay))
	_, r := v.DivMod(rest)
	if r.Sign() < 0 {
		r = r.Add(rest)
	}
	return v.Sub(r).Add(vector.MulInt64(bucketDays, scalar.NanosPerDay))
}

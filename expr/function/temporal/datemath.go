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
	{Name: "DATE_DIFF", Binding: counted(datePart.between)},
	{Name: "DATEDIFF", Binding: define.Overloaded(define.Custom(dayDifference, instants+", "+instants+" → BIGINT"), counted(datePart.between))},
	{Name: "DATE_SUB", Binding: define.Overloaded(define.Operator(scalar.OpSub, define.Differences...), counted(datePart.complete))},
	{Name: "DATESUB", Aliases: []string{"TIMESTAMPDIFF"}, Binding: counted(datePart.complete)},
	{Name: "SUBDATE", Binding: define.Operator(scalar.OpSub, define.Differences...)},
	{Name: "DATE_ADD", Binding: define.Overloaded(define.Operator(scalar.OpAdd, define.Sums...), addParts)},
	{Name: "ADDDATE", Binding: define.Operator(scalar.OpAdd, define.Sums...)},
	{Name: "TIMESTAMPADD", Binding: addParts},
	{Name: "MAKE_DATE", Binding: define.Overloaded(dateFromDays, define.Fixed(vector.Of(vector.Date), kernel.Try3(makeDate), true, define.WantInt, define.WantInt, define.WantInt))},
	{Name: "MAKE_TIMESTAMP", Binding: define.Overloaded(timestampFromMicros, timestampFromParts)},
	{Name: "TO_TIMESTAMP", Binding: define.Fixed(vector.TimestampType(vector.Micros, true), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "FROM_UNIXTIME", Binding: define.Fixed(vector.TimestampType(vector.Micros, false), kernel.Try1(fromEpoch), true, define.WantDouble)},
	{Name: "TIME_BUCKET", Binding: define.Custom(timeBucket, "INTERVAL literal, DATE → DATE", "INTERVAL literal, TIMESTAMP → TIMESTAMP", "INTERVAL literal, TIMESTAMPTZ → TIMESTAMPTZ")},
	{Name: "TO_YEARS", Binding: intervalOf(scalar.Unit{Months: 12})},
	{Name: "TO_MONTHS", Binding: intervalOf(scalar.Unit{Months: 1})},
	{Name: "TO_WEEKS", Binding: intervalOf(scalar.Unit{Days: 7})},
	{Name: "TO_DAYS", Binding: intervalOf(scalar.Unit{Days: 1})},
	{Name: "TO_HOURS", Binding: intervalOf(scalar.Unit{Micros: 3_600_000_000})},
	{Name: "TO_MINUTES", Binding: intervalOf(scalar.Unit{Micros: 60_000_000})},
	{Name: "TO_SECONDS", Binding: intervalOf(scalar.Unit{Micros: 1_000_000})},
	{Name: "TO_MILLISECONDS", Binding: intervalOf(scalar.Unit{Micros: 1000})},
	{Name: "TO_MICROSECONDS", Binding: intervalOf(scalar.Unit{Micros: 1})},
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

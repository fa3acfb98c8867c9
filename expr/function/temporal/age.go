package temporal

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// age is AGE(a, b): the interval from b to a in years, months, days and time. The planner
// adds today where there is one argument.
func age(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	points := make([]expr.Expr, 2)
	for i := range points {
		var err error
		if points[i], err = widePoint(call.Name, args[i]); err != nil {
			return nil, err
		}
	}
	return define.Strict(call, points, vector.Of(vector.Interval), kernel.Map2(ageOf), true)
}

// ageOf subtracts field by field, as PostgreSQL does. What a field lacks is borrowed from
// the next larger one; a borrowed month has the days of the month of the earlier time.
func ageOf(a, b vector.Int128) vector.IntervalValue {
	sign := int64(1)
	if a.Less(b) {
		a, b, sign = b, a, -1
	}
	d1, n1 := vector.SplitWide(a)
	d2, n2 := vector.SplitWide(b)
	y1, m1, day1 := vector.CivilDate(d1)
	y2, m2, day2 := vector.CivilDate(d2)
	months, days, micros := (y1-y2)*12+int64(m1-m2), int64(day1-day2), n1/1000-n2/1000
	if micros < 0 {
		micros += scalar.MicrosPerDay
		days--
	}
	if days < 0 {
		days += int64(scalar.DaysInMonth(y2, m2))
		months--
	}
	return vector.IntervalValue{Months: sign * months, Days: sign * days, Micros: sign * micros}
}

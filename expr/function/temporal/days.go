package temporal

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// dayKernel extracts a part that follows from the day alone, of a DATE or a 64-bit timestamp: first the
// days of all rows, then the part of each, in loops without a call. It is nil for other parts and types.
func (p datePart) dayKernel(t vector.Type) func() kernel.Func {
	if !p.ofDays() || t.Unit == vector.Wide || t.Kind != vector.Date && !t.IsTimestamp() {
		return nil
	}
	loop := p.loop()
	return func() kernel.Func {
		var days []int64
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			days = appendDays(days[:0], args[0].I64, rows, n, t)
			if rows == nil {
				loop(out.I64[:n], days)
				return nil
			}
			loop(days, days)
			for k, i := range rows {
				out.I64[i] = days[k]
			}
			return nil
		}
	}
}

// appendDays appends the days of the listed rows.
func appendDays(dst, values []int64, rows []int32, n int, t vector.Type) []int64 {
	switch {
	case rows == nil:
		dst = append(dst, values[:n]...)
	default:
		for _, i := range rows {
			dst = append(dst, values[i])
		}
	}
	if t.Kind == vector.Date {
		return dst
	}
	perDay := *t.Unit.PerDay()
	for i, v := range dst {
		dst[i] = perDay.Floor(v)
	}
	return dst
}

// loop computes the part of many days; out may be days.
func (p datePart) loop() func(out, days []int64) {
	switch p {
	case partYear:
		return vector.CivilYears
	case partMonth:
		return vector.CivilMonths
	case partDay:
		return vector.CivilDays
	case partQuarter:
		return func(out, days []int64) {
			vector.CivilMonths(out, days)
			for i, month := range out {
				out[i] = (month-1)/3 + 1
			}
		}
	case partDayOfWeek:
		return func(out, days []int64) {
			for i, day := range days {
				out[i] = kernel.FloorMod(day+4, 7)
			}
		}
	}
	return func(out, days []int64) {
		for i, day := range days {
			out[i] = p.of(day, 0)
		}
	}
}

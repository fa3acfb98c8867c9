package expr

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// toInstant makes a DATE or a timestamp. All of them are points in time without
// a zone to convert by: TIMESTAMPTZ is UTC, and so is what it becomes.
func (c caster) toInstant() (castPlan, bool) {
	switch {
	case c.from.IsText() && c.to.Kind == vector.Date:
		return convert(c, parseDate), true
	case c.from.IsText() && c.to.Unit == vector.Wide:
		utc := c.to.Kind == vector.TimestampTZ
		return convert(c, func(s string) (vector.Int128, bool) { return parseInstant(s, utc) }), true
	case c.from.IsText():
		utc, per := c.to.Kind == vector.TimestampTZ, nanosPer(c.to.Unit)
		return convert(c, func(s string) (int64, bool) {
			v, ok := parseInstant(s, utc)
			if !ok {
				return 0, false
			}
			return narrowInstant(v, per)
		}), true
	case !isInstant(c.from):
		return castPlan{}, false
	case c.from.Unit == vector.Wide:
		return c.fromWide(), true
	case c.to.Unit == vector.Wide:
		per := nanosPer(c.from.Unit)
		return sure(func(v int64) vector.Int128 { return vector.MulInt64(v, per) }), true
	}
	return c.betweenUnits(), true
}

// nanosPer is how many nanoseconds a value's unit has; a DATE counts days.
func nanosPer(u vector.Unit) int64 {
	if u == 0 {
		return nanosPerDay
	}
	return nanosPerSec / u.PerSecond()
}

// narrowInstant divides, rounding down, so that a time is never in the future
// of what it was.
func narrowInstant(v vector.Int128, per int64) (int64, bool) {
	q, r := v.DivMod(vector.Int128From(per))
	if r.Sign() < 0 {
		q = q.Sub(vector.Int128From(1))
	}
	return q.Int64(), q.IsInt64()
}

func (c caster) fromWide() castPlan {
	if c.to.Unit == vector.Wide {
		return castPlan{}
	}
	per := nanosPer(c.to.Unit)
	if c.to.Kind == vector.Date {
		return convert(c, func(v vector.Int128) (int64, bool) {
			days, ok := narrowInstant(v, per)
			return days, ok && fitsDate(days)
		})
	}
	return convert(c, func(v vector.Int128) (int64, bool) { return narrowInstant(v, per) })
}

// betweenUnits converts 64-bit values: days, milliseconds to nanoseconds.
func (c caster) betweenUnits() castPlan {
	from, to := nanosPer(c.from.Unit), nanosPer(c.to.Unit)
	switch {
	case from == to:
		return castPlan{}
	case from > to:
		by := from / to
		return convert(c, func(v int64) (int64, bool) {
			w := v * by
			return w, w/by == v
		})
	}
	by := to / from
	if c.to.Kind == vector.Date && !fitsDate(math.MaxInt64/by) { // only milliseconds reach so far
		return convert(c, func(v int64) (int64, bool) { days := floorDiv(v, by); return days, fitsDate(days) })
	}
	return sure(func(v int64) int64 { return floorDiv(v, by) })
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

func (c caster) toTime() (castPlan, bool) {
	to := nanosPer(c.to.Unit)
	switch {
	case c.from.IsText():
		return convert(c, func(s string) (int64, bool) { v, ok := parseTime(s); return v / to, ok }), true
	case c.from.Kind == vector.Time:
		from := nanosPer(c.from.Unit)
		switch {
		case from == to:
			return castPlan{}, true
		case from > to:
			return convert(c, func(v int64) (int64, bool) { return mulChecked(v, from/to) }), true
		}
		return sure(func(v int64) int64 { return floorDiv(v, to/from) }), true
	case c.from.IsTimestamp() && c.from.Unit == vector.Wide:
		return sure(func(v vector.Int128) int64 { _, nanos := vector.SplitWide(v); return nanos / to }), true
	case c.from.IsTimestamp():
		u := c.from.Unit
		return sure(func(v int64) int64 { _, nanos := vector.SplitTimestamp(v, u); return nanos / to }), true
	}
	return castPlan{}, false
}

func (c caster) toInterval() (castPlan, bool) {
	switch {
	case c.from.IsText():
		return convert(c, parseInterval), true
	case c.from.Kind == vector.Time:
		per := nanosPer(c.from.Unit)
		return convert(c, func(v int64) (vector.IntervalValue, bool) {
			w := vector.MulInt64(v, per)
			q, _ := w.DivMod(vector.Int128From(1000))
			return vector.IntervalValue{Micros: q.Int64()}, q.IsInt64()
		}), true
	}
	return castPlan{}, false
}

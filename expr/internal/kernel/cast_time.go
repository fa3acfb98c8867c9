package kernel

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// toInstant converts to a DATE or a timestamp. Only a text may name a time zone: TIMESTAMPTZ
// is in UTC, and the results are in UTC too.
func (c caster) toInstant() (Operation, bool) {
	switch {
	case c.from.IsText() && c.to.Kind == vector.Date:
		return convert(c, scalar.ParseDate), true
	case c.from.IsText() && c.to.Unit == vector.Wide:
		return parsing(c, func(p *scalar.InstantParser, s string) (vector.Int128, bool) { return p.Parse(s) }), true
	case c.from.IsText():
		narrow, micros := narrowing(c.to.Unit), c.to.Unit == vector.Micros // other units round, or are too small for some years
		return parsing(c, func(p *scalar.InstantParser, s string) (int64, bool) {
			if days, nanos, ok := scalar.ParsePlain(s); ok && micros {
				return days*(scalar.NanosPerDay/1000) + nanos/1000, true
			}
			v, ok := p.Parse(s)
			if !ok {
				return 0, false
			}
			return narrow(v)
		}), true
	case !scalar.IsInstant(c.from):
		return Operation{}, false
	case c.from.Unit == vector.Wide:
		return c.fromWide(), true
	case c.to.Unit == vector.Wide:
		per := NanosPer(c.from.Unit)
		return sure(func(v int64) vector.Int128 { return vector.MulInt64(v, per) }), true
	}
	return c.betweenUnits(), true
}

// parsing converts texts, with a parser for each goroutine.
func parsing[D vector.Value](c caster, parse func(p *scalar.InstantParser, s string) (D, bool)) Operation {
	return Operation{Careful: true, Make: func() Func {
		p := &scalar.InstantParser{UTC: c.to.Kind == vector.TimestampTZ}
		return convert(c, func(s string) (D, bool) { return parse(p, s) }).Make()
	}}
}

// NanosPer is the number of nanoseconds in a value's unit; the unit of DATE is a day.
func NanosPer(u vector.Unit) int64 {
	if u == 0 {
		return scalar.NanosPerDay
	}
	return scalar.NanosPerSec / u.PerSecond()
}

// NarrowInstant divides and rounds down, so that the result is never later than the
// original time.
func NarrowInstant(v vector.Int128, per int64) (int64, bool) {
	if v.IsInt64() {
		return FloorDiv(v.Int64(), per), true
	}
	q, r := v.DivMod(vector.Int128From(per))
	if r.Sign() < 0 {
		q = q.Sub(vector.Int128From(1))
	}
	return q.Int64(), q.IsInt64()
}

// narrowing converts nanoseconds to a unit. As in DuckDB, milliseconds and seconds are
// rounded half away from zero, and finer units rounded down.
func narrowing(u vector.Unit) func(vector.Int128) (int64, bool) {
	per := NanosPer(u)
	if u == 0 || u > vector.Millis {
		return func(v vector.Int128) (int64, bool) { return NarrowInstant(v, per) }
	}
	half := vector.Int128From(per / 2)
	return func(v vector.Int128) (int64, bool) {
		if v.Sign() < 0 {
			v = v.Sub(half)
		} else {
			v = v.Add(half)
		}
		q, _ := v.DivMod(vector.Int128From(per))
		return q.Int64(), q.IsInt64()
	}
}

func (c caster) fromWide() Operation {
	if c.to.Unit == vector.Wide {
		return Operation{}
	}
	per := NanosPer(c.to.Unit)
	if c.to.Kind == vector.Date {
		return convert(c, func(v vector.Int128) (int64, bool) {
			days, ok := NarrowInstant(v, per)
			return days, ok && scalar.FitsDate(days)
		})
	}
	return convert(c, narrowing(c.to.Unit))
}

// betweenUnits converts 64-bit values: days, milliseconds to nanoseconds.
func (c caster) betweenUnits() Operation {
	from, to := NanosPer(c.from.Unit), NanosPer(c.to.Unit)
	switch {
	case from == to:
		return Operation{}
	case from > to:
		by := from / to
		return convert(c, func(v int64) (int64, bool) {
			w := v * by
			return w, w/by == v
		})
	}
	by := to / from
	divider := vector.NewDivider(by)
	if c.to.Kind == vector.Date && !scalar.FitsDate(math.MaxInt64/by) { // only milliseconds can exceed DATE's range
		return convert(c, func(v int64) (int64, bool) { days := divider.Floor(v); return days, scalar.FitsDate(days) })
	}
	switch {
	case c.to.Kind == vector.Date:
	case c.to.Unit <= vector.Millis:
		return sure(func(v int64) int64 { return scalar.DivideHalfAway(v, by) })
	default: // nanoseconds to microseconds, which DuckDB rounds towards zero
		return sure(divider.Truncate)
	}
	return sure(divider.Floor)
}

func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func FloorMod(a, b int64) int64 { return a - FloorDiv(a, b)*b }

func (c caster) toTime() (Operation, bool) {
	to := NanosPer(c.to.Unit)
	switch {
	case c.from.IsText():
		return convert(c, func(s string) (int64, bool) { v, ok := scalar.ParseTime(s); return v / to, ok }), true
	case c.from.Kind == vector.Time:
		from := NanosPer(c.from.Unit)
		switch {
		case from == to:
			return Operation{}, true
		case from > to:
			return convert(c, func(v int64) (int64, bool) { return scalar.MulChecked(v, from/to) }), true
		}
		return sure(func(v int64) int64 { return FloorDiv(v, to/from) }), true
	case c.from.IsTimestamp() && c.from.Unit == vector.Wide:
		return sure(func(v vector.Int128) int64 { _, nanos := vector.SplitWide(v); return nanos / to }), true
	case c.from.IsTimestamp():
		u, per := c.from.Unit, vector.NewDivider(to)
		if u == c.to.Unit {
			day := *u.PerDay()
			return sure(func(v int64) int64 { return v - day.Floor(v)*day.By }), true
		}
		return sure(func(v int64) int64 { _, nanos := vector.SplitTimestamp(v, u); return per.Floor(nanos) }), true
	}
	return Operation{}, false
}

func (c caster) toInterval() (Operation, bool) {
	switch {
	case c.from.IsText():
		return convert(c, scalar.ParseInterval), true
	case c.from.Kind == vector.Time:
		per := NanosPer(c.from.Unit)
		return convert(c, func(v int64) (vector.IntervalValue, bool) {
			w := vector.MulInt64(v, per)
			q, _ := w.DivMod(vector.Int128From(1000))
			return vector.IntervalValue{Micros: q.Int64()}, q.IsInt64()
		}), true
	}
	return Operation{}, false
}

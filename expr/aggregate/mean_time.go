package aggregate

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// bindTimeMean is AVG of dates, timestamps, times and intervals; bindAvg checks the type.
func bindTimeMean(a *Call) error {
	t := a.args[0].Type()
	if t.Kind == vector.Interval {
		a.typ, a.part = t, noPart
		a.state = func() State { return &intervalState{mean: true} }
		return nil
	}
	t, err := a.castToInterpolate()
	if err != nil {
		return err
	}
	a.typ, a.part = t, noPart
	a.state = func() State { return &timeMeanState{typ: t} }
	return nil
}

// timeMeanState is the state of AVG of times in 64 bits.
type timeMeanState struct {
	acc  []timeSum
	typ  vector.Type
	pick picker
}

type timeSum struct {
	sum vector.Int128
	n   int64
}

func (s *timeMeanState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *timeMeanState) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *timeMeanState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		a := &s.acc[p.group(i)]
		a.sum, a.n = a.sum.Add(vector.Int128From(p.from.I64[p.place(i)])), a.n+1
	}
	return nil
}

func (s *timeMeanState) Merge(from State, which, to []uint32) error {
	o := from.(*timeMeanState)
	for i, w := range which {
		a := &s.acc[to[i]]
		a.sum, a.n = a.sum.Add(o.acc[w].sum), a.n+o.acc[w].n
	}
	return nil
}

// Result rounds half towards zero, as DuckDB does.
func (s *timeMeanState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	for i, a := range s.acc[from : from+n] {
		if a.n == 0 {
			out.SetNull(i)
			continue
		}
		q, r := a.sum.DivMod(vector.Int128From(a.n))
		out.I64[i] = q.Int64()
		switch rest := r.Int64(); {
		case rest > a.n-rest:
			out.I64[i]++
		case -rest > a.n+rest:
			out.I64[i]--
		}
	}
	return nil
}

// intervalState is the state of SUM and AVG of intervals.
type intervalState struct {
	acc  []intervalSum
	mean bool
	pick picker
}

type intervalSum struct {
	months, days, micros vector.Int128
	n                    int64
}

func (s *intervalState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *intervalState) Bytes() int64      { return int64(cap(s.acc)) * 56 }

func (a *intervalSum) add(o intervalSum) {
	a.months, a.days, a.micros, a.n = a.months.Add(o.months), a.days.Add(o.days), a.micros.Add(o.micros), a.n+o.n
}

func (s *intervalState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		v := p.from.Interval[p.place(i)]
		s.acc[p.group(i)].add(intervalSum{vector.Int128From(v.Months), vector.Int128From(v.Days), vector.Int128From(v.Micros), 1})
	}
	return nil
}

func (s *intervalState) Merge(from State, which, to []uint32) error {
	o := from.(*intervalState)
	for i, w := range which {
		s.acc[to[i]].add(o.acc[w])
	}
	return nil
}

func (s *intervalState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Interval), n)
	for i, a := range s.acc[from : from+n] {
		switch {
		case a.n == 0:
			out.SetNull(i)
		case s.mean:
			out.Interval[i] = a.divided()
		case !a.months.IsInt64() || !a.days.IsInt64() || !a.micros.IsInt64():
			return fmt.Errorf("SUM of intervals: the sum is out of range")
		default:
			out.Interval[i] = vector.IntervalValue{Months: a.months.Int64(), Days: a.days.Int64(), Micros: a.micros.Int64()}
		}
	}
	return nil
}

// divided is the mean: the rest of the months becomes days, 30 a month, and the rest of the
// days becomes time.
func (a *intervalSum) divided() vector.IntervalValue {
	by := vector.Int128From(a.n)
	months, rest := a.months.DivMod(by)
	days, daysRest := a.days.Add(rest.Mul64(30)).DivMod(by)
	const perDay = 86400 * 1_000_000
	micros, _ := a.micros.Add(daysRest.Mul64(perDay)).DivMod(by)
	return vector.IntervalValue{Months: clamp(months), Days: clamp(days), Micros: clamp(micros)}
}

// clamp limits a mean, which is in range up to the carries.
func clamp(v vector.Int128) int64 {
	switch {
	case v.IsInt64():
		return v.Int64()
	case v.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

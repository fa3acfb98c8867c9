package aggregate

import "github.com/parquetsql/parquetsql/vector"

// floatSum adds doubles with Neumaier's compensation: the low bits that a
// rounded addition loses are summed separately. So the result depends very little on
// the order of rows, which varies between runs with several workers.
type floatSum struct {
	sum, lost float64
	n         int64
}

func (a *floatSum) add(v float64) {
	t := a.sum + v
	back := t - a.sum
	a.lost += (a.sum - (t - back)) + (v - back)
	a.sum = t
}

// merge adds another sum.
func (a *floatSum) merge(b floatSum) {
	a.add(b.sum)
	a.lost += b.lost
	a.n += b.n
}

// total is the sum. If it is infinite or NaN, the compensation is ignored.
func (a *floatSum) total() float64 {
	if t := a.sum + a.lost; t-t == 0 {
		return t
	}
	return a.sum
}

// floatSumState is SUM and AVG of HALF, FLOAT and DOUBLE.
type floatSumState struct {
	acc  []floatSum
	agg  *Call
	pick picker
}

func (s *floatSumState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *floatSumState) Reset()            { s.acc = again(s.acc) }
func (s *floatSumState) Bytes() int64      { return int64(cap(s.acc)) * 24 }

func (s *floatSumState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	if p.from.Type.Storage() == vector.StoreFloat32 {
		addFloats(s.acc, p.from.F32, &p)
	} else {
		addFloats(s.acc, p.from.F64, &p)
	}
	return nil
}

func addFloats[T float32 | float64](acc []floatSum, values []T, p *picked) {
	if p.groups == nil {
		addAlone(&acc[0], values, p)
		return
	}
	if p.at == nil {
		for i, g := range p.groups[:p.n] {
			a := &acc[g]
			a.add(float64(values[i]))
			a.n++
		}
		return
	}
	at := p.at[:p.n]
	for i, g := range p.groups[:p.n] {
		a := &acc[g]
		a.add(float64(values[at[i]]))
		a.n++
	}
}

// addAlone adds all values to one sum. An addition waits for the one before it, so four sums take
// turns. Where one of them is not finite, the whole might be: then the values are added in order.
func addAlone[T float32 | float64](a *floatSum, values []T, p *picked) {
	var sums [4]floatSum
	n := p.n &^ 3
	if p.at == nil {
		for i := 0; i < n; i += 4 {
			v := values[i : i+4 : i+4]
			sums[0].add(float64(v[0]))
			sums[1].add(float64(v[1]))
			sums[2].add(float64(v[2]))
			sums[3].add(float64(v[3]))
		}
	} else {
		for i := 0; i < n; i += 4 {
			at := p.at[i : i+4 : i+4]
			sums[0].add(float64(values[at[0]]))
			sums[1].add(float64(values[at[1]]))
			sums[2].add(float64(values[at[2]]))
			sums[3].add(float64(values[at[3]]))
		}
	}
	whole := *a
	for i := range sums {
		whole.add(sums[i].sum)
		whole.lost += sums[i].lost
	}
	if whole.sum-whole.sum != 0 {
		whole, n = *a, 0
	}
	for i := n; i < p.n; i++ {
		whole.add(float64(values[p.place(i)]))
	}
	whole.n += int64(p.n)
	*a = whole
}

func (s *floatSumState) Merge(from State, which, to []uint32) error {
	o := from.(*floatSumState)
	for i, w := range which {
		s.acc[to[i]].merge(o.acc[w])
	}
	return nil
}

func (s *floatSumState) Result(from, n int, out *vector.Vector) error {
	return s.resultOf(s.agg, from, n, out)
}

func (s *floatSumState) resultOf(agg *Call, from, n int, out *vector.Vector) error {
	out.Reset(agg.typ, n)
	for i := range n {
		switch a := &s.acc[from+i]; {
		case agg.part == countPart:
			out.I64[i] = a.n
		case a.n == 0:
			out.SetNull(i)
		case agg.part == sumPart:
			out.F64[i] = a.total()
		default:
			out.F64[i] = a.total() / float64(a.n)
		}
	}
	return nil
}

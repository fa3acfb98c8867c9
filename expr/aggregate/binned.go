package aggregate

import (
	"github.com/parquetsql/parquetsql/expr/aggregate/bins"
	"github.com/parquetsql/parquetsql/vector"
)

// fewBins have a number in each group, whether it has values in them or not.
const fewBins = 256

// binnedState is the state of HISTOGRAM with few bins: how many rows of each group are in each of them.
type binnedState struct {
	bins *bins.Bins
	find *bins.Finder
	typ  vector.Type
	rows []uint64 // by group and bin; the last one is of the values that are in none
}

func newBinnedState(t vector.Type, b *bins.Bins) *binnedState {
	return &binnedState{bins: b, find: bins.NewFinder(b), typ: t}
}

func (s *binnedState) width() int { return s.bins.Len() + 1 }

func (s *binnedState) Resize(groups int) { s.rows = grow(s.rows, groups*s.width()) }

func (s *binnedState) Bytes() int64 { return int64(cap(s.rows)) * 8 }

func (s *binnedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	width := s.width()
	for i, bin := range s.find.Find(args[0], b) {
		if bin < 0 {
			continue
		}
		g := 0
		if groups != nil {
			g = int(groups[i])
		}
		s.rows[g*width+int(bin)]++
	}
	return nil
}

func (s *binnedState) Merge(from State, which, to []uint32) error {
	o, width := from.(*binnedState), s.width()
	for i, w := range which {
		into := s.rows[int(to[i])*width:][:width]
		for k, n := range o.rows[int(w)*width:][:width] {
			into[k] += n
		}
	}
	return nil
}

// ResultBytes implements Lengthy.
func (s *binnedState) ResultBytes(_, n int) int64 {
	return int64(n) * int64(s.width()) * (valueBytes(s.typ.Fields[0].Type) + countBytes)
}

func (s *binnedState) Result(from, n int, out *vector.Vector) error {
	width, values := s.width(), make([]vector.Scalar, n)
	for i := range values {
		rows := s.rows[(from+i)*width:][:width:width]
		some := uint64(0)
		for _, n := range rows {
			some |= n
		}
		if values[i] = vector.NullOf(s.typ); some == 0 {
			continue
		}
		keys, err := s.bins.Keys(rows[width-1] > 0)
		if err != nil {
			return err
		}
		values[i] = numbered(s.typ, keys, rows[:keys.Len])
	}
	return out.FromScalars(s.typ, values)
}

package aggregate

import "github.com/parquetsql/parquetsql/vector"

// countState is COUNT(*) and COUNT(x).
type countState struct {
	counts []int64
	pick   picker
}

func (s *countState) Resize(groups int) { s.counts = grow(s.counts, groups) }
func (s *countState) Reset()            { s.counts = again(s.counts) }
func (s *countState) Bytes() int64      { return int64(cap(s.counts)) * 8 }

func (s *countState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := picked{n: b.Rows(), groups: groups}
	if len(args) > 0 {
		p = s.pick.pick(groups, args[0], b)
	}
	if p.groups == nil {
		if p.n > 0 {
			s.counts[0] += int64(p.n)
		}
		return nil
	}
	counts := s.counts
	for _, g := range p.groups[:p.n] {
		counts[g]++
	}
	return nil
}

func (s *countState) Merge(from State, which, to []uint32) error {
	o := from.(*countState)
	for i, w := range which {
		s.counts[to[i]] += o.counts[w]
	}
	return nil
}

func (s *countState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.BigInt), n)
	copy(out.I64, s.counts[from:from+n])
	return nil
}

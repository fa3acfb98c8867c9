package aggregate

import "github.com/parquetsql/parquetsql/vector"

// extremeNested is the state of MIN and MAX of LISTs, MAPs and STRUCTs.
type extremeNested struct {
	values comparedKeys
	is     []presence
}

func newExtremeNested(t vector.Type, sign int) *extremeNested {
	return &extremeNested{values: comparedKeys{kept: newKept(t), sign: sign}}
}

func (s *extremeNested) Resize(groups int) {
	s.values.resize(groups)
	s.is = grow(s.is, groups)
}

func (s *extremeNested) Bytes() int64 { return s.values.bytes() + int64(cap(s.is)) }

func (s *extremeNested) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	v := args[0]
	s.values.load(v, b)
	for i := range b.Rows() {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		if !v.IsNull(b.Row(i)) && s.values.better(g, i, s.is[g] == absent) {
			s.is[g] = present
		}
	}
	return s.values.store()
}

func (s *extremeNested) Merge(from State, which, to []uint32) error {
	o := from.(*extremeNested)
	for i, w := range which {
		g := to[i]
		if o.is[w] == absent {
			continue
		}
		wins, err := s.values.wins(g, &o.values, w, s.is[g] == absent)
		if err != nil {
			return err
		}
		if wins {
			s.is[g] = present
		}
	}
	return nil
}

func (s *extremeNested) Result(from, n int, out *vector.Vector) error {
	return s.values.result(from, n, out)
}

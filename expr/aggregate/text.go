package aggregate

import "github.com/parquetsql/parquetsql/vector"

// textState is STRING_AGG: the values of a group with a separator in between.
type textState struct {
	acc       []text
	separator string
	bytes     int64
	pick      picker
}

type text struct {
	buf []byte
	has bool
}

func (s *textState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *textState) Bytes() int64      { return int64(cap(s.acc))*32 + s.bytes }

func (s *textState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		addText(s, p.group(i), p.from.Str[p.place(i)])
	}
	return nil
}

func addText[T string | []byte](s *textState, g uint32, v T) {
	a := &s.acc[g]
	before := cap(a.buf)
	if a.has {
		a.buf = append(a.buf, s.separator...)
	}
	a.buf, a.has = append(a.buf, v...), true
	s.bytes += int64(cap(a.buf) - before)
}

func (s *textState) Merge(from State, which, to []uint32) error {
	o := from.(*textState)
	for i, w := range which {
		if a := &o.acc[w]; a.has {
			addText(s, to[i], a.buf)
		}
	}
	return nil
}

func (s *textState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Varchar), n)
	for i, a := range s.acc[from : from+n] {
		if out.Str[i] = string(a.buf); !a.has {
			out.SetNull(i)
		}
	}
	return nil
}

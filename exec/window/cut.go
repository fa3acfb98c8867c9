package window

import "github.com/parquetsql/parquetsql/vector"

// partitions is how many partitions the section has; the last one may go on.
func (s *section) partitions() int {
	if s.finished {
		return len(s.parts) - 1
	}
	return len(s.parts)
}

// cut makes the partitions from the given one on the rest, whose rows stay where they are
// until the others are done: a copy would need the memory that is missing.
func (s *section) cut(part int) {
	if s.finished {
		s.parts, s.peers, s.finished = s.parts[:len(s.parts)-1], s.peers[:len(s.peers)-1], false
	}
	at := s.parts[part]
	cutOff := int32(s.n) - at
	move := func(starts *[]int32, behind []int32) (out []int32) {
		first := after(*starts, int(at)-1)
		for _, row := range (*starts)[first:] {
			out = append(out, row-at)
		}
		for _, row := range behind {
			out = append(out, row+cutOff)
		}
		*starts = (*starts)[:first]
		return out
	}
	s.rest = rest{n: s.rest.n + int(cutOff), parts: move(&s.parts, s.rest.parts), peers: move(&s.peers, s.rest.peers)}
	s.n = int(at)
}

// remains is a section of the rest and of the rows of next.
func (s *section) remains(next *section) (*section, error) {
	out := s.plan.newSection()
	if err := out.append(s, s.n, s.rest); err != nil {
		return nil, err
	}
	out.last, s.last = s.last, out.last
	if next.n > 0 {
		if err := out.append(next, 0, rest{next.n, next.parts, next.peers}); err != nil {
			return nil, err
		}
		out.last, next.last = next.last, out.last
	}
	out.open = true
	return out, nil
}

// append adds rows of another section, from the given one on.
func (s *section) append(o *section, from int, rows rest) error {
	for _, p := range rows.parts {
		s.parts = append(s.parts, int32(s.n)+p)
	}
	for _, p := range rows.peers {
		s.peers = append(s.peers, int32(s.n)+p)
	}
	var view vector.Vector
	for c, col := range s.cols {
		if col == nil {
			continue
		}
		view.Slice(o.vec(c), from, rows.n)
		if err := col.Append(&view, nil); err != nil {
			return err
		}
	}
	s.n += rows.n
	return nil
}

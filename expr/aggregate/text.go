package aggregate

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

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

// Bytes counts the texts twice: they are copied when they grow, and for the result.
func (s *textState) Bytes() int64 { return int64(cap(s.acc))*32 + 2*s.bytes }

// Growth implements Grower.
func (s *textState) Growth(args []*vector.Vector, b *vector.Batch) int64 {
	n := int64(b.Rows()) * int64(len(s.separator))
	p := s.pick.pick(nil, args[0], b)
	for i := range p.n {
		n += int64(len(p.from.Str[p.place(i)]))
	}
	return n
}

func (s *textState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		if err := addText(s, p.group(i), p.from.Str[p.place(i)]); err != nil {
			return err
		}
	}
	return nil
}

// doubledBytes is up to where the memory of a text is doubled when it is full.
const doubledBytes = 8 << 20

func addText[T string | []byte](s *textState, g uint32, v T) error {
	a := &s.acc[g]
	before := cap(a.buf)
	if need := len(s.separator) + len(v); need > before-len(a.buf) && before < doubledBytes {
		a.buf = slices.Grow(a.buf, max(need, before)) // append moves the bytes twice as often
	}
	switch {
	case !a.has:
	case len(s.separator) == 1:
		a.buf = append(a.buf, s.separator[0])
	default:
		a.buf = append(a.buf, s.separator...)
	}
	a.buf, a.has = append(a.buf, v...), true
	s.bytes += int64(cap(a.buf) - before)
	if len(a.buf) > quota.MaxValueText {
		return fmt.Errorf("STRING_AGG: %w of %d bytes", quota.ErrTooLong, quota.MaxValueText)
	}
	return nil
}

func (s *textState) Merge(from State, which, to []uint32) error {
	o := from.(*textState)
	for i, w := range which {
		a := &o.acc[w]
		if !a.has {
			continue
		}
		if err := addText(s, to[i], a.buf); err != nil {
			return err
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

package aggregate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// textState is STRING_AGG: the values of a group with a separator in between.
type textState struct {
	acc       []text
	separator string
	free      []byte // of memory that many short texts share
	bytes     int64
	pick      picker

	fetched int // keeps the reads of fetch
}

type text struct {
	buf []byte
	has bool
}

// Separator is what STRING_AGG puts between two values; ok is false for other aggregates.
func (a *Call) Separator() (separator string, ok bool) {
	if a.function.Name != "STRING_AGG" {
		return "", false
	}
	s, ok := a.WithoutDistinct().NewState().(*textState)
	if !ok {
		return "", false
	}
	return s.separator, true
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
	run := 0 // there is room for the texts before it
	for i := range p.n {
		if p.groups != nil && i%fetchedTexts == 0 {
			s.fetch(p.groups[i:min(i+fetchedTexts, p.n)])
		}
		if i >= run {
			run = s.makeRoom(&p, i)
		}
		if err := addText(s, p.group(i), p.from.Str[p.place(i)]); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom makes room for texts of one group that come one after the other, from the i-th on. It returns where they end.
func (s *textState) makeRoom(p *picked, i int) int {
	g, end, need := p.group(i), i, 0
	for ; end < p.n && p.group(end) == g; end++ {
		need += len(s.separator) + len(p.from.Str[p.place(end)])
	}
	if a := &s.acc[g]; end > i+1 && need > cap(a.buf)-len(a.buf) {
		s.enlarge(a, need)
	}
	return end
}

const (
	// manyTexts is how many are not in a near cache.
	manyTexts = 256
	// fetchedTexts is of how many what fetch reads fits into it.
	fetchedTexts = 256
)

// fetch reads what these groups have where more will be appended. These reads do not wait for each other, as those of addText do.
func (s *textState) fetch(groups []uint32) {
	if len(s.acc) < manyTexts {
		return
	}
	for _, g := range groups {
		s.fetched += len(s.acc[g].buf)
	}
	for _, g := range groups {
		if buf := s.acc[g].buf; len(buf) > 0 {
			s.fetched += int(buf[len(buf)-1])
		}
	}
}

const (
	// firstText is what a text has room for at first.
	firstText = 16
	// longText is from how many bytes on a text has memory of its own.
	longText = 4 << 10
	// textChunk is what shorter ones share, after the first smaller ones.
	textChunk = 64 << 10
	// doubledBytes is up to where the memory of a text is doubled when it is full.
	doubledBytes = 8 << 20
)

func addText[T string | []byte](s *textState, g uint32, v T) error {
	a := &s.acc[g]
	if need := len(s.separator) + len(v); need > cap(a.buf)-len(a.buf) {
		s.enlarge(a, need)
	}
	switch {
	case !a.has:
	case len(s.separator) == 1:
		a.buf = append(a.buf, s.separator[0])
	default:
		a.buf = append(a.buf, s.separator...)
	}
	a.buf, a.has = append(a.buf, v...), true
	if len(a.buf) > quota.MaxValueText {
		return fmt.Errorf("STRING_AGG: %w of %d bytes", quota.ErrTooLong, quota.MaxValueText)
	}
	return nil
}

// enlarge makes room for more bytes of a text.
func (s *textState) enlarge(a *text, need int) {
	before := cap(a.buf)
	size := max(len(a.buf)+need, 2*before, firstText)
	if size < longText {
		a.buf = append(s.short(size), a.buf...)
		return
	}
	if before < longText {
		before = 0 // the old memory is shared
		a.buf = append(make([]byte, 0, size), a.buf...)
	} else if before < doubledBytes {
		need = max(need, before) // append adds a quarter, and moves the bytes twice as often
	}
	a.buf = slices.Grow(a.buf, need)
	s.bytes += int64(cap(a.buf) - before)
}

// short is room for a text that shares its memory with others.
func (s *textState) short(size int) []byte {
	if size > len(s.free) {
		s.free = make([]byte, max(size, min(textChunk, int(s.bytes/2)+512)))
		s.bytes += int64(len(s.free))
	}
	room := s.free[:0:size]
	s.free = s.free[size:]
	return room
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
	total := 0
	for _, a := range s.acc[from : from+n] {
		if len(a.buf) < longText {
			total += len(a.buf)
		}
	}
	var short strings.Builder
	short.Grow(total)
	for i, a := range s.acc[from : from+n] {
		switch {
		case !a.has:
			out.Str[i] = ""
			out.SetNull(i)
		case len(a.buf) < longText:
			at := short.Len()
			short.Write(a.buf)
			out.Str[i] = short.String()[at:]
		default:
			out.Str[i] = string(a.buf)
		}
	}
	return nil
}

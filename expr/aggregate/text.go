package aggregate

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/internal/slab"
	"github.com/parquetsql/parquetsql/vector"
)

// textState is STRING_AGG: the values of a group with a separator in between. A long text is in pieces, which are
// joined for the result: it is copied once, and the memory of the pieces is used again.
type textState struct {
	interrupted
	acc       []text
	long      []longText
	separator string
	brackets  string // what the result is put between: "", or a byte before it and one behind it
	typ       vector.Type
	free      []byte // of memory that many short texts share
	bytes     int64
	pick      picker

	fetched int // keeps the reads of fetch
}

type text struct {
	buf  []byte // of a long text the last piece
	long uint32 // of a long text: its number, from 1 on
	has  bool
}

// longText is what a long text has in front of its last piece, or, after Result, the text.
type longText struct {
	full   [][]byte
	bytes  int // of full
	joined string
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

// Bytes counts the texts twice: they are copied for the result.
func (s *textState) Bytes() int64 {
	return int64(cap(s.acc))*32 + int64(cap(s.long))*48 + 2*s.bytes
}

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
	if p.groups == nil {
		return s.addRun(&p, 0, p.n)
	}
	for from := 0; from < p.n; from += fetchedTexts {
		end := min(from+fetchedTexts, p.n)
		s.fetch(p.groups[from:end])
		for i := from; i < end; {
			run := i + 1
			for run < end && p.groups[run] == p.groups[i] {
				run++
			}
			if err := s.addRun(&p, i, run); err != nil {
				return err
			}
			i = run
		}
	}
	return nil
}

// addRun adds the values from the i-th to the one before end, which are of one group.
func (s *textState) addRun(p *picked, i, end int) error {
	if i == end {
		return nil
	}
	g := p.group(i)
	need := (end - i) * len(s.separator)
	for k := i; k < end; k++ {
		need += len(p.from.Str[p.place(k)])
	}
	to, err := s.room(g, need)
	if err != nil {
		return err
	}
	n := 0
	if a := &s.acc[g]; !a.has { // no separator in front of the first
		n, a.has = copy(to, p.from.Str[p.place(i)]), true
		i++
	}
	if len(s.separator) == 1 {
		separator := s.separator[0]
		for k := i; k < end; k++ {
			to[n] = separator
			n += 1 + copy(to[n+1:], p.from.Str[p.place(k)])
		}
	} else {
		for k := i; k < end; k++ {
			n += copy(to[n:], s.separator)
			n += copy(to[n:], p.from.Str[p.place(k)])
		}
	}
	s.cut(g, need-n)
	return nil
}

const (
	// manyTexts is how many are not in a near cache.
	manyTexts = 256
	// fetchedTexts is of how many what fetch reads fits into it.
	fetchedTexts = 256
)

// fetch reads what these groups have where more will be appended. These reads do not wait for each other, as those of addRun do.
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
	// leastLong is from how many bytes on a text is in pieces.
	leastLong = 4 << 10
	// textChunk is what shorter ones share, after the first smaller ones.
	textChunk = 64 << 10
	// mostPiece is how long pieces become, which begin short.
	mostPiece = 1 << 20
)

// room appends n bytes to the text of a group, which it returns to be written.
func (s *textState) room(g uint32, n int) ([]byte, error) {
	a := &s.acc[g]
	if err := s.fits(a, n); err != nil {
		return nil, err
	}
	if n > cap(a.buf)-len(a.buf) {
		s.enlarge(a, n)
	}
	from := len(a.buf)
	a.buf = a.buf[:from+n]
	return a.buf[from:], nil
}

// cut takes the last n bytes off.
func (s *textState) cut(g uint32, n int) {
	a := &s.acc[g]
	a.buf = a.buf[:len(a.buf)-n]
}

// fits is an error if a text with n bytes more would be too long.
func (s *textState) fits(a *text, n int) error {
	n += len(a.buf) + len(s.brackets)
	if a.long > 0 {
		n += s.long[a.long-1].bytes
	}
	if n > quota.MaxValueText {
		return fmt.Errorf("STRING_AGG: %w of %d bytes", quota.ErrTooLong, quota.MaxValueText)
	}
	return nil
}

// enlarge makes room for more bytes of a text.
func (s *textState) enlarge(a *text, need int) {
	if a.long == 0 {
		if size := max(len(a.buf)+need, 2*cap(a.buf), firstText); size < leastLong {
			a.buf = append(s.short(size), a.buf...)
			return
		}
		a.buf = append(s.piece(max(len(a.buf)+need, leastLong)), a.buf...)
		s.long = append(s.long, longText{})
		a.long = uint32(len(s.long))
		return
	}
	s.seal(a)
	a.buf = s.piece(max(need, min(s.long[a.long-1].bytes, mostPiece)))
}

// piece is an empty one that has room for n bytes.
func (s *textState) piece(n int) []byte {
	p := slab.Get(n)[:0]
	s.bytes += int64(cap(p))
	return p
}

// seal makes the last piece of a long text one of those in front of the next one.
func (s *textState) seal(a *text) {
	l := &s.long[a.long-1]
	l.full, l.bytes = append(l.full, a.buf), l.bytes+len(a.buf)
	a.buf = nil
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
		a, g := &o.acc[w], to[i]
		if !a.has {
			continue
		}
		need := len(a.buf)
		if a.long > 0 {
			need = 0
		}
		if s.acc[g].has {
			need += len(s.separator)
		}
		room, err := s.room(g, need)
		if err != nil {
			return err
		}
		if s.acc[g].has {
			room = room[copy(room, s.separator):]
		}
		s.acc[g].has = true
		if a.long == 0 {
			copy(room, a.buf)
			continue
		}
		if err := s.fits(&s.acc[g], o.long[a.long-1].bytes+len(a.buf)); err != nil {
			return err
		}
		s.take(&s.acc[g], a, &o.long[a.long-1])
	}
	return nil
}

// take moves the pieces of a long text of another state behind those of a.
func (s *textState) take(a, from *text, pieces *longText) {
	if a.long == 0 {
		if len(a.buf) > 0 {
			a.buf = append(s.piece(max(len(a.buf), leastLong)), a.buf...)
		}
		s.long = append(s.long, longText{})
		a.long = uint32(len(s.long))
	}
	if len(a.buf) > 0 {
		s.seal(a)
	}
	l := &s.long[a.long-1]
	for _, p := range pieces.full {
		s.bytes += int64(cap(p))
	}
	s.bytes += int64(cap(from.buf))
	l.full, l.bytes = append(l.full, pieces.full...), l.bytes+pieces.bytes
	a.buf = from.buf
	*pieces, *from = longText{}, text{}
}

func (s *textState) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, n)
	total := 0
	for _, a := range s.acc[from : from+n] {
		if a.has && a.long == 0 {
			total += len(a.buf) + len(s.brackets)
		}
	}
	var short strings.Builder
	short.Grow(total)
	for i := range n {
		a := &s.acc[from+i]
		switch {
		case !a.has:
			out.Str[i] = ""
			out.SetNull(i)
		case a.long == 0:
			at := short.Len()
			s.write(&short, a.buf)
			out.Str[i] = short.String()[at:]
		default:
			out.Str[i] = s.join(a)
		}
		if s.brackets == "" || !a.has {
			continue
		}
		valid, err := jsontext.Valid(out.Str[i], s.work)
		if err == nil && !valid {
			err = jsontext.ErrMalformed // a file's JSON may be any text
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// join makes one text of the pieces of a long one, whose memory it gives back.
func (s *textState) join(a *text) string {
	l := &s.long[a.long-1]
	if a.buf == nil {
		return l.joined
	}
	s.seal(a)
	var all strings.Builder
	all.Grow(l.bytes + len(s.brackets))
	s.write(&all, l.full...)
	for _, p := range l.full {
		slab.Put(p)
	}
	*l = longText{joined: all.String()}
	return l.joined
}

// write writes the pieces of a text between the brackets.
func (s *textState) write(to *strings.Builder, pieces ...[]byte) {
	if s.brackets != "" {
		to.WriteByte(s.brackets[0])
		defer to.WriteByte(s.brackets[1])
	}
	for _, p := range pieces {
		to.Write(p)
	}
}

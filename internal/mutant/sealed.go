package mutant

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// rangeOf is where the pages of a chunk are.
func (l *layout) rangeOf(chunk *value) (from, to int64, ok bool) {
	from = chunk.numberOf(-1, 3, 9)
	if d := chunk.numberOf(0, 3, 11); d > 0 {
		from = min(from, d)
	}
	size := chunk.numberOf(-1, 3, 7)
	return from, from + size, from >= 4 && size >= 0 && from <= int64(len(l.body)) && size <= int64(len(l.body))-from
}

// sealedPages are the pages of an encrypted chunk.
func (s *sealing) sealedPages(l *layout, at place, chunk *value) ([]page, error) {
	from, to, ok := l.rangeOf(chunk)
	key := s.keyOf(chunk)
	if !ok || key == nil {
		return nil, errFile
	}
	var out []page
	ordinal := 0
	for in := l.body[from:to]; len(in) > 0; {
		headerAAD, pageAAD := s.aadOf(moduleDictionaryPageHeader, at.group, at.column), s.aadOf(moduleDictionaryPage, at.group, at.column)
		text, n, err := s.open(key, in, false, headerAAD)
		dictionary := err == nil && len(out) == 0
		if !dictionary || s.aad == nil {
			headerAAD, pageAAD = s.aadOf(moduleDataPageHeader, at.group, at.column, ordinal), s.aadOf(moduleDataPage, at.group, at.column, ordinal)
			if text, n, err = s.open(key, in, false, headerAAD); err != nil {
				return nil, err
			}
			ordinal++
		}
		header, _, err := parseStruct(text)
		if err != nil {
			return nil, err
		}
		in = in[n:]
		data, n, err := s.open(key, in, s.ctr, pageAAD)
		if err != nil {
			return nil, err
		}
		in = in[n:]
		p := page{header: header, data: data}
		if err := p.unpack(chunk.numberOf(0, 3, 4)); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// moveSealed is move of an encrypted chunk.
func (s *sealing) moveSealed(l *layout, at place, chunk *value, pages []page) {
	first, data := int64(len(l.body)), int64(-1)
	key, ordinal := s.keyOf(chunk), 0
	for i := range pages {
		p := &pages[i]
		headerAAD, pageAAD := s.aadOf(moduleDataPageHeader, at.group, at.column, ordinal), s.aadOf(moduleDataPage, at.group, at.column, ordinal)
		if p.header.numberOf(0, 1) == 2 {
			headerAAD, pageAAD = s.aadOf(moduleDictionaryPageHeader, at.group, at.column), s.aadOf(moduleDictionaryPage, at.group, at.column)
		} else {
			if ordinal++; data < 0 {
				data = int64(len(l.body))
			}
		}
		packed := p.data
		if p.packed {
			packed = codecs[chunk.numberOf(0, 3, 4)].encode(packed)
		}
		if !p.opaque {
			p.header.set(int64(len(p.levels)+len(p.data)), 2)
		}
		sealed := s.seal(key, append(bytes.Clone(p.levels), packed...), s.ctr, pageAAD)
		p.header.set(int64(len(sealed)), 3)
		p.header.drop(4)
		l.body = append(l.body, s.seal(key, p.header.appendTo(nil), false, headerAAD)...)
		l.body = append(l.body, sealed...)
	}
	if chunk.numberOf(0, 3, 11) > 0 {
		chunk.set(first, 3, 11)
	} else {
		data = first
	}
	chunk.set(data, 3, 9)
	chunk.set(int64(len(l.body))-first, 3, 7)
	chunk.drop(4, 5, 6, 7)
}

// chunkAt is a random chunk that is encrypted.
func (s *sealing) chunkAt(l *layout, r *rand.Rand) (at place, chunk *value) {
	n := 0
	_ = l.chunks(func(other place, c *value) error {
		if s.keyOf(c) == nil {
			return nil
		}
		if n++; r.IntN(n) == 0 {
			at, chunk = other, c
		}
		return nil
	})
	return at, chunk
}

// damageSealed damages what is encrypted, and encrypts it again.
func (s *sealing) damageSealed(l *layout, r *rand.Rand) bool {
	switch n := r.IntN(10); {
	case n < 3:
		for range 1 + r.IntN(3) {
			l.footer.damage(r)
		}
		return true
	case n < 4 && s.crypto != nil:
		s.crypto.damage(r)
		return true
	}
	at, chunk := s.chunkAt(l, r)
	if chunk == nil {
		return false
	}
	pages, err := s.sealedPages(l, at, chunk)
	if err != nil || len(pages) == 0 {
		return false
	}
	for range 1 + r.IntN(2) {
		p := &pages[r.IntN(len(pages))]
		switch r.IntN(6) {
		case 0:
			p.header.damage(r)
		case 1:
			pages = slices.Insert(pages, r.IntN(len(pages)+1), *p)
		case 2:
			p.levels = Some(r, p.levels)
		default:
			p.data = Some(r, p.data)
		}
	}
	s.moveSealed(l, at, chunk, pages)
	return true
}

// tamper changes modules as one could who has no key: their lengths, their bytes, their
// places. With authentic modules there must be an error, or the rows as they were.
func (s *sealing) tamper(l *layout, data []byte, r *rand.Rand) ([]byte, bool) {
	out := bytes.Clone(data)
	var modules []mark
	_ = l.chunks(func(_ place, chunk *value) error {
		from, to, ok := l.rangeOf(chunk)
		if !ok || s.keyOf(chunk) == nil {
			return nil
		}
		for from+16 <= to {
			n := 4 + int64(binary.LittleEndian.Uint32(data[from:]))
			if n < 16 || n > to-from {
				break
			}
			modules = append(modules, mark{int(from), int(n)})
			from += n
		}
		return nil
	})
	modules = append(modules, mark{len(l.body), len(data) - 8 - len(l.body)})
	for range 1 + r.IntN(2) {
		m := modules[r.IntN(len(modules))]
		switch r.IntN(6) {
		case 0: // the length
			lengths := []uint32{0, 1, 11, 12, 27, 28, math.MaxInt32, math.MaxUint32, uint32(m.size), uint32(m.size) - 5, uint32(r.IntN(100000))}
			binary.LittleEndian.PutUint32(out[m.at:], lengths[r.IntN(len(lengths))])
		case 1: // the nonce
			out[m.at+4+r.IntN(12)] ^= byte(1 + r.IntN(255))
		case 2: // the tag
			out[m.at+m.size-1-r.IntN(min(16, m.size))] ^= byte(1 + r.IntN(255))
		case 3:
			out[m.at+r.IntN(m.size)] ^= 1 << r.IntN(8)
		case 4: // another module in its place, of the same length where there is one
			other := modules[r.IntN(len(modules))]
			for _, i := range r.Perm(len(modules)) {
				if modules[i].size == m.size && modules[i] != m {
					other = modules[i]
				}
			}
			copy(out[m.at:m.at+m.size], data[other.at:other.at+other.size])
		case 5: // anywhere
			at := r.IntN(len(out))
			out[at] = byte(r.Uint32())
		}
	}
	return out, !bytes.Equal(out, data)
}

// authentic reports whether all of the file is in GCM mode.
func (s *sealing) authentic(l *layout) bool {
	all := !s.ctr && s.aad != nil
	_ = l.chunks(func(_ place, chunk *value) error {
		all = all && s.keyOf(chunk) != nil
		return nil
	})
	return all
}

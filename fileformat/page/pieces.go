package page

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
)

// someBytes is how many compressed bytes are looked at together.
const someBytes = 64 << 10

// Pieces is the page that is being read, decompressed a piece at a time.
type Pieces struct {
	reader *Reader
	page   *Page
	stay   Stay
	piece  int // bytes to make at once
	// together is how many pieces the buffer has room for, behind what the codec looks back at:
	// only then that is copied to its beginning.
	together int
	codec    codec.Pieces
	size     int    // of the page, without what is not compressed
	given    int    // how much of it was handed out
	out      int    // bytes in the reader's buffer, the last of which are those that were handed out last
	stored   int    // where the compressed bytes begin in the body
	start    []byte // a copy of the bytes before them
	body     []byte // compressed bytes that are left, where all are in memory
	next     int64  // else their offset
	end      int64
	whole    []byte // all of size, where pieces were not possible
	skipping bool   // see Skipping
}

// InPieces reports whether a page from Find is read by Pieces: it is long, and neither encrypted
// nor stored as it is.
func (r *Reader) InPieces(p *Page) bool {
	size := p.UncompressedSize
	if p.Type == fileformat.DataPageV2 {
		if size -= p.RepLength + p.DefLength; !p.IsCompressed {
			return false
		}
	}
	least := int32(leastInPieces)
	if r.options.ShortPieces {
		least = leastShort
	}
	return size > least && r.cipher == nil && codec.InPieces(r.chunk.Meta.Codec)
}

// Pieces begins to decompress a page for which InPieces is true. The first stored bytes of
// its body are not compressed. The bytes that More returns stay so long.
func (r *Reader) Pieces(p *Page, stored int, stay Stay) (*Pieces, error) {
	out := &Pieces{
		reader: r, page: p, stay: stay, piece: pieceBytes, together: 1, size: int(p.UncompressedSize) - stored,
		stored: stored, next: p.Body + int64(stored), end: p.Body + int64(p.CompressedSize),
	}
	switch {
	case stay != Scratch:
		out.piece = textPiece
	case r.options.ShortPieces:
		out.piece = shortPiece
	default:
		out.together = piecesTogether
	}
	if r.checked(p) {
		body, err := r.body(&r.window, p)
		if err != nil {
			return nil, err
		}
		out.start, out.body = body[:stored], body[stored:]
	} else if stored > 0 {
		var err error
		if out.start, err = r.window.bytes(p.Body, stored); err != nil {
			return nil, err
		}
	}
	if stored > 0 {
		var err error
		if out.start, err = out.Copy(out.start); err != nil {
			return nil, err
		}
	}
	head, err := out.source(codec.MostHead)
	if err != nil {
		return nil, err
	}
	used := 0
	if out.codec, used, err = codec.NewPieces(head, out.end-out.next, out.size); err != nil {
		return nil, err
	}
	out.pass(used)
	if b := &r.buffer; b.stay != Scratch || cap(b.bytes) > 4*(codec.Back+out.piece) {
		r.window.passed.add(b)
	}
	r.pieces = out
	return out, nil
}

// Skipping says that nothing will point to the pieces of a page that come from here on, until
// it is called with false: what is skipped takes the memory of one piece, however long it is.
func (r *Reader) Skipping(on bool) {
	p := r.pieces
	if p == nil {
		return
	}
	p.skipping = on
	if !on && r.buffer.stay == Scratch { // what comes next may already be in it
		r.buffer.stay = p.stay
	}
}

// Stored is the first bytes of the body, which are not compressed.
func (p *Pieces) Stored() []byte { return p.start }

// Copy returns a copy of bytes, in the place of what it has returned before. It is valid as
// long as the page is.
func (p *Pieces) Copy(b []byte) (_ []byte, err error) {
	to := &p.reader.copied
	if cap(to.bytes) < len(b) {
		p.reader.window.passed.add(to)
		if *to, err = newPiece(p.reader.account, len(b)); err != nil {
			return nil, err
		}
	}
	to.bytes = to.bytes[:copy(to.bytes[:cap(to.bytes)], b)]
	return to.bytes, nil
}

// source is the next compressed bytes: n of them, or all that are left.
func (p *Pieces) source(n int) ([]byte, error) {
	n = int(min(int64(n), p.end-p.next))
	if p.body != nil {
		return p.body[:n], nil
	}
	return p.reader.window.bytes(p.next, n)
}

// some is source with at least one byte, where any are left.
func (p *Pieces) some() ([]byte, error) {
	n := int(min(someBytes, p.end-p.next))
	if p.body != nil {
		return p.body[:n], nil
	}
	return p.reader.window.some(p.next, n)
}

// pass goes on behind compressed bytes that were used.
func (p *Pieces) pass(n int) {
	p.next += int64(n)
	if p.body != nil {
		p.body = p.body[n:]
	}
}

// More returns bytes that begin with the last rest of those that it has returned before: need
// bytes in all or more, or fewer where the page ends.
func (p *Pieces) More(rest, need int) ([]byte, error) {
	b := &p.reader.buffer
	switch {
	case p.whole != nil:
		return p.whole[len(p.whole)-rest:], nil
	case p.given == p.size || 0 < need && need <= rest:
		return b.bytes[p.out-rest : p.out], nil
	}
	if err := p.room(rest, max(min(need-rest, p.size-p.given), 0)); err != nil {
		return nil, err
	}
	err := p.fill(b.bytes)
	switch {
	case errors.Is(err, codec.ErrFar):
		return p.all(rest)
	case err != nil:
		return nil, err
	}
	from := p.out - (p.codec.Made() - p.given) - rest
	if p.given = p.codec.Made(); p.given == p.size {
		p.reader.Used(p.page)
	}
	return b.bytes[from:p.out], nil
}

// fill decompresses until dst is full or the page ends.
func (p *Pieces) fill(dst []byte) error {
	for p.next < p.end && (len(dst)-p.out >= codec.LeastRoom || p.codec.Made() == p.size) {
		if err := p.reader.options.interrupted(); err != nil {
			return err
		}
		src, err := p.some()
		if err != nil {
			return err
		}
		out, used, err := p.codec.Decode(dst, p.out, src)
		p.out = out
		p.pass(used)
		if err != nil {
			return err
		}
	}
	if p.next == p.end {
		return p.codec.End()
	}
	return nil
}

// room makes room in the buffer for more bytes, behind those that are needed: the last rest,
// and what the codec looks back at.
func (p *Pieces) room(rest, more int) error {
	r := p.reader
	b, kept := &r.buffer, min(p.out, max(rest, codec.Back))
	more = max(more+codec.LeastRoom, min(p.piece, p.size-p.given))
	old, stay := b.bytes[:p.out], p.stay
	if p.skipping {
		stay = Scratch
	}
	switch {
	case b.stay == Scratch && stay == Scratch && p.out+more <= cap(b.bytes):
		kept = p.out // they are where they are needed
	case b.stay != Scratch || cap(b.bytes) < kept+more:
		fresh, err := newPiece(r.account, max(kept+more, min(codec.Back+p.together*p.piece, p.size)))
		if err != nil {
			return err
		}
		fresh.stay = stay
		fresh.bytes = fresh.bytes[:cap(fresh.bytes)]
		copy(fresh.bytes, old[p.out-kept:])
		r.window.passed.add(b)
		*b = fresh
	default:
		b.bytes, b.stay = b.bytes[:cap(b.bytes)], stay
		copy(b.bytes, old[p.out-kept:])
	}
	b.bytes, p.out = b.bytes[:kept+more], kept
	return nil
}

// all decompresses the page as a whole, of which some bytes were handed out.
func (p *Pieces) all(rest int) (_ []byte, err error) {
	r := p.reader
	body, err := r.body(&r.window, p.page)
	if err != nil {
		return nil, err
	}
	if p.whole, err = r.inflate(&r.window, body[p.stored:], p.size, p.stay); err != nil {
		return nil, err
	}
	r.Used(p.page)
	return p.whole[p.given-rest:], nil
}

// checked reports whether a page has a checksum that is to be compared.
func (r *Reader) checked(p *Page) bool {
	return p.HasCRC && r.chunk.File().Options().VerifyChecksums
}

// Used says that the bytes of a page are not needed any longer, but for those that were
// decompressed.
func (r *Reader) Used(p *Page) {
	if r.chunk.Meta.Codec != fileformat.Uncompressed {
		r.window.leave(p.Body + int64(p.CompressedSize))
	}
}

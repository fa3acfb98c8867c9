package page

import "github.com/parquetsql/parquetsql/internal/slab"

// Stay says how long bytes of a page are needed.
type Stay uint8

const (
	// Scratch is until the next page is read: enough for what is decoded at once.
	Scratch Stay = iota
	// Lent is until Reader.Free: strings of a batch point to them.
	Lent
	// Forever is for strings that anybody may keep. The memory is never used again, and it is
	// charged until Reader.Free: from then on it is up to those who keep strings.
	Forever
)

// piece is memory of a reader.
type piece struct {
	bytes   []byte
	stay    Stay
	charged int64
}

// newPiece is memory of n bytes. It is charged as long as it is.
func newPiece(a account, n int) (piece, error) {
	p := piece{charged: int64(slab.Size(n))}
	if err := a.reserve(p.charged); err != nil {
		return piece{}, err
	}
	p.bytes = slab.Get(n)
	return p, nil
}

// passed is memory in whose place the reader has other memory, and that the batch still
// points to.
type passed struct {
	account account
	lent    []piece
	given   int64 // charged for memory that stays for ever
	leases  []Lease
	kept    []Lease // of bytes that stay for ever
}

// add takes memory that the reader does not need.
func (p *passed) add(m *piece) {
	switch m.stay {
	case Scratch:
		slab.Put(m.bytes)
		p.account.release(m.charged)
	case Lent:
		p.lent = append(p.lent, *m)
	default:
		p.given += m.charged
	}
	*m = piece{}
}

// addLease is add for a lease, which may be nil.
func (p *passed) addLease(l Lease, how Stay) {
	switch {
	case l == nil:
	case how == Scratch:
		l.Release()
	case how == Lent:
		p.leases = append(p.leases, l)
	default:
		p.kept = append(p.kept, l)
	}
}

// keep leaves all of it to those who point to it.
func (p *passed) keep() {
	for _, m := range p.lent {
		p.given += m.charged
	}
	p.kept = append(p.kept, p.leases...)
	clear(p.lent)
	clear(p.leases)
	p.lent, p.leases = p.lent[:0], p.leases[:0]
}

// free ends the batch: what is lent is given back, and the rest is not charged any longer.
func (p *passed) free() {
	for _, m := range p.lent {
		slab.Put(m.bytes)
		p.account.release(m.charged)
	}
	p.account.release(p.given)
	for _, l := range p.leases {
		l.Release()
	}
	for _, l := range p.kept {
		l.Keep()
	}
	clear(p.lent)
	clear(p.leases)
	clear(p.kept)
	p.lent, p.given, p.leases, p.kept = p.lent[:0], 0, p.leases[:0], p.kept[:0]
}

// KeepLent makes bytes with the stay Lent stay for ever.
func (r *Reader) KeepLent() {
	w := &r.window
	w.passed.keep()
	for _, s := range []*Stay{&r.buffer.stay, &w.buf.stay, &w.viewStay, &w.plain.stay} {
		if *s == Lent {
			*s = Forever
		}
	}
}

// Leave says that the last page is not decoded any further, but that a batch may point to it.
func (r *Reader) Leave() {
	r.window.passed.given += r.lasting
	r.lasting = 0
	r.pieces = nil
}

// Free says that no bytes with the stay Lent are in use any longer, but for those of the
// last page if that is still being decoded.
func (r *Reader) Free(current bool) {
	if !current {
		r.Leave()
	}
	r.window.passed.free()
	if current {
		return
	}
	r.window.settle()
	switch r.buffer.stay {
	case Lent:
		r.buffer.stay = Scratch
	case Forever:
		r.account.release(r.buffer.charged)
		r.buffer = piece{}
	}
}

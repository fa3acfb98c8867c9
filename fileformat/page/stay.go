package page

import "github.com/parquetsql/parquetsql/internal/slab"

// Stay says how long bytes of a page are needed.
type Stay uint8

const (
	// Scratch is until the next page is read: enough for what is decoded at once.
	Scratch Stay = iota
	// Lent is until Reader.Free: strings of a batch point to them.
	Lent
	// Forever is for strings that anybody may keep. The memory is never used again.
	Forever
)

// passed is memory in whose place the reader has other memory, and that is still needed.
type passed struct {
	bytes  [][]byte
	leases []Lease
}

// add takes memory that the reader does not need.
func (p *passed) add(b []byte, how Stay) {
	switch how {
	case Scratch:
		slab.Put(b)
	case Lent:
		p.bytes = append(p.bytes, b)
	}
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
		l.Keep()
	}
}

// keep leaves all of it to those who point to it.
func (p *passed) keep() {
	for _, l := range p.leases {
		l.Keep()
	}
	p.forget()
}

// free gives all of it back.
func (p *passed) free() {
	for _, b := range p.bytes {
		slab.Put(b)
	}
	for _, l := range p.leases {
		l.Release()
	}
	p.forget()
}

// forget drops the references.
func (p *passed) forget() {
	clear(p.bytes)
	clear(p.leases)
	p.bytes, p.leases = p.bytes[:0], p.leases[:0]
}

// KeepLent makes bytes with the stay Lent stay for ever.
func (r *Reader) KeepLent() {
	w := &r.window
	w.passed.keep()
	for _, s := range []*Stay{&r.bufferStay, &w.bufStay, &w.viewStay, &w.plainStay} {
		if *s == Lent {
			*s = Forever
		}
	}
}

// Free says that no bytes with the stay Lent are in use any longer, but for those of the
// last page if that is still being decoded.
func (r *Reader) Free(current bool) {
	r.window.passed.free()
	if current {
		return
	}
	r.window.settle()
	if r.bufferStay == Lent {
		r.bufferStay = Scratch
	}
}

package page

import (
	"bytes"
	"errors"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
)

// How much a window reads ahead: little after a jump, because the next page may be
// skipped as well, and more with each read that continues where the last one ended.
// The maximum is small enough that the bytes are still in the processor's cache when
// they are decoded. A longer page is read alone, with what is probably the next
// page's header: its bytes then begin where the memory begins, and no byte is read
// twice.
const (
	firstAhead = 64 << 10
	mostAhead  = 256 << 10
	headerRoom = firstHeaderBytes
)

// Viewer may be implemented by a Source to save a copy: View returns n bytes at
// offset if they are in memory as one piece, and nil if not. The bytes do not change
// while they are leased: the numbers of a batch, and perhaps strings, point to them.
type Viewer interface {
	View(offset int64, n int) ([]byte, Lease)
}

// PartViewer may be implemented by a Viewer that has its bytes in several pieces.
type PartViewer interface {
	// ViewSome is View for n bytes or fewer, but at least one.
	ViewSome(offset int64, n int) ([]byte, Lease)
	// Pass says that the bytes before offset are not needed again.
	Pass(offset int64)
}

// Lease is the right to read the bytes of a View. It ends with one call of either method.
type Lease interface {
	Release() // nothing points to the bytes any longer
	Keep()    // the bytes must never change
}

// window is the part of a column chunk that is in memory. It reads the chunk in
// large pieces and hands out views of them.
type window struct {
	source io.ReaderAt
	viewer Viewer // source, if it is a Viewer
	parts  PartViewer
	end    int64 // of the chunk
	at     int64 // offset in the file of the first byte of buf
	buf    piece
	view   []byte // the bytes that viewer returned last, from viewAt on
	viewAt int64
	lease  Lease // of view
	viewed bool  // the bytes that were handed out last are of view
	ahead  int
	least  int // bytes to read ahead after a jump

	plain    piece  // the body that was decrypted last; none where pages are not encrypted
	viewStay Stay   // of view; those of buf and plain say how long the last body in them is needed
	passed   passed // memory that was in their place
}

func newWindow(source io.ReaderAt, end int64, ahead int, a account) window {
	v, _ := source.(Viewer)
	parts, _ := source.(PartViewer)
	return window{source: source, viewer: v, parts: parts, end: end, ahead: ahead, least: ahead, passed: passed{account: a}}
}

// bytes returns the n bytes at offset. It is an error if they do not lie before end,
// so a length from the input cannot make it allocate more than the file has. The
// bytes are valid until the next call, or longer after stay.
func (w *window) bytes(offset int64, n int) ([]byte, error) {
	if offset < 0 || n < 0 || offset > w.end || int64(n) > w.end-offset {
		return nil, fileformat.ErrTruncated
	}
	if n == 0 {
		return []byte{}, nil
	}
	w.viewed = false
	if b := part(w.buf.bytes, w.at, offset, n); b != nil {
		return b, nil
	}
	if b := part(w.view, w.viewAt, offset, n); b != nil {
		w.viewed = true
		return b, nil
	}
	if w.viewer != nil {
		w.dropView()
		if b, lease := w.viewer.View(offset, n); lease != nil {
			w.view, w.viewAt, w.lease, w.viewed = b, offset, lease, true
			return b, nil
		}
	}
	if err := w.fill(offset, n); err != nil {
		return nil, err
	}
	return w.buf.bytes[:n:n], nil
}

// some returns the bytes at offset, n or fewer, but at least one of them. They are valid
// until the next call.
func (w *window) some(offset int64, n int) ([]byte, error) {
	for _, have := range []struct {
		bytes []byte
		at    int64
	}{{w.buf.bytes, w.at}, {w.view, w.viewAt}} {
		if offset >= have.at && offset < have.at+int64(len(have.bytes)) {
			b := have.bytes[offset-have.at:]
			return b[:min(len(b), n)], nil
		}
	}
	if w.parts != nil && offset+int64(n) <= w.end {
		w.dropView()
		if b, lease := w.parts.ViewSome(offset, n); lease != nil {
			w.view, w.viewAt, w.lease = b, offset, lease
			return b, nil
		}
	}
	return w.bytes(offset, n)
}

// leave says that the bytes before offset are not needed again.
func (w *window) leave(offset int64) {
	if w.parts != nil {
		w.dropView()
		w.parts.Pass(offset)
	}
	if offset >= w.end || w.parts != nil && offset >= w.at+int64(len(w.buf.bytes)) {
		w.passed.add(&w.buf) // what follows is probably viewed
	}
	if offset >= w.end {
		w.passed.add(&w.plain)
	}
}

// part returns the n bytes at offset if buf, which begins at offset at, holds them,
// else nil.
func part(buf []byte, at, offset int64, n int) []byte {
	if offset < at || offset-at > int64(len(buf)) || int64(n) > int64(len(buf))-(offset-at) {
		return nil
	}
	from := int(offset - at)
	return buf[from : from+n : from+n]
}

// fill reads n bytes at offset and some bytes ahead. Bytes that are already in
// memory are not read again.
func (w *window) fill(offset int64, n int) error {
	have := part(w.buf.bytes, w.at, offset, int(min(max(0, w.at+int64(len(w.buf.bytes))-offset), int64(n))))
	if have == nil {
		w.ahead = w.least
	}
	more := int64(n) + headerRoom
	if n < w.ahead {
		more = int64(w.ahead)
		w.ahead = min(2*w.ahead, mostAhead)
	}
	size := int(min(more, w.end-offset))
	buf, err := w.room(size, len(have) == 0)
	if err != nil {
		return err
	}
	start := copy(buf.bytes, have)
	w.passed.add(&w.buf)
	got, err := w.source.ReadAt(buf.bytes[start:], offset+int64(start))
	ended := err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if start+got >= n {
		if buf.bytes = buf.bytes[:start+got]; !ended {
			buf.bytes = bytes.Clone(buf.bytes) // the read that was given up may write behind them
		}
		w.buf, w.at = buf, offset
		return nil
	}
	w.passed.account.release(buf.charged)
	if ended {
		return fileformat.ErrTruncated
	}
	return readError{err}
}

// room is memory for n bytes in the place of buf, whose bytes are not needed if it is free.
// It may be that of buf, which is then empty: nobody else gets the memory of a read that fails
// or panics, since what it has begun may still write there.
func (w *window) room(n int, free bool) (buf piece, err error) {
	if w.buf.stay == Scratch && cap(w.buf.bytes) >= n && !outgrown(w.buf.bytes, n) {
		buf, w.buf = w.buf, piece{}
	} else {
		if free {
			w.passed.add(&w.buf)
		}
		buf, err = newPiece(w.passed.account, n)
	}
	buf.bytes = buf.bytes[:min(n, cap(buf.bytes))]
	return buf, err
}

// plaintext returns an empty slice with room for n decrypted bytes. Those that were
// decrypted before are then no longer valid, unless they stay.
func (w *window) plaintext(n int) (_ []byte, err error) {
	if w.plain.stay != Scratch || cap(w.plain.bytes) < n || outgrown(w.plain.bytes, n) {
		w.passed.add(&w.plain)
		w.plain, err = newPiece(w.passed.account, n)
	}
	return w.plain.bytes[:0], err
}

// stay says how long the body that was handed out last is needed.
func (w *window) stay(how Stay) {
	switch {
	case w.plain.bytes != nil:
		w.plain.stay = max(w.plain.stay, how)
	case w.viewed:
		w.viewStay = max(w.viewStay, how)
	default:
		w.buf.stay = max(w.buf.stay, how)
	}
}

// dropView ends the lease of view, or keeps it for as long as its bytes are needed.
func (w *window) dropView() {
	w.passed.addLease(w.lease, w.viewStay)
	w.view, w.lease, w.viewStay = nil, nil, Scratch
}

// settle says that nothing points into the last body any longer, unless it stays for ever.
func (w *window) settle() {
	for _, s := range []*Stay{&w.buf.stay, &w.viewStay, &w.plain.stay} {
		if *s == Lent {
			*s = Scratch
		}
	}
}

// close gives the memory back if nothing points to it.
func (w *window) close() {
	w.settle()
	w.dropView()
	w.passed.add(&w.buf)
	w.passed.add(&w.plain)
	w.passed.free()
}

package page

import (
	"errors"
	"hash/crc32"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
	"github.com/parquetsql/parquetsql/internal/slab"
)

// ErrChecksum says that a page was damaged.
var ErrChecksum = errors.New("the page's bytes do not match its checksum")

// Body returns the bytes of a page from Find, checked against the page's checksum and
// decrypted. They are valid until the next page is looked for, or longer after Keep.
func (r *Reader) Body(p *Page) ([]byte, error) { return r.body(&r.window, p) }

// body checks all bytes that follow the header as they are in the file, before they are
// decrypted and decompressed ("Checksumming" in the format's README.md). A checksum of 0
// is a checksum.
func (r *Reader) body(w *window, p *Page) ([]byte, error) {
	body, err := w.bytes(p.Body, int(p.CompressedSize))
	if err != nil {
		return nil, err
	}
	if r.checked(p) && crc32.ChecksumIEEE(body) != p.CRC {
		return nil, ErrChecksum
	}
	if r.cipher != nil {
		return r.decrypt(w, p, body)
	}
	return body, nil
}

// Keep says how long the bytes that Body returned last are needed.
func (r *Reader) Keep(stay Stay) { r.window.stay(stay) }

// Decompress decompresses src, a part of the last body, to size bytes, which stay so long.
func (r *Reader) Decompress(src []byte, size int, stay Stay) ([]byte, error) {
	return r.decompress(&r.window, src, size, stay)
}

// decompress is Decompress. What decompresses was decrypted in the right mode; codec lets
// anything decompress to no bytes.
func (r *Reader) decompress(w *window, src []byte, size int, stay Stay) ([]byte, error) {
	out, err := r.inflate(w, src, size, stay)
	if err == nil {
		err = r.certain(size)
	}
	return out, err
}

// certain is called when bytes were decompressed to so many.
func (r *Reader) certain(size int) error {
	if size == 0 || !r.guessed {
		return nil
	}
	r.guessed = false
	return r.cipher.Guessed()
}

// permanent decompresses src to memory that stays for ever, whose length is then charged.
func (r *Reader) permanent(src []byte, size int) ([]byte, error) {
	if err := r.checkExpansion(src, size); err != nil {
		return nil, err
	}
	if err := r.account.reserve(int64(size)); err != nil {
		return nil, err
	}
	out, err := codec.Decompress(r.chunk.Meta.Codec, nil, src, size, r.options.Interrupt)
	if err != nil {
		r.account.release(int64(size))
	}
	return out, err
}

func (r *Reader) inflate(w *window, src []byte, size int, stay Stay) ([]byte, error) {
	c := r.chunk.Meta.Codec
	if c == fileformat.Uncompressed {
		w.stay(stay)
		return codec.Decompress(c, nil, src, size, nil)
	}
	if stay == Forever {
		out, err := r.permanent(src, size)
		if err == nil {
			r.lasting += int64(size)
		}
		return out, err
	}
	if err := r.checkExpansion(src, size); err != nil {
		return nil, err
	}
	believed := believed(src, size)
	b := &r.buffer
	if b.stay != Scratch || outgrown(b.bytes, size) || cap(b.bytes) < size && believed {
		r.window.passed.add(b)
	}
	if err := r.makeRoom(size, believed); err != nil {
		return nil, err
	}
	out, err := codec.Decompress(c, b.bytes[:0], src, size, r.options.Interrupt)
	if err == nil && cap(out) > cap(b.bytes) {
		slab.Put(b.bytes)
		b.bytes = out
	}
	b.stay = stay
	return out, err
}

// makeRoom charges the buffer for a page of so many bytes, and takes the memory if they are
// believed.
func (r *Reader) makeRoom(size int, believed bool) (err error) {
	b := &r.buffer
	switch more := int64(size - cap(b.bytes)); {
	case more <= 0:
	case believed:
		*b, err = newPiece(r.account, max(size, int(min(leastBuffer, r.chunk.Meta.TotalUncompressedSize))))
	default:
		if err = r.account.reserve(more); err == nil {
			b.charged += more
		}
	}
	return err
}

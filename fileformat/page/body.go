package page

import (
	"errors"
	"hash/crc32"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
)

// ErrChecksum says that a page was damaged.
var ErrChecksum = errors.New("the page's bytes do not match its checksum")

// Body returns the bytes of a page from Find, checked against the page's checksum and
// decrypted. They are valid until the reader's next call, or permanently after Keep.
func (r *Reader) Body(p *Page) ([]byte, error) { return r.body(&r.window, p) }

// body checks all bytes that follow the header as they are in the file, before they are
// decrypted and decompressed ("Checksumming" in the format's README.md). A checksum of 0
// is a checksum.
func (r *Reader) body(w *window, p *Page) ([]byte, error) {
	body, err := w.bytes(p.Body, int(p.CompressedSize))
	if err != nil {
		return nil, err
	}
	if p.HasCRC && r.chunk.File().Options().VerifyChecksums && crc32.ChecksumIEEE(body) != p.CRC {
		return nil, ErrChecksum
	}
	if r.cipher != nil {
		return r.decrypt(w, p, body)
	}
	return body, nil
}

// Keep makes the bytes that Body returned last permanently valid.
func (r *Reader) Keep() { r.window.keep() }

// Decompress decompresses src, a part of a body, to size bytes. With stay they are
// permanently valid, otherwise until the next page is decompressed.
func (r *Reader) Decompress(src []byte, size int, stay bool) ([]byte, error) {
	return r.decompress(&r.window, src, size, stay)
}

// decompress is Decompress. What decompresses was decrypted in the right mode; codec lets
// anything decompress to no bytes.
func (r *Reader) decompress(w *window, src []byte, size int, stay bool) ([]byte, error) {
	out, err := r.inflate(w, src, size, stay)
	if err == nil && size > 0 && r.guessed {
		r.guessed, err = false, r.cipher.Guessed()
	}
	return out, err
}

func (r *Reader) inflate(w *window, src []byte, size int, stay bool) ([]byte, error) {
	c := r.chunk.Meta.Codec
	if c == fileformat.Uncompressed {
		if stay {
			w.keep()
		}
		return codec.Decompress(c, nil, src, size)
	}
	if err := r.checkExpansion(src, size); err != nil {
		return nil, err
	}
	if err := r.reserve(int64(size)); err != nil {
		return nil, err
	}
	if stay {
		return codec.Decompress(c, nil, src, size)
	}
	if outgrown(r.buffer, size) {
		r.buffer = nil
	}
	if r.buffer == nil && size <= maxLent {
		r.buffer = borrow(max(size, minLent))
	}
	out, err := codec.Decompress(c, r.buffer[:0], src, size)
	if err == nil && cap(out) > cap(r.buffer) {
		giveBack(r.buffer)
		r.buffer = out
	}
	return out, err
}

package page

import (
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
)

var errKind = errors.New("an encrypted page is not of the kind that its header was encrypted for")

// encryptedHeader is header for encrypted pages. The module has its length in front, and
// the data that it is checked with says whether it is a dictionary page. Only the
// metadata tells this before: at the chunk's beginning and at the dictionary's offset
// there may be either.
func (r *Reader) encryptedHeader(w *window, offset, limit int64, ordinal int) (Page, error) {
	module, err := readModule(w, offset, min(limit-offset, maxHeaderBytes))
	if err != nil {
		return Page{}, err
	}
	tries := []int{ordinal}
	switch dictionary := r.chunk.Meta.DictionaryPageOffset; {
	case offset == dictionary:
		tries = []int{crypto.Dictionary, ordinal}
	case offset == r.start:
		tries = []int{ordinal, crypto.Dictionary}
	}
	for _, ordinal := range tries {
		var plain []byte
		if plain, err = r.cipher.PageHeader(r.headerBytes[:0], module, ordinal); err != nil {
			continue
		}
		r.headerBytes = plain
		h, _, err := fileformat.ParsePageHeader(plain)
		if errors.Is(err, fileformat.ErrShortHeader) {
			err = errHeaderCut
		}
		if err != nil {
			return Page{}, err
		}
		if !isKind(h.Type, ordinal == crypto.Dictionary) {
			return Page{}, errKind
		}
		p := Page{PageHeader: h, Ordinal: -1, Offset: offset, Body: offset + int64(len(module)), Rows: -1}
		if err := r.statePlain(w, &p); err != nil {
			return Page{}, err
		}
		return p, r.checkSizes(&p, w.end)
	}
	return Page{}, fmt.Errorf("page header: %w", err)
}

// isKind reports whether the header of a page type is encrypted as a dictionary's, or as
// a data page's. There are no other encrypted pages.
func isKind(t fileformat.PageType, dictionary bool) bool {
	if dictionary {
		return t == fileformat.DictionaryPage
	}
	return t == fileformat.DataPage || t == fileformat.DataPageV2
}

// readModule returns the module at offset, of at most so many bytes.
func readModule(w *window, offset, most int64) ([]byte, error) {
	if most < crypto.LengthBytes {
		return nil, fileformat.ErrTruncated
	}
	length, err := w.bytes(offset, crypto.LengthBytes)
	if err != nil {
		return nil, err
	}
	n := crypto.Length(length)
	if n > most {
		return nil, crypto.ErrLength
	}
	return w.bytes(offset, int(n))
}

// statePlain corrects the size of a page of DuckDB: its headers have that of the
// plaintext. Its files are known by having no AAD.
func (r *Reader) statePlain(w *window, p *Page) error {
	if !r.cipher.NoAAD() || w.end-p.Body < crypto.LengthBytes {
		return nil
	}
	length, err := w.bytes(p.Body, crypto.LengthBytes)
	if err == nil && crypto.Length(length) == int64(p.CompressedSize)+crypto.Overhead && p.CompressedSize <= math.MaxInt32-crypto.Overhead {
		p.CompressedSize += crypto.Overhead
	}
	return err
}

// decrypt returns the plaintext of an encrypted body. It belongs to the window.
//
// Arrow encrypts pages of version 2 as a whole. parquet-java encrypts only what follows
// their levels. The length in front of the module distinguishes them.
func (r *Reader) decrypt(w *window, p *Page, body []byte) ([]byte, error) {
	ordinal := p.Ordinal
	if p.Type == fileformat.DictionaryPage {
		ordinal = crypto.Dictionary
	}
	levels := int(p.RepLength) + int(p.DefLength)
	dst, err := w.plaintext(len(body))
	if err != nil {
		return nil, err
	}
	size := -1
	if r.chunk.Meta.Codec == fileformat.Uncompressed || p.Type == fileformat.DataPageV2 && !p.IsCompressed {
		size = int(p.UncompressedSize)
	}
	plain, guessed, err := r.cipher.Page(dst, body, ordinal, size)
	if errors.Is(err, crypto.ErrLength) && levels > 0 {
		plain, guessed, err = r.cipher.Page(append(dst, body[:levels]...), body[levels:], ordinal, max(-1, size-levels))
	}
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	if len(plain) < levels {
		return nil, fmt.Errorf("page: levels of %d bytes in a page of %d", levels, len(plain))
	}
	w.plain.bytes, r.guessed = plain, guessed
	return plain, nil
}

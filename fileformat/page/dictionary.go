package page

import (
	"bytes"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
)

// DictionaryFirst reports whether the file has bytes before the first data page
// of the offset index, and no page was passed yet. Then the dictionary page can be
// read in the order of the file.
func (r *Reader) DictionaryFirst() bool {
	x := r.options.Offset
	return x != nil && r.ordinal == 0 && len(x.Pages) > 0 && x.Pages[0].Offset > r.start
}

// Dictionary finds the chunk's dictionary page and reads it as DictionaryData does;
// ok is false if the chunk has none. inUse says that the bytes of another page must
// stay valid. The returned page has its offset even with an error.
func (r *Reader) Dictionary(inUse bool) (p Page, data []byte, ok bool, err error) {
	w := &r.window
	if inUse {
		fresh := newWindow(r.options.Source, w.end, firstAhead, r.account)
		defer fresh.close()
		w = &fresh
	}
	end := w.end
	p, ok, err = r.findDictionary(w)
	if ok {
		data, err = r.dictionaryData(w, &p)
	}
	w.end = end
	if ok && r.options.Offset == nil && r.next == r.start && p.Offset < end {
		r.Pass(&p) // so that Find does not return it again
	}
	return p, data, ok, err
}

// DictionaryData returns the decompressed bytes of a dictionary page from Find. They
// are permanently valid or, with Options.LentDictionary, until Close.
func (r *Reader) DictionaryData(p *Page) ([]byte, error) { return r.dictionaryData(&r.window, p) }

// KeepDictionary makes the bytes of the dictionary page permanently valid.
func (r *Reader) KeepDictionary() {
	r.dictionary.stay = Forever
}

func (r *Reader) dictionaryData(w *window, p *Page) ([]byte, error) {
	body, err := r.body(w, p)
	if err != nil {
		return nil, err
	}
	if size := int(p.UncompressedSize); r.options.LentDictionary && r.dictionary.bytes == nil && believed(body, size) {
		return r.lentDictionary(body, size)
	}
	if r.chunk.Meta.Codec == fileformat.Uncompressed {
		if err := r.ReserveKept(int64(len(body))); err != nil {
			return nil, err
		}
		// A copy: the memory around the body does not stay.
		out, err := r.decompress(w, body, int(p.UncompressedSize), Scratch)
		return bytes.Clone(out), err
	}
	out, err := r.permanent(body, int(p.UncompressedSize)) // the buffer may be in use
	if err == nil {
		r.kept += int64(len(out))
		err = r.certain(len(out))
	}
	return out, err
}

// lentDictionary decompresses the page to memory that is used again after Close.
func (r *Reader) lentDictionary(body []byte, size int) ([]byte, error) {
	if r.chunk.Meta.Codec != fileformat.Uncompressed {
		if err := r.checkExpansion(body, size); err != nil {
			return nil, err
		}
	}
	m, err := newPiece(r.account, size)
	if err != nil {
		return nil, err
	}
	out, err := codec.Decompress(r.chunk.Meta.Codec, m.bytes[:0], body, size, r.options.Interrupt)
	if err != nil {
		r.window.passed.add(&m)
		return nil, err
	}
	if r.chunk.Meta.Codec == fileformat.Uncompressed {
		out = m.bytes[:copy(m.bytes, out)]
	}
	m.stay = Lent
	r.dictionary = m
	return out, r.certain(size)
}

// findDictionary returns the dictionary page; ok is false if the chunk has none. The
// page stands before the data pages. A few writers put it elsewhere; then it is
// looked for at the metadata's offset, which may change the end of the window.
func (r *Reader) findDictionary(w *window) (p Page, ok bool, err error) {
	for at := r.start; at < w.end; at += p.Length() {
		if p, err = r.header(w, at, w.end, 0); err != nil {
			return Page{Offset: at}, false, err
		}
		if p.Type == fileformat.DictionaryPage {
			return p, true, nil
		}
		if p.Type == fileformat.DataPage || p.Type == fileformat.DataPageV2 {
			break
		}
	}
	at := r.chunk.Meta.DictionaryPageOffset
	if at <= r.start {
		return Page{}, false, nil
	}
	if err := r.chunk.File().CheckRange(at, 1); err != nil {
		return Page{Offset: at}, false, fmt.Errorf("dictionary page: %w", err)
	}
	w.end = max(w.end, r.chunk.File().DataEnd())
	if p, err = r.header(w, at, w.end, 0); err != nil {
		return Page{Offset: at}, false, err
	}
	return p, p.Type == fileformat.DictionaryPage, nil
}

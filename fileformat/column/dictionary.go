package column

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/viewcheck"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// chunkDictionary is a chunk's dictionary page, which is read at most once.
type chunkDictionary struct {
	tried bool
	at    int64 // offset of the page's header, or -1
	page  *Dictionary
	err   error // why page is nil; nil where the chunk has no such page

	checked bool
	wrong   error // what Options.Check says of page
}

var errTwoDicts = errors.New("a second dictionary page")

// Dictionary reads only the dictionary page. It returns nil without an error if the
// chunk has none.
func (r *Reader) Dictionary() (*Dictionary, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.lookForDictionary()
	if r.dict.err != nil {
		return nil, r.pages.Locate(max(r.dict.at, 0), r.dict.err)
	}
	return r.dict.page, nil
}

// needDictionary is Dictionary for a page that needs one: its absence is an error.
func (r *Reader) needDictionary() error {
	r.lookForDictionary()
	switch {
	case r.dict.err != nil:
		return r.dict.err
	case r.dict.page == nil:
		return errNoDict
	}
	return nil
}

// lookForDictionary looks for the dictionary page if the page reader did not find it
// on its way.
func (r *Reader) lookForDictionary() {
	if r.dict.tried {
		return
	}
	r.dict.tried = true
	p, data, ok, err := r.pages.Dictionary(r.page.active)
	if ok {
		r.setDictionary(&p, data, err)
	} else {
		r.dict.at, r.dict.err = p.Offset, err
	}
}

// metDictionary takes the dictionary page that the page reader found on its way.
// Damage in it is an error only when a page needs it. A second dictionary page is
// an error at once: nothing says to which of them the codes belong.
func (r *Reader) metDictionary(p *page.Page) error {
	if r.dict.tried {
		if r.dict.at != p.Offset {
			return errTwoDicts
		}
		return nil
	}
	r.dict.tried = true
	data, err := r.pages.DictionaryData(p)
	r.setDictionary(p, data, err)
	return nil
}

// setDictionary decodes the page.
func (r *Reader) setDictionary(p *page.Page, data []byte, err error) {
	r.dict.at = p.Offset
	if err == nil {
		r.dict.page, err = r.decodeDictionary(p, data)
	}
	if err != nil {
		r.dict.err = fmt.Errorf("dictionary page: %w", err)
	}
}

// decodeDictionary reads values in PLAIN; old writers call that PLAIN_DICTIONARY.
func (r *Reader) decodeDictionary(p *page.Page, data []byte) (*Dictionary, error) {
	if p.Encoding != fileformat.Plain && p.Encoding != fileformat.PlainDictionary {
		return nil, errs.Unsupported("a dictionary in the encoding %v", p.Encoding)
	}
	r.stats.BytesDecoded += int64(p.CompressedSize)
	n := int(p.NumValues)
	if most := mostEntries(r.leaf, len(data)); n > most {
		return nil, fmt.Errorf("%d entries in %d bytes", n, len(data))
	}
	if err := r.pages.ReserveKept(int64(n) * valueBytes(r.leaf)); err != nil {
		return nil, err
	}
	if !r.options.LentDictionary {
		return r.values.dictionary(data, n, nil)
	}
	d, err := r.values.dictionary(data, n, r.options.Memory)
	if err == nil {
		d.lender = r
	}
	return d, err
}

// Lent reports whether the strings are valid only until the reader is closed.
func (d *Dictionary) Lent() bool { return d.lender != nil }

// Keep makes the strings stay valid. It is called before the reader's next call.
func (d *Dictionary) Keep() {
	if r := d.lender; r != nil {
		r.pages.KeepDictionary()
		d.lender = nil
	}
}

// endDictionary takes back what is lent.
func (r *Reader) endDictionary() {
	d := r.dict.page
	if d == nil || d.lender == nil {
		return
	}
	d.lender = nil
	viewcheck.Overwrite(d.Values.Bytes)
	if m := r.options.Memory; m != nil && d.Values.Bytes != nil {
		m.entries = d.Values.Bytes
	}
}

// valueBytes is the memory of a decoded value, without the bytes of a string.
func valueBytes(leaf *fileformat.Node) int64 {
	switch leaf.Physical {
	case fileformat.Boolean:
		return 1
	case fileformat.Int32, fileformat.Float:
		return 4
	case fileformat.Int64, fileformat.Double:
		return 8
	case fileformat.Int96Type:
		return 12
	}
	return 16 // a string
}

// mostEntries is the most PLAIN values that a number of bytes can hold.
func mostEntries(leaf *fileformat.Node, bytes int) int {
	switch leaf.Physical {
	case fileformat.Boolean:
		return 8 * bytes
	case fileformat.Int32, fileformat.Float, fileformat.ByteArray:
		return bytes / 4
	case fileformat.Int64, fileformat.Double:
		return bytes / 8
	case fileformat.Int96Type:
		return bytes / 12
	}
	if leaf.TypeLength <= 0 {
		return 1 // all values of no bytes are equal
	}
	return bytes / leaf.TypeLength
}

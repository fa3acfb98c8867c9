package fileformat

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// chunkDictionary is a chunk's dictionary page, which is read once at most.
type chunkDictionary struct {
	tried bool
	at    int64 // offset of the page's header, or -1
	page  *Dictionary
	err   error // why page is nil; nil where the chunk has no such page

	checked bool
	wrong   error // what ReadOptions.Check says of page
}

var errTwoDicts = errors.New("a second dictionary page")

// Dictionary reads the dictionary page and nothing else; nil without an error
// where the chunk has none.
func (r *LeafReader) Dictionary() (*Dictionary, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.lookForDictionary()
	if r.dict.err != nil {
		return nil, r.locate(max(r.dict.at, 0), r.dict.err)
	}
	return r.dict.page, nil
}

// needDictionary is Dictionary for a page that cannot do without.
func (r *LeafReader) needDictionary() error {
	r.lookForDictionary()
	switch {
	case r.dict.err != nil:
		return r.dict.err
	case r.dict.page == nil:
		return errNoDict
	}
	return nil
}

// lookForDictionary looks for the dictionary page where the walk did not come
// across it.
func (r *LeafReader) lookForDictionary() {
	if r.dict.tried {
		return
	}
	r.dict.tried = true
	// The window may hold bytes of the page at hand.
	window := &r.walk.window
	if r.page.active {
		fresh := newPageWindow(r.options.Source, window.end)
		defer fresh.close()
		window = &fresh
	}
	end := window.end
	p, ok, err := r.walk.findDictionary(window)
	if ok {
		r.readDictionary(window, &p)
	} else {
		r.dict.at, r.dict.err = p.offset, err
	}
	window.end = end
	if ok && r.walk.index == nil && r.walk.next == r.walk.start && p.offset < end {
		r.walk.pass(&p) // the walk need not come across it again
	}
}

// metDictionary takes the dictionary page that the walk came across. What is
// wrong with it is an error only for who needs it, but a second one is an error
// at once: nothing says which of them the codes belong to.
func (r *LeafReader) metDictionary(p *pageRef) error {
	if r.dict.tried {
		if r.dict.at != p.offset {
			return errTwoDicts
		}
		return nil
	}
	r.dict.tried = true
	r.readDictionary(&r.walk.window, p)
	return nil
}

// readDictionary decodes the page. Its values are in PLAIN; old writers call
// that PLAIN_DICTIONARY.
func (r *LeafReader) readDictionary(w *pageWindow, p *pageRef) {
	r.dict.at = p.offset
	r.dict.page, r.dict.err = r.decodeDictionary(w, p)
	if r.dict.err != nil {
		r.dict.err = fmt.Errorf("dictionary page: %w", r.dict.err)
	}
}

func (r *LeafReader) decodeDictionary(w *pageWindow, p *pageRef) (*Dictionary, error) {
	if p.Encoding != Plain && p.Encoding != PlainDictionary {
		return nil, errs.Unsupported("a dictionary in the encoding %v", p.Encoding)
	}
	body, err := r.pageBody(w, p)
	if err != nil {
		return nil, err
	}
	data, err := r.decompress(w, body, int(p.UncompressedSize), true) // the buffer may be in use
	if err != nil {
		return nil, err
	}
	r.stats.BytesDecoded += int64(p.CompressedSize)
	n := int(p.NumValues)
	if most := mostEntries(r.leaf, len(data)); n > most {
		return nil, fmt.Errorf("%d entries in %d bytes", n, len(data))
	}
	return r.values.dictionary(data, n)
}

// mostEntries is how many PLAIN values a number of bytes can hold at most.
func mostEntries(leaf *Node, bytes int) int {
	switch leaf.Physical {
	case Boolean:
		return 8 * bytes
	case Int32, Float, ByteArray:
		return bytes / 4
	case Int64, Double:
		return bytes / 8
	case Int96Type:
		return bytes / 12
	}
	if leaf.TypeLength <= 0 {
		return 1 // all values of no bytes are equal
	}
	return bytes / leaf.TypeLength
}

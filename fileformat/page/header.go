package page

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
)

const (
	// firstHeaderBytes is enough for the header of a page without long statistics.
	firstHeaderBytes = 512
	// maxHeaderBytes is more than a valid header takes. Without this limit a damaged
	// header could make the reader search the whole chunk for the header's end.
	maxHeaderBytes = 16 << 20
	// saneUncompressed is the page size up to which the chunk's metadata is not
	// consulted.
	saneUncompressed = 16 << 20
)

var errHeaderCut = errors.New("page header: it does not end")

// header reads the page header at offset, which ends before limit. ordinal is the page's
// if it is a data page. The header's statistics are valid until the next call.
func (r *Reader) header(w *window, offset, limit int64, ordinal int) (Page, error) {
	left := min(limit, w.end) - offset
	if r.cipher != nil {
		return r.encryptedHeader(w, offset, offset+left, ordinal)
	}
	for n := int64(firstHeaderBytes); ; n *= 4 {
		n = min(n, left, maxHeaderBytes)
		buf, err := w.bytes(offset, int(n))
		if err != nil {
			return Page{}, err
		}
		h, used, err := fileformat.ParsePageHeader(buf)
		switch {
		case err == nil:
			p := Page{PageHeader: h, Ordinal: -1, Offset: offset, Body: offset + int64(used), Rows: -1}
			return p, r.checkSizes(&p, w.end)
		case !errors.Is(err, fileformat.ErrShortHeader):
			return Page{}, err
		case n == left || n == maxHeaderBytes:
			return Page{}, errHeaderCut
		}
	}
}

// checkSizes compares a header's sizes with those of the chunk, whose bytes end
// at end.
func (r *Reader) checkSizes(p *Page, end int64) error {
	if int64(p.CompressedSize) > end-p.Body {
		return fmt.Errorf("page header: a page of %d bytes where the chunk has %d left", p.CompressedSize, end-p.Body)
	}
	if size := int64(p.UncompressedSize); size > saneUncompressed && size > r.chunk.Meta.TotalUncompressedSize {
		return fmt.Errorf("page header: a page of %d bytes uncompressed in a chunk of %d", size, r.chunk.Meta.TotalUncompressedSize)
	}
	return nil
}

package column

import (
	"encoding/binary"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

const (
	// leastValues is enough for what the values of a page begin with.
	leastValues = 16
	// stepBytes of strings of a page in pieces are decoded between two calls of Crowded.
	stepBytes = 512 << 10
	// skipAtOnce is how many values are passed between two calls of Interrupt.
	skipAtOnce = 1 << 13
)

// inPieces reports whether the page is decoded while it is decompressed: its encoding can
// be, and nothing has to be known of the whole page before.
func (r *Reader) inPieces() bool {
	p := &r.page
	if r.leaf.MaxRep > 0 || r.options.WholePages || r.bare && p.Type == fileformat.DataPageV2 || !r.pages.InPieces(&p.Page) {
		return false
	}
	return p.coded || r.values.pieced(p.Encoding)
}

// openPieces is open for such a page.
func (r *Reader) openPieces() error {
	p, stored := &r.page, 0
	p.step = max(1, int(stepBytes*int64(p.NumValues)/int64(max(1, p.UncompressedSize))))
	if p.Type == fileformat.DataPageV2 {
		stored = int(p.RepLength + p.DefLength)
	}
	pieces, err := r.pages.Pieces(&p.Page, stored, r.stay())
	if err != nil {
		return err
	}
	data, err := pieces.More(0, leastValues)
	if err == nil && r.leaf.MaxDef > 0 {
		data, err = r.copyLevels(pieces, data)
	}
	if err != nil {
		return err
	}
	more := func(rest, need int) ([]byte, error) {
		if err := r.options.interrupted(); err != nil {
			return nil, err
		}
		return pieces.More(rest, need)
	}
	switch {
	case !p.coded:
		if err = r.values.reset(p.Encoding, data, p.left); err == nil {
			r.values.resume(more)
		}
	case r.dict.page != nil: // see openValues
		err = p.codes.Reset(data, r.dict.page.Len, p.left)
		p.codes.Continue(more)
	}
	return err
}

// copyLevels starts the levels, of which it makes a copy: they are decoded beside the values.
// It returns what follows them in data.
func (r *Reader) copyLevels(pieces *page.Pieces, data []byte) (rest []byte, err error) {
	p := &r.page
	if p.Type == fileformat.DataPageV2 {
		err := p.def.Reset(pieces.Stored()[p.RepLength:], uint8(r.leaf.MaxDef), p.left)
		return data, err
	}
	size := encoding.BitPackedSize(uint8(r.leaf.MaxDef), p.left)
	if p.DefEncoding == fileformat.RLE && len(data) >= 4 {
		size = 4 + int64(binary.LittleEndian.Uint32(data))
	}
	if size > int64(p.UncompressedSize) {
		return nil, errLevels
	}
	if data, err = pieces.More(len(data), int(size)+leastValues); err != nil {
		return nil, err
	}
	section, err := pieces.Copy(data[:min(int(size), len(data))])
	if err != nil {
		return nil, err
	}
	if _, err := levelSection(&p.def, section, p.DefEncoding, r.leaf.MaxDef, p.left); err != nil {
		return nil, fmt.Errorf("definition levels: %w", err)
	}
	return data[len(section):], nil
}

// pieced reports whether pages of an encoding may come in pieces.
func (v *typedValues[T]) pieced(e fileformat.Encoding) bool {
	d, err := v.of(e)
	_, ok := d.(encoding.Pieced)
	return ok && err == nil
}

// resume says where the rest of a page comes from that was reset with its first piece.
func (v *typedValues[T]) resume(more encoding.More) { v.decoder.(encoding.Pieced).Continue(more) }

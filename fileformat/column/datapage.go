package column

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// dataPage is the data page that is being decoded (README.md of the format,
// "Data Pages"). Once decompressed it has three sections,
//
//	V1: repetition levels, definition levels, values: compressed together
//	V2: repetition levels, definition levels: never compressed; values
//
// A level section is absent if its maximum is 0. In V1, an RLE section begins with
// its length, and the length of a section in the old BIT_PACKED follows from the
// number of levels; in V2, the header has the lengths.
type dataPage struct {
	page.Page
	active  bool
	left    int   // level entries that are not decoded yet
	step    int   // most rows to decode at once
	started int64 // records that began in it so far; repeated columns
	coded   bool  // values are dictionary codes

	rep, def encoding.Levels
	codes    encoding.Indices
	unused   int // values that were skipped but not yet passed over
}

var (
	errLevels     = errors.New("the page ends within its levels")
	errNoDict     = errors.New("a page has dictionary codes, but the chunk has no dictionary page")
	errFirstLevel = errors.New("the page does not begin with a record: its first repetition level is not 0")
)

// isCoded reports whether a data page's encoding is one of dictionary codes.
func isCoded(e fileformat.Encoding) bool {
	return e == fileformat.PlainDictionary || e == fileformat.RLEDictionary
}

// isBytes reports whether values are strings, which point into the page.
func isBytes(t fileformat.PhysicalType) bool {
	return t == fileformat.ByteArray || t == fileformat.FixedLenByteArray
}

// stay says how long the memory of the page's values is needed. Numbers are decoded, or
// are the whole batch; strings point into it.
func (r *Reader) stay() page.Stay {
	switch {
	case !isBytes(r.leaf.Physical) || r.page.coded:
		return page.Scratch
	case r.options.Lent:
		return page.Lent
	}
	return page.Forever
}

// open starts to decode the page that walk found.
func (r *Reader) open(found page.Page) error {
	if err := r.leaveContinued(); err != nil {
		return err
	}
	if r.nonNull == 0 {
		r.pages.Free(false) // the batch has nothing of the page before
	}
	p := &r.page
	p.def, p.rep = encoding.Levels{}, encoding.Levels{} // they point to the page before
	r.values.leave()
	p.Page, p.active = found, false
	p.left, p.step, p.started, p.unused = int(p.NumValues), int(p.NumValues), 0, 0
	r.pages.Leave()
	p.coded = isCoded(p.Encoding)
	if p.coded && !r.bare {
		r.lookForDictionary() // before memory holds the page
	}
	if r.inPieces() {
		err := r.openPieces()
		r.stats.BytesDecoded += int64(p.CompressedSize)
		p.active = err == nil
		return err
	}
	body, err := r.pages.Body(&p.Page)
	if err != nil {
		return err
	}
	r.stats.BytesDecoded += int64(p.CompressedSize)
	var values []byte
	if p.Type == fileformat.DataPage {
		values, err = r.openV1(body)
	} else {
		values, err = r.openV2(body)
	}
	if err == nil {
		err = r.checkRecords()
	}
	if err == nil {
		err = r.openValues(values)
	}
	if err == nil && r.options.WholePages {
		err = r.checkWhole(values)
	}
	p.active = err == nil
	return err
}

func (r *Reader) openV1(body []byte) (values []byte, err error) {
	p := &r.page
	data, err := r.pages.Decompress(body, int(p.UncompressedSize), r.stay())
	if err != nil {
		return nil, err
	}
	r.pages.Used(&p.Page)
	if r.leaf.MaxRep > 0 {
		if data, err = levelSection(&p.rep, data, p.RepEncoding, r.leaf.MaxRep, p.left); err != nil {
			return nil, fmt.Errorf("repetition levels: %w", err)
		}
	}
	if r.leaf.MaxDef > 0 {
		if data, err = levelSection(&p.def, data, p.DefEncoding, r.leaf.MaxDef, p.left); err != nil {
			return nil, fmt.Errorf("definition levels: %w", err)
		}
	}
	return data, nil
}

// levelSection starts the levels at the beginning of a V1 page's data and returns
// the data after them. A page without entries may lack the section.
func levelSection(l *encoding.Levels, data []byte, e fileformat.Encoding, max, n int) (rest []byte, err error) {
	switch {
	case n == 0 && len(data) == 0:
		return nil, l.Reset(nil, uint8(max), 0)
	case e == fileformat.BitPacked:
		size := encoding.BitPackedSize(uint8(max), n)
		if size > int64(len(data)) {
			return nil, errLevels
		}
		return data[size:], l.ResetBitPacked(data[:size], uint8(max), n)
	case e != fileformat.RLE:
		return nil, errs.Unsupported("levels in the encoding %v", e)
	case len(data) < 4:
		return nil, errLevels
	}
	size := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(size) > uint64(len(data)) {
		return nil, errLevels
	}
	return data[size:], l.Reset(data[:size], uint8(max), n)
}

// openV2 relies on fileformat.ParsePageHeader, which checked the levels' lengths against
// both sizes of the page.
func (r *Reader) openV2(body []byte) (values []byte, err error) {
	p := &r.page
	levels := int(p.RepLength + p.DefLength)
	if r.leaf.MaxRep > 0 {
		if err := p.rep.Reset(body[:p.RepLength], uint8(r.leaf.MaxRep), p.left); err != nil {
			return nil, fmt.Errorf("repetition levels: %w", err)
		}
	}
	if r.leaf.MaxDef > 0 {
		if err := p.def.Reset(body[p.RepLength:levels], uint8(r.leaf.MaxDef), p.left); err != nil {
			return nil, fmt.Errorf("definition levels: %w", err)
		}
	}
	switch {
	case r.bare:
		return nil, nil
	case !p.IsCompressed:
		r.pages.Keep(r.stay())
		return body[levels:], nil
	}
	return r.pages.Decompress(body[levels:], int(p.UncompressedSize)-levels, r.stay())
}

// openValues starts the values section. Its number of values is known only after the
// levels are decoded, so the decoders get the number of entries as an upper bound.
func (r *Reader) openValues(data []byte) error {
	p := &r.page
	switch {
	case r.bare:
		return nil
	case !p.coded:
		err := r.values.reset(p.Encoding, data, p.left)
		if err == nil && r.continued.continues(&p.Page) {
			r.values.continueFrom(r.continued.last)
			r.continued.open = true
		}
		return err
	case r.dict.page == nil:
		return nil // a chunk of NULLs needs no dictionary; see take
	}
	return p.codes.Reset(data, r.dict.page.Len, p.left)
}

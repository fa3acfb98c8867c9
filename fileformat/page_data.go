package fileformat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// dataPage is the data page that is being decoded (README.md of the format,
// "Data Pages"). Once decompressed it has three sections,
//
//	V1: repetition levels, definition levels, values: compressed together
//	V2: repetition levels, definition levels: never compressed; values
//
// of which a level section is absent where its maximum is 0. In V1 a section
// in RLE begins with its length, and one in the old BIT_PACKED has the length
// that the number of levels gives; in V2 the header has the lengths.
type dataPage struct {
	pageRef
	active   bool
	boundary bool  // begins and ends with a record, for sure
	left     int   // level entries that were not decoded yet
	started  int64 // records that began in it so far; repeated columns
	coded    bool  // values are dictionary codes

	rep, def encoding.Levels
	codes    encoding.Indices
	unused   int // values that were skipped but not yet passed over
}

var (
	errCRC        = errors.New("the page's bytes do not have its checksum")
	errLevels     = errors.New("the page ends within its levels")
	errNoDict     = errors.New("a page of dictionary codes in a chunk without a dictionary page")
	errFirstLevel = errors.New("the page does not begin with a record: its first repetition level is not 0")
)

// isCoded reports whether a data page's encoding is one of dictionary codes.
func isCoded(e Encoding) bool { return e == PlainDictionary || e == RLEDictionary }

// isBytes reports whether values are strings, which point into the page.
func isBytes(t PhysicalType) bool { return t == ByteArray || t == FixedLenByteArray }

// pageBody gives a page's bytes as they are in the file, checked against its
// checksum. That covers all that follows the header, before decompression
// ("Checksumming"), and a checksum of 0 is as good as any.
func (r *LeafReader) pageBody(w *pageWindow, p *pageRef) ([]byte, error) {
	body, err := w.bytes(p.body, int(p.CompressedSize))
	if err != nil {
		return nil, err
	}
	if p.HasCRC && r.chunk.file.options.VerifyChecksums && crc32.ChecksumIEEE(body) != p.CRC {
		return nil, errCRC
	}
	return body, nil
}

// decompress gives the bytes that src stands for. Where strings will point
// into them they are in memory of their own, else in the reader's buffer.
func (r *LeafReader) decompress(w *pageWindow, src []byte, size int, strings bool) ([]byte, error) {
	id := codec.ID(r.chunk.Meta.Codec)
	if !id.Known() {
		return nil, errs.Unsupported("compression codec %v", r.chunk.Meta.Codec)
	}
	if id != codec.Uncompressed {
		if err := r.reserve(int64(size)); err != nil {
			return nil, err
		}
	}
	if strings {
		out, err := codec.Decompress(id, nil, src, size)
		if id == codec.Uncompressed {
			w.keep()
		}
		return out, err
	}
	if r.buffer == nil && id != codec.Uncompressed && size <= maxLent {
		r.buffer = borrow(max(size, minLent))
	}
	out, err := codec.Decompress(id, r.buffer[:0], src, size)
	if err == nil && id != codec.Uncompressed && cap(out) > cap(r.buffer) {
		giveBack(r.buffer)
		r.buffer = out
	}
	return out, err
}

// open starts to decode the page that walk found.
func (r *LeafReader) open(p pageRef) error {
	page := &r.page
	page.pageRef, page.active = p, false
	page.left, page.started, page.unused = int(p.NumValues), 0, 0
	r.release()
	page.coded = isCoded(p.Encoding)
	page.boundary = r.leaf.MaxRep == 0 || r.walk.wholeRecords(&p) || r.walk.index != nil
	if page.coded {
		r.lookForDictionary() // before the window holds the page
	}
	body, err := r.pageBody(&r.walk.window, &p)
	if err != nil {
		return err
	}
	r.stats.BytesDecoded += int64(p.CompressedSize)
	var values []byte
	if p.Type == DataPage {
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
	page.active = err == nil
	return err
}

func (r *LeafReader) openV1(body []byte) (values []byte, err error) {
	p := &r.page
	strings := isBytes(r.leaf.Physical) && !p.coded
	data, err := r.decompress(&r.walk.window, body, int(p.UncompressedSize), strings)
	if err != nil {
		return nil, err
	}
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

// levelSection starts the levels that a V1 page's data begins with and gives
// the data behind them. A page without entries may do without the section.
func levelSection(l *encoding.Levels, data []byte, e Encoding, max, n int) (rest []byte, err error) {
	switch {
	case n == 0 && len(data) == 0:
		return nil, l.Reset(nil, uint8(max), 0)
	case e == BitPacked:
		size := encoding.BitPackedSize(uint8(max), n)
		if size > int64(len(data)) {
			return nil, errLevels
		}
		return data[size:], l.ResetBitPacked(data[:size], uint8(max), n)
	case e != RLE:
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

// openV2 relies on readPageHeader, which checked the levels' lengths against
// both sizes of the page.
func (r *LeafReader) openV2(body []byte) (values []byte, err error) {
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
	strings := isBytes(r.leaf.Physical) && !p.coded
	if !p.IsCompressed {
		if strings {
			r.walk.window.keep()
		}
		return body[levels:], nil
	}
	return r.decompress(&r.walk.window, body[levels:], int(p.UncompressedSize)-levels, strings)
}

// openValues starts the values section. How many values it holds is known only
// when the levels are decoded; the decoders take the number of entries as the
// limit that it is.
func (r *LeafReader) openValues(data []byte) error {
	p := &r.page
	switch {
	case !p.coded:
		return r.values.reset(p.Encoding, data, p.left)
	case r.dict.page == nil:
		return nil // a chunk of NULLs needs no dictionary; see take
	}
	return p.codes.Reset(data, r.dict.page.Len, p.left)
}

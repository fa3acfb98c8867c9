package fileformat

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// PageHeader precedes each page (struct PageHeader). Only the part that belongs to
// Type is set; for an INDEX_PAGE and for unknown types, only the sizes are set.
type PageHeader struct {
	Type             PageType
	UncompressedSize int32 // of the page without this header; at least 0
	CompressedSize   int32 // of the page without this header; at least 0
	CRC              uint32
	HasCRC           bool // needed because 0 is a valid checksum

	NumValues   int32 // DATA_PAGE, DATA_PAGE_V2: level entries; DICTIONARY_PAGE: entries; at least 0
	Encoding    Encoding
	DefEncoding Encoding // DATA_PAGE
	RepEncoding Encoding // DATA_PAGE
	IsSorted    bool     // DICTIONARY_PAGE

	// DATA_PAGE_V2; NumNulls and the lengths are at least 0, NumNulls ≤ NumValues,
	// and the two levels' lengths together at most CompressedSize and
	// UncompressedSize. NumRows is any number: many writers fill in a wrong one.
	NumNulls, NumRows    int32
	DefLength, RepLength int32
	IsCompressed         bool

	Statistics *Statistics // data pages; nil where absent. Order is not set
}

// ErrShortHeader says that the bytes given to ParsePageHeader end before the
// header does.
var ErrShortHeader = errors.New("page header: bytes are missing")

// ParsePageHeader parses the header at the start of buf; n is its length in bytes.
// The error is ErrShortHeader if the header may go on after buf. The header's
// statistics point into buf.
func ParsePageHeader(buf []byte) (h PageHeader, n int, err error) {
	p := pageHeaderReader{Reader: thrift.NewReader(buf)}
	p.header()
	switch {
	case errors.Is(p.Err(), thrift.ErrShort):
		return PageHeader{}, 0, ErrShortHeader
	case p.Err() != nil:
		return PageHeader{}, 0, fmt.Errorf("page header: %w", p.Err())
	}
	if err := p.check(); err != nil {
		return PageHeader{}, 0, fmt.Errorf("page header: %w", err)
	}
	return p.h, p.Pos(), nil
}

// pageHeaderReader collects the header's parts. A file may have more parts than the
// one that belongs to the type.
type pageHeaderReader struct {
	*thrift.Reader
	h              PageHeader
	seen           int
	v1, v2, dict   PageHeader
	seen1, seen2   int
	seenDictionary int
}

func (p *pageHeaderReader) header() {
	for f := (thrift.Field{}); p.Next(&f); {
		switch f.ID {
		case 1:
			p.h.Type = PageType(p.I32(f))
		case 2:
			p.h.UncompressedSize = p.I32(f)
		case 3:
			p.h.CompressedSize = p.I32(f)
		case 4:
			p.h.CRC = uint32(p.I32(f))
			p.h.HasCRC = p.Matched()
		case 5:
			p.dataPage(f)
		case 7:
			p.dictionaryPage(f)
		case 8:
			p.dataPageV2(f)
		default:
			p.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 8 && p.Matched() {
			p.seen |= 1 << f.ID
		}
	}
}

// dataPage reads struct DataPageHeader.
func (p *pageHeaderReader) dataPage(f thrift.Field) {
	if !p.Struct(f) {
		return
	}
	for f := (thrift.Field{}); p.Next(&f); {
		switch f.ID {
		case 1:
			p.v1.NumValues = p.I32(f)
		case 2:
			p.v1.Encoding = Encoding(p.I32(f))
		case 3:
			p.v1.DefEncoding = Encoding(p.I32(f))
		case 4:
			p.v1.RepEncoding = Encoding(p.I32(f))
		case 5:
			p.v1.Statistics = readStatistics(p.Reader, f)
		default:
			p.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 4 && p.Matched() {
			p.seen1 |= 1 << f.ID
		}
	}
}

// dictionaryPage reads struct DictionaryPageHeader.
func (p *pageHeaderReader) dictionaryPage(f thrift.Field) {
	if !p.Struct(f) {
		return
	}
	for f := (thrift.Field{}); p.Next(&f); {
		switch f.ID {
		case 1:
			p.dict.NumValues = p.I32(f)
		case 2:
			p.dict.Encoding = Encoding(p.I32(f))
		case 3:
			p.dict.IsSorted = p.Bool(f)
		default:
			p.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 2 && p.Matched() {
			p.seenDictionary |= 1 << f.ID
		}
	}
}

// dataPageV2 reads struct DataPageHeaderV2.
func (p *pageHeaderReader) dataPageV2(f thrift.Field) {
	if !p.Struct(f) {
		return
	}
	p.v2.IsCompressed = true
	for f := (thrift.Field{}); p.Next(&f); {
		switch f.ID {
		case 1:
			p.v2.NumValues = p.I32(f)
		case 2:
			p.v2.NumNulls = p.I32(f)
		case 3:
			p.v2.NumRows = p.I32(f)
		case 4:
			p.v2.Encoding = Encoding(p.I32(f))
		case 5:
			p.v2.DefLength = p.I32(f)
		case 6:
			p.v2.RepLength = p.I32(f)
		case 7:
			p.v2.IsCompressed = p.Bool(f) || !p.Matched()
		case 8:
			p.v2.Statistics = readStatistics(p.Reader, f)
		default:
			p.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 6 && p.Matched() {
			p.seen2 |= 1 << f.ID
		}
	}
}

var errHeaderIncomplete = errors.New("a required field is missing")

// check takes over the part that belongs to the type and validates it.
func (p *pageHeaderReader) check() error {
	h := &p.h
	if p.seen&0xe != 0xe {
		return errHeaderIncomplete
	}
	if h.CompressedSize < 0 || h.UncompressedSize < 0 {
		return fmt.Errorf("a page of %d bytes, uncompressed %d", h.CompressedSize, h.UncompressedSize)
	}
	common := *h
	complete := true
	switch h.Type {
	case DataPage:
		*h, complete = p.v1, p.seen1 == 0x1e
	case DataPageV2:
		*h, complete = p.v2, p.seen2 == 0x7e
	case DictionaryPage:
		*h, complete = p.dict, p.seenDictionary == 0x6
	default:
		// A data page whose type was damaged must not be skipped: the rows of all
		// pages after it would get the wrong row numbers.
		if p.seen&(1<<5|1<<8) != 0 {
			return fmt.Errorf("a page of type %v with the header of a data page", h.Type)
		}
	}
	h.Type, h.CRC, h.HasCRC = common.Type, common.CRC, common.HasCRC
	h.CompressedSize, h.UncompressedSize = common.CompressedSize, common.UncompressedSize
	if !complete {
		return errHeaderIncomplete
	}
	if h.NumValues < 0 {
		return fmt.Errorf("a page of %d values", h.NumValues)
	}
	if h.Type != DataPageV2 {
		return nil
	}
	if h.NumNulls < 0 || h.NumNulls > h.NumValues {
		return fmt.Errorf("a page of %d values with %d NULLs", h.NumValues, h.NumNulls)
	}
	levels := int64(h.DefLength) + int64(h.RepLength)
	if h.DefLength < 0 || h.RepLength < 0 || levels > int64(min(h.CompressedSize, h.UncompressedSize)) {
		return fmt.Errorf("levels of %d and %d bytes in a page of %d bytes, uncompressed %d", h.RepLength, h.DefLength, h.CompressedSize, h.UncompressedSize)
	}
	return nil
}

package fileformat

import (
	"errors"
	"fmt"
	"io"
)

// PageInfo is a page as its header describes it.
type PageInfo struct {
	PageHeader
	Offset int64 // of the header in the file
	Length int64 // of header and page in the file
}

// Pages calls visit with every page of the chunk, in the order of the file and
// dictionary and unknown pages included, until visit returns an error, which
// Pages then returns. It reads the headers only. The headers' statistics are
// valid during the call.
func (c *ColumnChunk) Pages(r io.ReaderAt, visit func(PageInfo) error) error {
	offset, length, err := c.Range()
	if err != nil {
		return err
	}
	end := offset + length
	// Behind the last value there may be padding (see Range).
	for values := int64(0); offset < end && values < c.Meta.NumValues; {
		h, n, err := c.headerAt(r, offset, end)
		if err != nil {
			return err
		}
		p := PageInfo{PageHeader: h, Offset: offset, Length: int64(n) + int64(h.CompressedSize)}
		if p.Length > end-offset {
			return c.corrupt(offset, fmt.Errorf("page header: a page of %d bytes where the chunk has %d left", p.Length, end-offset))
		}
		if h.Type == DataPage || h.Type == DataPageV2 {
			values += int64(h.NumValues)
		}
		if err := visit(p); err != nil {
			return err
		}
		offset += p.Length
	}
	return nil
}

// headerAt reads the header at an offset, with more and more bytes until it is whole.
func (c *ColumnChunk) headerAt(r io.ReaderAt, offset, end int64) (PageHeader, int, error) {
	left := end - offset
	for size := int64(firstHeaderBytes); ; size *= 4 {
		size = min(size, left, maxHeaderBytes)
		buf := make([]byte, size)
		if err := c.file.readFull(r, buf, offset); err != nil {
			return PageHeader{}, 0, err
		}
		h, n, err := readPageHeader(buf)
		switch {
		case err == nil:
			return h, n, nil
		case errors.Is(err, errShortHeader) && size < min(left, maxHeaderBytes):
			continue
		case errors.Is(err, errShortHeader):
			err = errHeaderCut
		}
		return PageHeader{}, 0, c.corrupt(offset, err)
	}
}

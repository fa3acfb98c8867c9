package fileformat

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// PageLocation is the place of a data page in the file, and its first row.
type PageLocation struct {
	Offset         int64
	CompressedSize int32 // with the page's header; at least 1
	FirstRow       int64 // within the row group
}

// OffsetIndex lists a chunk's data pages in order (PageIndex.md). The pages lie within
// the chunk, one after the other. The first starts with row 0. No page starts with an
// earlier row than the page before it, or after the row group's end. (The format
// demands a later row, but files have pages without rows.)
type OffsetIndex struct {
	Pages                   []PageLocation
	UnencodedByteArrayBytes []int64 // one per page, or nil
}

// Rows is the range of rows [first, end) of page i, within a row group of n rows.
func (x *OffsetIndex) Rows(i int, n int64) (first, end int64) {
	if i+1 < len(x.Pages) {
		n = x.Pages[i+1].FirstRow
	}
	return x.Pages[i].FirstRow, n
}

// OffsetIndex reads the chunk's offset index. It returns nil without an error if the
// chunk has none, or if the index lacks headers or rows.
func (c *ColumnChunk) OffsetIndex(r io.ReaderAt) (*OffsetIndex, error) {
	if c.Locked() || c.OffsetIndexOffset <= 0 || c.OffsetIndexLength <= 0 {
		return nil, nil
	}
	buf, err := c.readStructure(r, offsetIndex, c.OffsetIndexOffset, int64(c.OffsetIndexLength))
	if err != nil {
		return nil, err
	}
	x, err := readOffsetIndex(buf)
	if err == nil && (x.lacksHeaders(c) || x.lacksRows()) {
		return nil, nil
	}
	if err == nil {
		err = x.validate(c)
	}
	if err != nil {
		return nil, c.Corrupt(c.OffsetIndexOffset, fmt.Errorf("offset index: %w", err))
	}
	return x, nil
}

// lacksHeaders reports whether there is a gap after every page: the stated sizes then
// do not include the page headers, as they must. xitongsys/parquet-go v1.6.2 writes
// such sizes; it also counts values instead of rows.
func (x *OffsetIndex) lacksHeaders(c *ColumnChunk) bool {
	end := c.Meta.firstPage() + c.Meta.TotalCompressedSize
	for i := len(x.Pages) - 1; i >= 0; i-- {
		p := x.Pages[i]
		if p.CompressedSize <= 0 || p.Offset < c.Meta.firstPage() || p.Offset >= end || int64(p.CompressedSize) >= end-p.Offset {
			return false
		}
		end = p.Offset
	}
	return len(x.Pages) > 0 && x.Pages[0].FirstRow == 0
}

// lacksRows reports whether there are several pages and all start with row 0, as
// parquetjs-lite writes them.
func (x *OffsetIndex) lacksRows() bool {
	return len(x.Pages) > 1 && !slices.ContainsFunc(x.Pages, func(p PageLocation) bool { return p.FirstRow != 0 })
}

func readOffsetIndex(buf []byte) (*OffsetIndex, error) {
	r := thrift.NewReader(buf)
	x := &OffsetIndex{}
	listed := false
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			n := r.List(f, thrift.Struct)
			listed = r.Matched()
			x.Pages = make([]PageLocation, 0, min(n, r.Left()/minLocationBytes+1))
			for i := 0; i < n && r.Err() == nil; i++ {
				x.Pages = append(x.Pages, readPageLocation(r))
			}
		case 2:
			x.UnencodedByteArrayBytes = readInt64s(r, f)
		default:
			r.Skip(f)
		}
	}
	if !listed {
		r.Failf("page_locations is missing")
	}
	return x, r.Err()
}

// minLocationBytes is the least size of a PageLocation: three fields, each with one
// byte of header and one byte of value, and the end.
const minLocationBytes = 7

func readPageLocation(r *thrift.Reader) PageLocation {
	l := PageLocation{Offset: -1, FirstRow: -1}
	seen := 0
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			l.Offset = r.I64(f)
		case 2:
			l.CompressedSize = r.I32(f)
		case 3:
			l.FirstRow = r.I64(f)
		default:
			r.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 3 && r.Matched() {
			seen |= 1 << f.ID
		}
	}
	if seen != 1<<1|1<<2|1<<3 {
		r.Failf("a PageLocation lacks a required field")
	}
	return l
}

func (x *OffsetIndex) validate(c *ColumnChunk) error {
	start, length, err := c.Range()
	if err != nil {
		return err
	}
	if len(x.Pages) == 0 && c.RowGroup.NumRows > 0 {
		return errors.New("it lists no page")
	}
	at, row := start, int64(0)
	for i, p := range x.Pages {
		if p.CompressedSize <= 0 || p.Offset < at || p.Offset > start+length-int64(p.CompressedSize) {
			return fmt.Errorf("page %d of %d bytes at %d does not fit the chunk", i, p.CompressedSize, p.Offset)
		}
		if p.FirstRow < row || p.FirstRow > c.RowGroup.NumRows || i == 0 && p.FirstRow != 0 {
			return fmt.Errorf("page %d starts with row %d", i, p.FirstRow)
		}
		at, row = p.Offset+int64(p.CompressedSize), p.FirstRow
	}
	if x.UnencodedByteArrayBytes != nil && len(x.UnencodedByteArrayBytes) != len(x.Pages) {
		x.UnencodedByteArrayBytes = nil
	}
	return nil
}

package fileformat

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// ColumnIndex has statistics of each data page (PageIndex.md); entry i belongs
// to page i of the offset index. All lists that are not nil have the same length,
// histograms a multiple of it. The caller checks whether that is the length of the
// offset index, and whether the bounds really follow Boundary.
type ColumnIndex struct {
	Order                ColumnOrder // of the column; what Min and Max follow
	NullPages            []bool      // true: only NULLs; the bounds are then meaningless
	Min, Max             [][]byte    // PLAIN bytes of unverified length
	Boundary             BoundaryOrder
	NullCounts           []int64 // nil where absent: not to be taken for 0
	NaNCounts            []int64 // nil where absent: NaNs may be present
	RepetitionHistograms []int64 // MaxRep+1 per page, or nil
	DefinitionHistograms []int64 // MaxDef+1 per page, or nil
}

// ColumnIndex reads the chunk's column index. It returns nil without an error if the
// chunk has none, or if the index contradicts itself.
func (c *ColumnChunk) ColumnIndex(r io.ReaderAt) (*ColumnIndex, error) {
	if c.Locked() || c.ColumnIndexOffset <= 0 || c.ColumnIndexLength <= 0 {
		return nil, nil
	}
	buf, err := c.readStructure(r, columnIndex, c.ColumnIndexOffset, int64(c.ColumnIndexLength))
	if err != nil {
		return nil, err
	}
	x, err := readColumnIndex(buf)
	if err != nil {
		return nil, c.Corrupt(c.ColumnIndexOffset, fmt.Errorf("column index: %w", err))
	}
	if !x.agrees() || !x.plausible(c) {
		return nil, nil
	}
	x.complete(c)
	return x, nil
}

func readColumnIndex(buf []byte) (*ColumnIndex, error) {
	r := thrift.NewReader(buf)
	x := &ColumnIndex{}
	seen := 0
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			x.NullPages = make([]bool, r.List(f, thrift.True))
			for i := range x.NullPages {
				x.NullPages[i] = r.ElementBool()
			}
		case 2:
			x.Min = readBinaries(r, f)
		case 3:
			x.Max = readBinaries(r, f)
		case 4:
			x.Boundary = BoundaryOrder(r.I32(f))
		case 5:
			x.NullCounts = readInt64s(r, f)
		case 6:
			x.RepetitionHistograms = readInt64s(r, f)
		case 7:
			x.DefinitionHistograms = readInt64s(r, f)
		case 8:
			x.NaNCounts = readInt64s(r, f)
		default:
			r.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 4 && r.Matched() {
			seen |= 1 << f.ID
		}
	}
	if seen != 0x1e {
		r.Failf("a required field is missing")
	}
	return x, r.Err()
}

func readBinaries(r *thrift.Reader, f thrift.Field) [][]byte {
	out := make([][]byte, r.List(f, thrift.Binary))
	for i := range out {
		out[i] = r.ElementBinary()
	}
	return out
}

// agrees is false if the required lists differ in length: some writers list no
// bounds for a chunk with only NULLs, but list its pages as null pages. Which page an
// entry belongs to is then unknown.
func (x *ColumnIndex) agrees() bool {
	return len(x.Min) == len(x.NullPages) && len(x.Max) == len(x.NullPages)
}

// complete adds the order and drops optional lists of a wrong length, which are not
// needed for a right result.
func (x *ColumnIndex) complete(c *ColumnChunk) {
	pages := len(x.NullPages)
	if x.Boundary < Unordered || x.Boundary > Descending {
		x.Boundary = Unordered
	}
	x.Order = c.file.Meta.ColumnOrders[c.Leaf.Leaf]
	x.NullCounts = ofLength(x.NullCounts, pages)
	x.NaNCounts = ofLength(x.NaNCounts, pages)
	x.RepetitionHistograms = ofLength(x.RepetitionHistograms, pages*(c.Leaf.MaxRep+1))
	x.DefinitionHistograms = ofLength(x.DefinitionHistograms, pages*(c.Leaf.MaxDef+1))
}

// plausible is false for the indexes that some writers make without reading the
// values: all pages are null pages, null counts are -1, and the column may even be
// required. Pruning by such an index would lose every row.
func (x *ColumnIndex) plausible(c *ColumnChunk) bool {
	negative := func(n int64) bool { return n < 0 }
	return !slices.ContainsFunc(x.NullCounts, negative) && (c.Leaf.MaxDef > 0 || !slices.Contains(x.NullPages, true))
}

func ofLength(s []int64, n int) []int64 {
	if len(s) != n {
		return nil
	}
	return s
}

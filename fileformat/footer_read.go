package fileformat

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// footerReader turns the footer's bytes into structs (parquet.thrift). It only
// collects what is there; build and link judge how the parts fit together,
// because Thrift does not promise an order of fields.
type footerReader struct {
	*thrift.Reader
	meta       FileMetaData
	elements   []element
	groups     []*RowGroup
	orders     []ColumnOrder
	paths      [][][]byte // by row group: the path_in_schema of each chunk
	chunkPaths [][]byte   // of the current row group
	seen       uint16
	crypto     *cryptoMetaData // encryption_algorithm and footer_signing_key_metadata; nil where absent

	memory, held int64        // Options.Memory, and about what was taken of it
	ticker       quota.Ticker // of elements and chunks
}

// What a footer takes, and what catalogs and plans make of it while garbage waits to be
// collected: a file of a million columns is 19 MB long, and a table of it took a gigabyte.
const (
	footerShare  = 2 // times its bytes
	elementTakes = 1200
	chunkTakes   = 500
	groupTakes   = 300
	pairTakes    = 64
)

// takes notes the memory of a part, and fails where the footer takes too much.
func (r *footerReader) takes(bytes int64) {
	if r.held += bytes; r.memory > 0 && r.held > r.memory {
		r.Fail(errs.ErrMemoryLimit)
	}
	if err := r.ticker.Work(1); err != nil {
		r.Fail(err)
	}
}

// The least number of bytes of a struct with all its required fields. It bounds the
// memory that is allocated for a list before its stated length is known to be true.
const (
	minElementBytes  = 4
	minRowGroupBytes = 7
	minChunkBytes    = 25
)

// capacity returns how many of the n stated elements the input can have at most, and the
// memory.
func (r *footerReader) capacity(n, bytes int, takes int64) int {
	n = min(n, r.Left()/bytes+1)
	if r.memory > 0 {
		n = int(min(int64(n), max(r.memory-r.held, 0)/takes+1))
	}
	return n
}

var errIncomplete = errors.New("FileMetaData lacks a required field")

// fileMetaData reads struct FileMetaData. In a file with encrypted columns and a
// plaintext footer, a signature follows.
func (r *footerReader) fileMetaData() {
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			r.meta.Version = r.I32(f)
		case 2:
			n := r.List(f, thrift.Struct)
			r.elements = make([]element, 0, r.capacity(n, minElementBytes, elementTakes))
			for range n {
				r.takes(elementTakes)
				r.elements = append(r.elements, r.schemaElement())
				if r.Err() != nil {
					return
				}
			}
		case 3:
			r.meta.NumRows = r.I64(f)
		case 4:
			r.rowGroups(f)
		case 5:
			r.meta.KeyValues = r.keyValues(f)
		case 6:
			r.meta.CreatedBy = r.String(f)
		case 7:
			r.columnOrders(f)
		case 8:
			r.cryptoMetaData().algorithm = readAlgorithm(r.Reader, f)
		case 9:
			r.cryptoMetaData().keyMetadata = r.Binary(f)
		default:
			r.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 4 && r.Matched() {
			r.seen |= 1 << f.ID
		}
	}
	if r.seen != 1<<1|1<<2|1<<3|1<<4 {
		r.Fail(errIncomplete)
	}
}

// cryptoMetaData is what to fill with the fields of encryption.
func (r *footerReader) cryptoMetaData() *cryptoMetaData {
	if r.crypto == nil {
		r.crypto = &cryptoMetaData{}
	}
	return r.crypto
}

// minKeyValueBytes is the least size of a KeyValue: the header of its key, the length of
// the key, and the end.
const minKeyValueBytes = 3

// keyValues leaves out what has no key, which is required: a byte would make a KeyValue.
func (r *footerReader) keyValues(f thrift.Field) []KeyValue {
	n := r.List(f, thrift.Struct)
	out := make([]KeyValue, 0, r.capacity(n, minKeyValueBytes, pairTakes))
	for range n {
		var kv KeyValue
		named := false
		for f := (thrift.Field{}); r.Next(&f); {
			switch f.ID {
			case 1:
				kv.Key = r.String(f)
				named = r.Matched()
			case 2:
				kv.Value, kv.HasValue = r.String(f), true
			default:
				r.Skip(f)
			}
		}
		if r.Err() != nil {
			return nil
		}
		if named {
			r.takes(pairTakes)
			out = append(out, kv)
		}
	}
	return out
}

func (r *footerReader) columnOrders(f thrift.Field) {
	n := r.List(f, thrift.Struct)
	r.orders = make([]ColumnOrder, 0, n)
	for range n {
		order := OrderUnknown
		for f := (thrift.Field{}); r.Next(&f); {
			switch f.ID {
			case 1:
				order = OrderType
			case 2:
				order = OrderTotal
			case 3:
				order = OrderInt96
			default:
				order = OrderUnknown
			}
			r.Skip(f)
		}
		if r.Err() != nil {
			return
		}
		r.orders = append(r.orders, order)
	}
}

func (r *footerReader) rowGroups(f thrift.Field) {
	n := r.List(f, thrift.Struct)
	r.groups = make([]*RowGroup, 0, r.capacity(n, minRowGroupBytes, groupTakes))
	r.paths = nil
	for i := 0; i < n && r.Err() == nil; i++ {
		r.takes(groupTakes)
		g := r.rowGroup()
		g.Index = i
		r.groups, r.paths = append(r.groups, g), append(r.paths, r.chunkPaths)
	}
}

// rowGroup reads struct RowGroup.
func (r *footerReader) rowGroup() *RowGroup {
	g := &RowGroup{TotalCompressedSize: -1, ordinal: -1}
	r.chunkPaths = nil
	seen := 0
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			g.Columns = r.chunks(f, g)
		case 2:
			g.TotalByteSize = r.I64(f)
		case 3:
			g.NumRows = r.I64(f)
		case 4:
			g.SortingColumns = r.sortingColumns(f)
		case 6:
			g.TotalCompressedSize = r.I64(f)
		case 7:
			g.ordinal = int(r.I16(f))
		default:
			r.Skip(f)
		}
		if f.ID >= 1 && f.ID <= 3 && r.Matched() {
			seen |= 1 << f.ID
		}
	}
	if seen != 1<<1|1<<2|1<<3 {
		r.Failf("a RowGroup lacks a required field")
	}
	return g
}

// maxSortingColumns bounds the columns by which rows are sorted. The first of them are
// as true without the others.
const maxSortingColumns = 256

func (r *footerReader) sortingColumns(f thrift.Field) []SortingColumn {
	n := r.List(f, thrift.Struct)
	var out []SortingColumn
	for i := 0; i < n && r.Err() == nil; i++ {
		s := SortingColumn{Leaf: -1}
		for f := (thrift.Field{}); r.Next(&f); {
			switch f.ID {
			case 1:
				s.Leaf = int(r.I32(f))
			case 2:
				s.Descending = r.Bool(f)
			case 3:
				s.NullsFirst = r.Bool(f)
			default:
				r.Skip(f)
			}
		}
		if len(out) < maxSortingColumns {
			out = append(out, s)
		}
	}
	return out
}

package fileformat

// FileMetaData is the footer's information about the whole file. The schema and the
// row groups, which the footer also has, are in File.
type FileMetaData struct {
	Version      int32
	NumRows      int64
	KeyValues    []KeyValue
	CreatedBy    string        // as written; empty where absent
	Writer       Writer        // CreatedBy, parsed
	ColumnOrders []ColumnOrder // one per leaf; all OrderUndefined where the file has none
}

// KeyValue is a pair of text that an application left in the file.
type KeyValue struct {
	Key, Value string
	HasValue   bool // the value is optional
}

// ColumnOrder is the order that min_value and max_value follow (union ColumnOrder).
type ColumnOrder uint8

const (
	// OrderUndefined: the file does not say it, so min_value and max_value are
	// meaningless.
	OrderUndefined ColumnOrder = iota
	// OrderType: the order of the logical or else the physical type.
	OrderType
	// OrderTotal: IEEE 754 total order, for floating point.
	OrderTotal
	// OrderInt96: INT96 by instant.
	OrderInt96
	// OrderUnknown: an order of a later version of the format; min_value and
	// max_value must not be used.
	OrderUnknown
)

var orderNames = []string{"undefined", "TYPE_ORDER", "IEEE_754_TOTAL_ORDER", "INT96_TIMESTAMP_ORDER", "unknown"}

func (o ColumnOrder) String() string { return enumName(orderNames, int32(o)) }

// RowGroup is a horizontal slice of the file: a chunk of every leaf column.
type RowGroup struct {
	Index               int   // within the file
	NumRows             int64 // at least 0
	FirstRow            int64 // rows of the file before this group
	TotalByteSize       int64 // uncompressed bytes of all chunks, as the writer states it
	TotalCompressedSize int64 // -1 where absent
	SortingColumns      []SortingColumn
	Columns             []*ColumnChunk // one per leaf, in schema order

	ordinal int // as the file states it; -1 where absent
}

// SortingColumn says that a row group's rows are sorted. If there are several, the
// rows are sorted by the first one first.
type SortingColumn struct {
	Leaf       int // index of the leaf
	Descending bool
	NullsFirst bool
}

// ColumnChunk is one leaf column's values in one row group.
type ColumnChunk struct {
	Leaf     *Node
	RowGroup *RowGroup
	FilePath string // the file that holds the pages, as a summary file has it; empty: this file
	Meta     ColumnMetaData

	// Offsets of the page index; -1 where absent.
	OffsetIndexOffset, ColumnIndexOffset int64
	OffsetIndexLength, ColumnIndexLength int32

	ordinal int32 // among the row group's chunks as the file has them
	file    *File
	crypto  *chunkCrypto // nil where not encrypted
}

// ColumnMetaData describes a chunk's pages (struct ColumnMetaData). Offsets
// and counts are as the file states them: Range validates them.
type ColumnMetaData struct {
	Type                  PhysicalType
	Codec                 Codec
	Encodings             []Encoding
	NumValues             int64 // level entries: NULLs and empty lists count
	TotalUncompressedSize int64 // of all pages with their headers
	TotalCompressedSize   int64 // of all pages with their headers
	DataPageOffset        int64
	IndexPageOffset       int64 // -1 where absent
	DictionaryPageOffset  int64 // -1 where absent
	BloomFilterOffset     int64 // -1 where absent
	BloomFilterLength     int32 // with its header; -1 where absent
	KeyValues             []KeyValue
	EncodingStats         []PageEncodingStats // nil where absent
	SizeStatistics        *SizeStatistics     // nil where absent
	Geospatial            *GeospatialStatistics

	statistics *Statistics
}

// PageEncodingStats counts a chunk's pages of one type and encoding.
type PageEncodingStats struct {
	Type     PageType
	Encoding Encoding
	Count    int32
}

// SizeStatistics helps to estimate memory and counts the values per level.
type SizeStatistics struct {
	UnencodedByteArrayBytes int64   // -1 where absent
	RepetitionHistogram     []int64 // MaxRep+1 counts, or nil
	DefinitionHistogram     []int64 // MaxDef+1 counts, or nil
}

// GeospatialStatistics bounds the shapes of a GEOMETRY or GEOGRAPHY column
// (Geospatial.md).
type GeospatialStatistics struct {
	Box   *BoundingBox // nil where absent
	Types []int32      // WKB type codes that occur; empty where unknown
}

// BoundingBox has the least and greatest coordinate of each axis. XMin may be
// greater than XMax: then the box wraps around the antimeridian.
type BoundingBox struct {
	XMin, XMax, YMin, YMax float64
	HasZ, HasM             bool
	ZMin, ZMax, MMin, MMax float64
}

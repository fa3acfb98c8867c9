package fileformat

import "strconv"

// PhysicalType is how values are stored (parquet.thrift, enum Type).
type PhysicalType int32

// The physical types.
const (
	Boolean PhysicalType = iota
	Int32
	Int64
	Int96Type
	Float
	Double
	ByteArray
	FixedLenByteArray
)

const (
	// noType marks a group, which has no physical type.
	noType PhysicalType = -1
	// unknownType marks a leaf of a type that the specification does not have.
	unknownType PhysicalType = 1<<31 - 1
)

var physicalNames = []string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

func (t PhysicalType) String() string {
	if t == unknownType {
		return "UNKNOWN"
	}
	return enumName(physicalNames, int32(t))
}

// Repetition says how often a field occurs (enum FieldRepetitionType).
type Repetition int32

// The repetitions.
const (
	Required Repetition = iota
	Optional
	Repeated
)

var repetitionNames = []string{"REQUIRED", "OPTIONAL", "REPEATED"}

func (r Repetition) String() string { return enumName(repetitionNames, int32(r)) }

// Encoding is how values or levels are written (enum Encoding; Encodings.md).
type Encoding int32

// The encodings. GroupVarInt was never used by any writer.
const (
	Plain                Encoding = 0
	GroupVarInt          Encoding = 1
	PlainDictionary      Encoding = 2
	RLE                  Encoding = 3
	BitPacked            Encoding = 4
	DeltaBinaryPacked    Encoding = 5
	DeltaLengthByteArray Encoding = 6
	DeltaByteArray       Encoding = 7
	RLEDictionary        Encoding = 8
	ByteStreamSplit      Encoding = 9
	ALP                  Encoding = 10
)

var encodingNames = []string{
	"PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
	"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT", "ALP",
}

func (e Encoding) String() string { return enumName(encodingNames, int32(e)) }

// Codec is how pages are compressed (enum CompressionCodec; Compression.md).
type Codec int32

// The codecs. LZ4 is the deprecated one with Hadoop's framing (or without it),
// LZ4Raw the one that replaced it.
const (
	Uncompressed Codec = iota
	Snappy
	Gzip
	LZO
	Brotli
	LZ4
	Zstd
	LZ4Raw
)

var codecNames = []string{"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"}

func (c Codec) String() string { return enumName(codecNames, int32(c)) }

// PageType is what a page holds (enum PageType).
type PageType int32

// The page types.
const (
	DataPage PageType = iota
	IndexPage
	DictionaryPage
	DataPageV2
)

var pageTypeNames = []string{"DATA_PAGE", "INDEX_PAGE", "DICTIONARY_PAGE", "DATA_PAGE_V2"}

func (t PageType) String() string { return enumName(pageTypeNames, int32(t)) }

// BoundaryOrder says whether the pages' bounds in a column index ascend or
// descend (enum BoundaryOrder).
type BoundaryOrder int32

// The boundary orders.
const (
	Unordered BoundaryOrder = iota
	Ascending
	Descending
)

var boundaryNames = []string{"UNORDERED", "ASCENDING", "DESCENDING"}

func (o BoundaryOrder) String() string { return enumName(boundaryNames, int32(o)) }

// enumName returns the specification's name of a value, or the number if the
// specification has no name for it (yet).
func enumName(names []string, v int32) string {
	if v >= 0 && int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

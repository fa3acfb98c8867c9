package fileformat

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"testing"
)

// These helpers write column chunks byte by byte, for what no writer at hand
// writes: a page header in Thrift's compact protocol, level sections, pages.

func uvarint(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// thriftStruct writes the fields given by appended pieces; last is the last id.
type thriftStruct struct {
	buf  []byte
	last int
}

func (s *thriftStruct) field(id, kind int, value []byte) {
	s.buf = append(append(s.buf, byte(id-s.last)<<4|byte(kind)), value...)
	s.last = id
}

func (s *thriftStruct) i32(id int, v int32) {
	s.field(id, 5, uvarint(uint64(uint32(v<<1)^uint32(v>>31))))
}

func (s *thriftStruct) boolean(id int, v bool) { s.field(id, map[bool]int{true: 1, false: 2}[v], nil) }

func (s *thriftStruct) end() []byte { return append(s.buf, 0) }

// encodeHeader is the reverse of readPageHeader.
func encodeHeader(h PageHeader) []byte {
	var s, part thriftStruct
	s.i32(1, int32(h.Type))
	s.i32(2, h.UncompressedSize)
	s.i32(3, h.CompressedSize)
	if h.HasCRC {
		s.i32(4, int32(h.CRC))
	}
	part.i32(1, h.NumValues)
	switch h.Type {
	case DataPage:
		part.i32(2, int32(h.Encoding))
		part.i32(3, int32(h.DefEncoding))
		part.i32(4, int32(h.RepEncoding))
		s.field(5, 12, part.end())
	case IndexPage:
		s.field(6, 12, []byte{0})
	case DictionaryPage:
		part.i32(2, int32(h.Encoding))
		s.field(7, 12, part.end())
	case DataPageV2:
		part.i32(2, h.NumNulls)
		part.i32(3, h.NumRows)
		part.i32(4, int32(h.Encoding))
		part.i32(5, h.DefLength)
		part.i32(6, h.RepLength)
		part.boolean(7, h.IsCompressed)
		s.field(8, 12, part.end())
	}
	return s.end()
}

// testPage is a page to be written. Sizes that are 0 become those of body.
type testPage struct {
	PageHeader
	body []byte
}

// testChunk is a chunk to be written.
type testChunk struct {
	leaf   Node
	codec  Codec
	rows   int64
	values int64 // 0: as many as rows
	verify bool
	writer Writer
	pages  []testPage
	// dictionaryOffset is of DictionaryPageOffset; 0: none
	dictionaryOffset int64
}

// build writes the chunk behind a magic number; offsets are of the pages.
func (c *testChunk) build() (chunk *ColumnChunk, file []byte, offsets []int64) {
	file = []byte("PAR1")
	uncompressed := int64(0)
	for _, p := range c.pages {
		h := p.PageHeader
		if h.CompressedSize == 0 {
			h.CompressedSize = int32(len(p.body))
		}
		if h.UncompressedSize == 0 {
			h.UncompressedSize = int32(len(p.body))
		}
		offsets = append(offsets, int64(len(file)))
		file = append(append(file, encodeHeader(h)...), p.body...)
		uncompressed += int64(h.UncompressedSize)
	}
	return c.chunk(int64(len(file)), uncompressed), file, offsets
}

func (c *testChunk) chunk(end, uncompressed int64) *ColumnChunk {
	leaf := c.leaf
	leaf.Path = []string{"c"}
	f := &File{Meta: &FileMetaData{Writer: c.writer}, options: Options{Name: "test", VerifyChecksums: c.verify}, size: end + 8, dataEnd: end}
	g := &RowGroup{NumRows: c.rows}
	values := c.values
	if values == 0 {
		values = c.rows
	}
	return &ColumnChunk{
		Leaf: &leaf, RowGroup: g, file: f,
		Meta: ColumnMetaData{
			Type: leaf.Physical, Codec: c.codec, NumValues: values,
			TotalCompressedSize: end - 4, TotalUncompressedSize: uncompressed,
			DataPageOffset: 4, DictionaryPageOffset: c.dictionaryOffset,
		},
		OffsetIndexOffset: -1, ColumnIndexOffset: -1,
	}
}

// reader builds the chunk and opens it.
func (c *testChunk) reader(t testing.TB, o ReadOptions) *LeafReader {
	t.Helper()
	chunk, file, _ := c.build()
	if o.Source == nil {
		o.Source = bytes.NewReader(file)
	}
	r, err := chunk.NewReader(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func int32s(values ...int32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

func byteArrays(values ...string) []byte {
	var b []byte
	for _, v := range values {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return b
}

// runs writes values as runs of the RLE hybrid, each value of one byte.
func runs(values ...uint8) []byte {
	var b []byte
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		b = append(append(b, uvarint(uint64(n)<<1)...), values[i])
		i += n
	}
	return b
}

// prefixed puts the length before a level section, as V1 pages have it.
func prefixed(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// codesOf writes dictionary codes of one byte.
func codesOf(codes ...uint8) []byte { return append([]byte{8}, runs(codes...)...) }

// msbPacked writes values in the deprecated BIT_PACKED encoding.
func msbPacked(width int, values ...uint8) []byte {
	out := make([]byte, (width*len(values)+7)/8)
	for i, v := range values {
		for k := range width {
			if v>>(width-1-k)&1 != 0 {
				at := i*width + k
				out[at/8] |= 0x80 >> (at % 8)
			}
		}
	}
	return out
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func v1(values int, e Encoding, body []byte) testPage {
	return testPage{PageHeader{Type: DataPage, NumValues: int32(values), Encoding: e, DefEncoding: RLE, RepEncoding: RLE}, body}
}

func dictPage(entries int, body []byte) testPage {
	return testPage{PageHeader{Type: DictionaryPage, NumValues: int32(entries), Encoding: Plain}, body}
}

func withCRC(p testPage) testPage {
	p.HasCRC, p.CRC = true, crc32.ChecksumIEEE(p.body)
	return p
}

var (
	requiredInt  = Node{Name: "c", Physical: Int32}
	optionalInt  = Node{Name: "c", Physical: Int32, Repetition: Optional, MaxDef: 1}
	repeatedInt  = Node{Name: "c", Physical: Int32, Repetition: Repeated, MaxDef: 1, MaxRep: 1}
	requiredText = Node{Name: "c", Physical: ByteArray}
	optionalText = Node{Name: "c", Physical: ByteArray, Repetition: Optional, MaxDef: 1}
)

// recorder notes what is read.
type recorder struct {
	io.ReaderAt
	reads [][2]int64 // from, to
}

func (r *recorder) ReadAt(p []byte, off int64) (int, error) {
	r.reads = append(r.reads, [2]int64{off, off + int64(len(p))})
	return r.ReaderAt.ReadAt(p, off)
}

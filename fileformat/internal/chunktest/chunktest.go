// Package chunktest writes column chunks byte by byte: page headers in Thrift's
// compact protocol, level sections, pages. Tests use it for chunks that no available
// writer produces.
package chunktest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
)

// Uvarint encodes an unsigned variable-length number.
func Uvarint(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// thriftStruct writes the fields of a struct; last is the id of the last field written.
type thriftStruct struct {
	buf  []byte
	last int
}

func (s *thriftStruct) field(id, kind int, value []byte) {
	s.buf = append(append(s.buf, byte(id-s.last)<<4|byte(kind)), value...)
	s.last = id
}

func (s *thriftStruct) i32(id int, v int32) {
	s.field(id, 5, Uvarint(uint64(uint32(v<<1)^uint32(v>>31))))
}

func (s *thriftStruct) boolean(id int, v bool) { s.field(id, map[bool]int{true: 1, false: 2}[v], nil) }

func (s *thriftStruct) end() []byte { return append(s.buf, 0) }

// EncodeHeader is the inverse of fileformat.ParsePageHeader.
func EncodeHeader(h fileformat.PageHeader) []byte {
	var s, part thriftStruct
	s.i32(1, int32(h.Type))
	s.i32(2, h.UncompressedSize)
	s.i32(3, h.CompressedSize)
	if h.HasCRC {
		s.i32(4, int32(h.CRC))
	}
	part.i32(1, h.NumValues)
	switch h.Type {
	case fileformat.DataPage:
		part.i32(2, int32(h.Encoding))
		part.i32(3, int32(h.DefEncoding))
		part.i32(4, int32(h.RepEncoding))
		s.field(5, 12, part.end())
	case fileformat.IndexPage:
		s.field(6, 12, []byte{0})
	case fileformat.DictionaryPage:
		part.i32(2, int32(h.Encoding))
		s.field(7, 12, part.end())
	case fileformat.DataPageV2:
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

// Page is a page to be written. Sizes that are 0 become those of body.
type Page struct {
	fileformat.PageHeader
	Body []byte
}

// Chunk is a chunk to be written.
type Chunk struct {
	Leaf   fileformat.Node
	Codec  fileformat.Codec
	Rows   int64
	Values int64 // 0: as many as rows
	Verify bool  // checksums
	Writer fileformat.Writer
	Pages  []Page
	// DictionaryOffset is the metadata's DictionaryPageOffset; 0: none
	DictionaryOffset int64
}

// Build writes a magic number and then the chunk; offsets are those of the pages.
func (c *Chunk) Build() (chunk *fileformat.ColumnChunk, file []byte, offsets []int64) {
	file = []byte("PAR1")
	uncompressed := int64(0)
	for _, p := range c.Pages {
		h := p.PageHeader
		if h.CompressedSize == 0 {
			h.CompressedSize = int32(len(p.Body))
		}
		if h.UncompressedSize == 0 {
			h.UncompressedSize = int32(len(p.Body))
		}
		offsets = append(offsets, int64(len(file)))
		file = append(append(file, EncodeHeader(h)...), p.Body...)
		uncompressed += int64(h.UncompressedSize)
	}
	return c.Metadata(int64(len(file)), uncompressed), file, offsets
}

// Metadata describes a chunk whose pages reach up to end.
func (c *Chunk) Metadata(end, uncompressed int64) *fileformat.ColumnChunk {
	leaf := c.Leaf
	leaf.Path = []string{"c"}
	g := &fileformat.RowGroup{NumRows: c.Rows}
	values := c.Values
	if values == 0 {
		values = c.Rows
	}
	chunk := &fileformat.ColumnChunk{
		Leaf: &leaf, RowGroup: g,
		Meta: fileformat.ColumnMetaData{
			Type: leaf.Physical, Codec: c.Codec, NumValues: values,
			TotalCompressedSize: end - 4, TotalUncompressedSize: uncompressed,
			DataPageOffset: 4, DictionaryPageOffset: c.DictionaryOffset,
		},
		OffsetIndexOffset: -1, ColumnIndexOffset: -1,
	}
	g.Columns = []*fileformat.ColumnChunk{chunk}
	meta := &fileformat.FileMetaData{Writer: c.Writer}
	fileformat.NewFile(meta, &fileformat.Schema{}, []*fileformat.RowGroup{g}, end+8, fileformat.Options{Name: "test", VerifyChecksums: c.Verify})
	return chunk
}

// Int32s writes values in PLAIN.
func Int32s(values ...int32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// ByteArrays writes values in PLAIN.
func ByteArrays(values ...string) []byte {
	var b []byte
	for _, v := range values {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return b
}

// Runs writes values of one byte each as runs of the RLE hybrid.
func Runs(values ...uint8) []byte {
	var b []byte
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		b = append(append(b, Uvarint(uint64(n)<<1)...), values[i])
		i += n
	}
	return b
}

// Prefixed writes a level section after its length, as in V1 pages.
func Prefixed(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// Codes writes dictionary codes of one byte.
func Codes(codes ...uint8) []byte { return append([]byte{8}, Runs(codes...)...) }

// MSBPacked writes values in the deprecated BIT_PACKED encoding.
func MSBPacked(width int, values ...uint8) []byte {
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

// Join puts parts of a page together.
func Join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// V1 is a data page of version 1.
func V1(values int, e fileformat.Encoding, body []byte) Page {
	return Page{fileformat.PageHeader{Type: fileformat.DataPage, NumValues: int32(values), Encoding: e, DefEncoding: fileformat.RLE, RepEncoding: fileformat.RLE}, body}
}

// Dictionary is a dictionary page.
func Dictionary(entries int, body []byte) Page {
	return Page{fileformat.PageHeader{Type: fileformat.DictionaryPage, NumValues: int32(entries), Encoding: fileformat.Plain}, body}
}

// WithCRC returns the page with its checksum.
func WithCRC(p Page) Page {
	p.HasCRC, p.CRC = true, crc32.ChecksumIEEE(p.Body)
	return p
}

// Columns of one leaf.
var (
	RequiredInt  = fileformat.Node{Name: "c", Physical: fileformat.Int32}
	OptionalInt  = fileformat.Node{Name: "c", Physical: fileformat.Int32, Repetition: fileformat.Optional, MaxDef: 1}
	RepeatedInt  = fileformat.Node{Name: "c", Physical: fileformat.Int32, Repetition: fileformat.Repeated, MaxDef: 1, MaxRep: 1}
	RequiredText = fileformat.Node{Name: "c", Physical: fileformat.ByteArray}
	OptionalText = fileformat.Node{Name: "c", Physical: fileformat.ByteArray, Repetition: fileformat.Optional, MaxDef: 1}
)

// Recorder notes which ranges are read.
type Recorder struct {
	io.ReaderAt
	Reads [][2]int64 // from, to
}

func (r *Recorder) ReadAt(p []byte, off int64) (int, error) {
	r.Reads = append(r.Reads, [2]int64{off, off + int64(len(p))})
	return r.ReaderAt.ReadAt(p, off)
}

// Of returns a page with any header and body.
func Of(h fileformat.PageHeader, body []byte) Page { return Page{PageHeader: h, Body: body} }

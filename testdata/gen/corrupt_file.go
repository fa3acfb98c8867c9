package main

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// The values of the format's enumerations that are used here (parquet.thrift).
const (
	typeBoolean, typeInt32, typeInt64, typeInt96, typeFloat, typeDouble, typeBytes, typeFixed int32 = 0, 1, 2, 3, 4, 5, 6, 7

	required, optional, repeated int32 = 0, 1, 2

	plain, plainDictionary, rle, bitPacked, deltaBinary, deltaLength, deltaBytes, rleDictionary, byteStreamSplit, alp int32 = 0, 2, 3, 4, 5, 6, 7, 8, 9, 10

	uncompressed, snappy, gzipped, lzo, brotli, lz4, zstd, lz4Raw int32 = 0, 1, 2, 3, 4, 5, 6, 7

	dataPage, indexPage, dictionaryPage, dataPageV2 int32 = 0, 1, 2, 3
)

// layout describes a Parquet file to be written. Fields that follow from the
// contents are computed; the fields in more then replace them.
type layout struct {
	schema []fields // all elements but the root, depth first
	root   []field  // of the root element
	groups []group
	more   []field // of FileMetaData
}

type group struct {
	rows   int64
	chunks []chunk
	more   []field // of RowGroup
}

type chunk struct {
	path        []string
	kind, codec int32
	pages       []page
	meta        []field // of ColumnMetaData
	more        []field // of ColumnChunk

	offsetIndex func([]location) fields // nil: none
	columnIndex fields
	bloom       []byte // header and bits
}

// location is where a data page is in the file.
type location struct {
	offset    int64
	size      int32 // with its header
	row, rows int64
}

// page describes a page to be written. If the levels of a V1 page are encoded as
// rle, their length is added before them. pack compresses the part that the format
// compresses.
type page struct {
	kind, encoding int32
	values, rows   int32
	nulls          int32 // V2
	rep, def, data []byte
	levels         int32 // V1: encoding of both levels
	pack           func([]byte) []byte
	crc            bool
	more, part     []field // of PageHeader and of the header of its kind
}

// headerField is the field of PageHeader that has the header of a kind of page.
var headerField = map[int32]int{dataPage: 5, indexPage: 6, dictionaryPage: 7, dataPageV2: 8}

// bytes is the page with its header; size is that of both, uncompressed.
func (p page) bytes() (out []byte, size int64) {
	pack := p.pack
	if pack == nil {
		pack = func(b []byte) []byte { return b }
	}
	var stored []byte
	plainSize := len(p.rep) + len(p.def) + len(p.data)
	if p.kind == dataPageV2 {
		stored = join(p.rep, p.def, pack(p.data))
	} else {
		body := join(p.section(p.rep), p.section(p.def), p.data)
		stored, plainSize = pack(body), len(body)
	}
	header := fields{{1, p.kind}, {2, int32(plainSize)}, {3, int32(len(stored))}}
	if p.crc {
		header = append(header, field{4, int32(crc32.ChecksumIEEE(stored))})
	}
	if id := headerField[p.kind]; id != 0 {
		header = append(header, field{id, p.header().with(p.part...)})
	}
	header = header.with(p.more...)
	b := header.bytes()
	return append(b, stored...), int64(len(b) + plainSize)
}

func (p page) section(levels []byte) []byte {
	if levels == nil || p.levels != rle {
		return levels
	}
	return prefixed(levels)
}

func (p page) header() fields {
	switch p.kind {
	case dataPage:
		return fields{{1, p.values}, {2, p.encoding}, {3, p.levels}, {4, p.levels}}
	case dictionaryPage:
		return fields{{1, p.values}, {2, p.encoding}}
	case dataPageV2:
		return fields{{1, p.values}, {2, p.nulls}, {3, p.rows}, {4, p.encoding}, {5, int32(len(p.def))}, {6, int32(len(p.rep))}, {7, p.pack != nil}}
	}
	return nil
}

// bytes is the whole file.
func (f layout) bytes() []byte {
	out := []byte("PAR1")
	var groups []any
	var rows int64
	metas := make([][]fields, len(f.groups)) // their ColumnMetaData
	locations := make([][][]location, len(f.groups))
	for i, g := range f.groups {
		for _, c := range g.chunks {
			var meta fields
			var at []location
			out, meta, at = c.append(out)
			metas[i], locations[i] = append(metas[i], meta), append(locations[i], at)
		}
	}
	for i, g := range f.groups {
		total := int64(0)
		var columns []any
		for k, c := range g.chunks {
			var extra, chunkMeta []field
			out, extra, chunkMeta = c.appendIndexes(out, locations[i][k])
			total += metas[i][k][5].value.(int64)
			meta := metas[i][k].with(chunkMeta...).with(c.meta...)
			columns = append(columns, fields{{2, int64(0)}, {3, meta}}.with(extra...).with(c.more...))
		}
		groups = append(groups, fields{{1, list{of: wireStruct, items: columns}}, {2, total}, {3, g.rows}}.with(g.more...))
		rows += g.rows
	}
	meta := fields{{1, int32(1)}, {2, f.elements()}, {3, rows}, {4, list{of: wireStruct, items: groups}}, {6, "crafted by hand"}}
	return finish(out, meta.with(f.more...).bytes())
}

// finish appends the footer to the pages.
func finish(pages, footer []byte) []byte {
	out := append(slices.Clone(pages), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

// elements is the schema: the root's children are all elements that are in no group.
func (f layout) elements() list {
	top, skip := int32(0), int32(0)
	for _, e := range f.schema {
		if skip == 0 {
			top++
		} else {
			skip--
		}
		for _, v := range e {
			if v.id == 5 {
				skip += v.value.(int32)
			}
		}
	}
	root := fields{{4, "schema"}, {5, top}}.with(f.root...)
	return listOf(wireStruct, append([]fields{root}, f.schema...)...)
}

// append writes the chunk's pages and derives its ColumnMetaData.
func (c chunk) append(out []byte) ([]byte, fields, []location) {
	start, dataOffset, dictionaryOffset := int64(len(out)), int64(-1), int64(-1)
	var values, size, row int64
	var at []location
	for _, p := range c.pages {
		b, n := p.bytes()
		offset := int64(len(out))
		switch p.kind {
		case dataPage, dataPageV2:
			if dataOffset < 0 {
				dataOffset = offset
			}
			at = append(at, location{offset, int32(len(b)), row, int64(p.rows)})
			row += int64(p.rows)
			values += int64(p.values)
		case dictionaryPage:
			if dictionaryOffset < 0 {
				dictionaryOffset = offset
			}
		}
		size += n
		out = append(out, b...)
	}
	meta := fields{
		{1, c.kind}, {2, listOf(wireI32, plain, rle)}, {3, listOf(wireBinary, c.path...)}, {4, c.codec}, {5, values},
		{6, size}, {7, int64(len(out)) - start}, {9, max(dataOffset, start)},
	}
	if dictionaryOffset >= 0 {
		meta = append(meta, field{11, dictionaryOffset})
	}
	return out, meta, at
}

// appendIndexes writes what follows the pages. extra are the fields for
// ColumnChunk, meta those for ColumnMetaData.
func (c chunk) appendIndexes(out []byte, at []location) (_ []byte, extra, meta []field) {
	if c.columnIndex != nil {
		b := c.columnIndex.bytes()
		extra = append(extra, field{6, int64(len(out))}, field{7, int32(len(b))})
		out = append(out, b...)
	}
	if c.offsetIndex != nil {
		b := c.offsetIndex(at).bytes()
		extra = append(extra, field{4, int64(len(out))}, field{5, int32(len(b))})
		out = append(out, b...)
	}
	if c.bloom != nil {
		meta = append(meta, field{14, int64(len(out))}, field{15, int32(len(c.bloom))})
		out = append(out, c.bloom...)
	}
	return out, extra, meta
}

// element is a SchemaElement of a leaf.
func element(name string, kind, repetition int32, more ...field) fields {
	return fields{{1, kind}, {3, repetition}, {4, name}}.with(more...)
}

// groupOf is a SchemaElement of a group.
func groupOf(name string, repetition, children int32, more ...field) fields {
	return fields{{3, repetition}, {4, name}, {5, children}}.with(more...)
}

// logical is a field of SchemaElement: a LogicalType with the given member.
func logical(member int, parameters ...field) field {
	return field{10, fields{{member, fields(parameters)}}}
}

// converted is the deprecated annotation.
func converted(t int32) field { return field{6, t} }

// offsets is the true offset index.
func offsets(at []location) fields {
	var pages []fields
	for _, l := range at {
		pages = append(pages, fields{{1, l.offset}, {2, l.size}, {3, l.row}})
	}
	return fields{{1, listOf(wireStruct, pages...)}}
}

package fileformat

import "github.com/parquetsql/parquetsql/fileformat/internal/thrift"

// chunks reads list<ColumnChunk> and notes their paths. All chunks of a row
// group are one allocation.
func (r *footerReader) chunks(f thrift.Field, g *RowGroup) []*ColumnChunk {
	n := r.List(f, thrift.Struct)
	r.chunkPaths = nil
	all := make([]ColumnChunk, 0, r.capacity(n, minChunkBytes, chunkTakes))
	for i := 0; i < n && r.Err() == nil; i++ {
		r.takes(chunkTakes)
		all = append(all, ColumnChunk{
			RowGroup: g, OffsetIndexOffset: -1, OffsetIndexLength: -1, ColumnIndexOffset: -1, ColumnIndexLength: -1,
			Meta: noMetaData(), ordinal: int32(i),
		})
		r.chunkPaths = append(r.chunkPaths, r.chunk(&all[i]))
	}
	out := make([]*ColumnChunk, len(all))
	for i := range all {
		out[i] = &all[i]
	}
	return out
}

func noMetaData() ColumnMetaData {
	return ColumnMetaData{IndexPageOffset: -1, DictionaryPageOffset: -1, BloomFilterOffset: -1, BloomFilterLength: -1}
}

// chunk reads struct ColumnChunk. path is its path_in_schema as it is in the
// footer, nil where absent.
func (r *footerReader) chunk(c *ColumnChunk) (path []byte) {
	described := false
	var column []byte // the path_in_schema of crypto_metadata
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			c.FilePath = r.String(f)
		case 3:
			path, described = r.columnMetaData(f, &c.Meta)
		case 4:
			c.OffsetIndexOffset = r.I64(f)
		case 5:
			c.OffsetIndexLength = r.I32(f)
		case 6:
			c.ColumnIndexOffset = r.I64(f)
		case 7:
			c.ColumnIndexLength = r.I32(f)
		case 8:
			if c.crypto == nil {
				c.crypto = &chunkCrypto{}
			}
			column = r.columnCrypto(f, c.crypto)
		case 9:
			if c.crypto == nil {
				c.crypto = &chunkCrypto{}
			}
			c.crypto.metadata = r.Binary(f)
		default:
			r.Skip(f)
		}
	}
	switch {
	case described:
	case c.crypto == nil || c.crypto.metadata == nil:
		r.Failf("a ColumnChunk lacks its meta_data")
	default:
		path = column
	}
	return path
}

// columnMetaData reads struct ColumnMetaData.
func (r *footerReader) columnMetaData(f thrift.Field, m *ColumnMetaData) (path []byte, ok bool) {
	if !r.Struct(f) {
		return nil, false
	}
	seen := 0
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			m.Type = PhysicalType(r.I32(f))
		case 2:
			m.Encodings = r.encodings(f)
		case 3:
			path = r.pathInSchema(f)
		case 4:
			m.Codec = Codec(r.I32(f))
		case 5:
			m.NumValues = r.I64(f)
		case 6:
			m.TotalUncompressedSize = r.I64(f)
		case 7:
			m.TotalCompressedSize = r.I64(f)
		case 9:
			m.DataPageOffset = r.I64(f)
		default:
			r.optionalMetaData(f, m)
		}
		if f.ID >= 1 && f.ID <= 9 && r.Matched() {
			seen |= 1 << f.ID
		}
	}
	// path_in_schema (3) and encodings (2) are required too, but nothing is lost without them.
	if required := 1<<1 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<9; seen&required != required {
		r.Failf("a ColumnMetaData lacks a required field")
	}
	return path, true
}

// pathInSchema returns a path as it is in the footer, nil if it is none.
func (r *footerReader) pathInSchema(f thrift.Field) []byte {
	start := r.Pos()
	n := r.List(f, thrift.Binary)
	for i := 0; i < n && r.Err() == nil; i++ {
		r.ElementBinary()
	}
	if r.Err() != nil || !r.Matched() {
		return nil
	}
	return r.Since(start)
}

// optionalMetaData reads an optional field of ColumnMetaData.
func (r *footerReader) optionalMetaData(f thrift.Field, m *ColumnMetaData) {
	switch f.ID {
	case 8:
		m.KeyValues = r.keyValues(f)
	case 10:
		m.IndexPageOffset = r.I64(f)
	case 11:
		m.DictionaryPageOffset = r.I64(f)
	case 12:
		m.statistics = readStatistics(r.Reader, f)
	case 13:
		m.EncodingStats = r.encodingStats(f)
	case 14:
		m.BloomFilterOffset = r.I64(f)
	case 15:
		m.BloomFilterLength = r.I32(f)
	case 16:
		m.SizeStatistics = r.sizeStatistics(f)
	case 17:
		m.Geospatial = r.geospatial(f)
	default:
		r.Skip(f)
	}
}

func (r *footerReader) encodings(f thrift.Field) []Encoding {
	n := r.List(f, thrift.I32)
	out := make([]Encoding, 0, n)
	for range n {
		out = append(out, Encoding(r.ElementI32()))
	}
	return out
}

// maxEncodingStats is more than there are pairs of a page type and an encoding. A longer
// list is as good as none.
const maxEncodingStats = 256

func (r *footerReader) encodingStats(f thrift.Field) []PageEncodingStats {
	n := r.List(f, thrift.Struct)
	out := make([]PageEncodingStats, 0, min(n, maxEncodingStats))
	for i := 0; i < n && r.Err() == nil; i++ {
		var s PageEncodingStats
		for f := (thrift.Field{}); r.Next(&f); {
			switch f.ID {
			case 1:
				s.Type = PageType(r.I32(f))
			case 2:
				s.Encoding = Encoding(r.I32(f))
			case 3:
				s.Count = r.I32(f)
			default:
				r.Skip(f)
			}
		}
		if len(out) < maxEncodingStats {
			out = append(out, s)
		}
	}
	if n > maxEncodingStats {
		return nil
	}
	return out
}

func (r *footerReader) sizeStatistics(f thrift.Field) *SizeStatistics {
	if !r.Struct(f) {
		return nil
	}
	s := &SizeStatistics{UnencodedByteArrayBytes: -1}
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			s.UnencodedByteArrayBytes = r.I64(f)
		case 2:
			s.RepetitionHistogram = readInt64s(r.Reader, f)
		case 3:
			s.DefinitionHistogram = readInt64s(r.Reader, f)
		default:
			r.Skip(f)
		}
	}
	return s
}

// readInt64s reads list<i64>. Each element takes at least one byte, so the slice is
// at most eight times as large as the input.
func readInt64s(r *thrift.Reader, f thrift.Field) []int64 {
	out := make([]int64, r.List(f, thrift.I64))
	for i := range out {
		out[i] = r.ElementI64()
	}
	return out
}

func (r *footerReader) geospatial(f thrift.Field) *GeospatialStatistics {
	if !r.Struct(f) {
		return nil
	}
	s := &GeospatialStatistics{}
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			s.Box = r.boundingBox(f)
		case 2:
			n := r.List(f, thrift.I32)
			for range n {
				s.Types = append(s.Types, r.ElementI32())
			}
		default:
			r.Skip(f)
		}
	}
	return s
}

func (r *footerReader) boundingBox(f thrift.Field) *BoundingBox {
	if !r.Struct(f) {
		return nil
	}
	b := &BoundingBox{}
	seen := 0
	for f := (thrift.Field{}); r.Next(&f); {
		axes := [...]*float64{&b.XMin, &b.XMax, &b.YMin, &b.YMax, &b.ZMin, &b.ZMax, &b.MMin, &b.MMax}
		if f.ID < 1 || int(f.ID) > len(axes) {
			r.Skip(f)
			continue
		}
		*axes[f.ID-1] = r.Double(f)
		if r.Matched() {
			seen |= 1 << (f.ID - 1)
		}
	}
	b.HasZ, b.HasM = seen&0x30 == 0x30, seen&0xc0 == 0xc0
	if seen&0xf != 0xf {
		return nil
	}
	return b
}

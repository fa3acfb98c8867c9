package system

import (
	"context"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// The nested types of parquet_metadata.
var (
	texts = vector.ListOf(vector.Field{Name: "item", Type: vector.Of(vector.Varchar), Nullable: true})
	pairs = vector.Type{Kind: vector.Map, Fields: []vector.Field{
		{Name: "key", Type: vector.Of(vector.Blob)}, {Name: "value", Type: vector.Of(vector.Blob), Nullable: true},
	}}
	box = boxType("xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "mmin", "mmax")
)

func boxType(names ...string) vector.Type {
	t := vector.Of(vector.Struct)
	for _, name := range names {
		t.Fields = append(t.Fields, vector.Field{Name: name, Type: vector.Of(vector.Double), Nullable: true})
	}
	return t
}

// duckChunksTable has one row per column chunk. What a missing key hides is NULL.
func duckChunksTable(t *files.Set) systemDefinition {
	columns := systemColumns("file_name:t row_group_id:n row_group_num_rows:n row_group_num_columns:n row_group_bytes:n column_id:n file_offset:n " +
		"num_values:n? path_in_schema:t type:t stats_min:t? stats_max:t? stats_null_count:n? stats_distinct_count:n? stats_min_value:t? stats_max_value:t? " +
		"compression:t? encodings:t? index_page_offset:n? dictionary_page_offset:n? data_page_offset:n? total_compressed_size:n? total_uncompressed_size:n?")
	flag := vector.Of(vector.Boolean)
	columns = append(columns, scan.Column{Name: "key_value_metadata", Type: pairs, Nullable: true})
	columns = append(columns, systemColumns("bloom_filter_offset:n? bloom_filter_length:n?")...)
	columns = append(columns, scan.Column{Name: "min_is_exact", Type: flag, Nullable: true}, scan.Column{Name: "max_is_exact", Type: flag, Nullable: true})
	columns = append(columns, systemColumns("row_group_compressed_bytes:n?")...)
	columns = append(columns, scan.Column{Name: "geo_bbox", Type: box, Nullable: true}, scan.Column{Name: "geo_types", Type: texts, Nullable: true})
	return systemDefinition{columns: columns, rows: func(ctx context.Context, emit func(row) error) error {
		return eachChunk(ctx, t, func(f *files.File, _ *files.OpenFile, c *fileformat.ColumnChunk) error {
			return emit(duckChunk(f, c))
		})
	}}
}

func duckChunk(f *files.File, c *fileformat.ColumnChunk) row {
	g, m := c.RowGroup, &c.Meta
	out := row{
		text(f.Path), number(int64(g.Index)), number(g.NumRows), number(int64(len(g.Columns))), number(g.TotalByteSize), number(int64(c.Leaf.Leaf)), number(0),
		noNumber, text(strings.Join(c.Leaf.Path, ", ")), text(c.Leaf.Physical.String()),
	}
	if described(c) {
		out[7] = number(m.NumValues)
	}
	s := c.Statistics()
	if s == nil {
		s = &fileformat.Statistics{NullCount: -1, DistinctCount: -1}
	}
	bound := func(plain []byte) vector.Scalar { return duckBound(f, c.Leaf, plain) }
	out = append(out, bound(s.DeprecatedMin), bound(s.DeprecatedMax), orNull(s.NullCount), orNull(s.DistinctCount), bound(s.Min), bound(s.Max))
	if described(c) {
		names := make([]string, len(m.Encodings))
		for i, e := range m.Encodings {
			names[i] = e.String()
		}
		out = append(out, text(m.Codec.String()), text(strings.Join(names, ", ")), orNull(m.IndexPageOffset), orNull(m.DictionaryPageOffset),
			number(m.DataPageOffset), number(m.TotalCompressedSize), number(m.TotalUncompressedSize), pairMap(m.KeyValues))
	} else {
		out = append(out, noText, noText, noNumber, noNumber, noNumber, noNumber, noNumber, vector.NullOf(pairs))
	}
	return append(out, orNull(m.BloomFilterOffset), orNull(int64(m.BloomFilterLength)), exact(s.MinExact), exact(s.MaxExact), orNull(compressedSize(g)),
		geoBox(c), geoTypes(c))
}

// duckBound is a bound as DuckDB writes it.
func duckBound(f *files.File, leaf *fileformat.Node, plain []byte) vector.Scalar {
	s := boundText(f, leaf, plain)
	if s.Null {
		return s
	}
	switch t := nested.TypeOf(leaf, f.NestedOptions()); {
	case t.IsFloat() && !strings.ContainsAny(s.Str, ".eNI"):
		s.Str += ".0"
	case t.IsTimestamp():
		s.Str = strings.Replace(strings.Replace(s.Str, "T", " ", 1), "Z", "+00", 1)
	case t.Kind == vector.Time:
		s.Str = strings.TrimSuffix(strings.TrimRight(s.Str, "0"), ".")
		if len(s.Str) < len("00:00:00") {
			s.Str += "00:00:00"[len(s.Str):]
		}
	case t.Kind == vector.Blob:
		var text []byte
		for _, b := range plain {
			if b < ' ' || b > '~' || b == '\\' || b == '\'' || b == '"' {
				text = fmt.Appendf(text, "\\x%02X", b)
			} else {
				text = append(text, b)
			}
		}
		s.Str = string(text)
	}
	return s
}

// exact is whether a bound is a value of the column, NULL where the file does not say.
func exact(e fileformat.Exactness) vector.Scalar {
	if e == fileformat.ExactUnknown {
		return vector.NullOf(vector.Of(vector.Boolean))
	}
	return vector.BoolScalar(e == fileformat.Exact)
}

// geoBox is the bounding box of a chunk as a struct.
func geoBox(c *fileformat.ColumnChunk) vector.Scalar {
	if c.Locked() || c.Meta.Geospatial == nil || c.Meta.Geospatial.Box == nil {
		return vector.NullOf(box)
	}
	v := &vector.Vector{Type: box, Len: 1}
	for _, bound := range geospatialRow(c)[:len(box.Fields)] {
		v.Children = append(v.Children, values(bound.Type, bound))
	}
	return vector.Scalar{Type: box, Nested: v}
}

// geoTypes is the types of a chunk's geometries: point_zm.
func geoTypes(c *fileformat.ColumnChunk) vector.Scalar {
	if c.Locked() || c.Meta.Geospatial == nil || len(c.Meta.Geospatial.Types) == 0 {
		return vector.NullOf(texts)
	}
	var names []string
	for _, code := range c.Meta.Geospatial.Types {
		names = append(names, strings.ReplaceAll(strings.ToLower(kindText(code)), " ", "_"))
	}
	return textList(names)
}

// textList is a LIST of texts.
func textList(list []string) vector.Scalar {
	items := make([]vector.Scalar, len(list))
	for i, s := range list {
		items[i] = text(s)
	}
	of := values(vector.Of(vector.Varchar), items...)
	return vector.Scalar{Type: texts, Nested: &vector.Vector{Type: texts, Len: 1, Offsets: []int32{0, int32(len(list))}, Children: []*vector.Vector{of}}}
}

// pairMap is a MAP of pairs.
func pairMap(list []fileformat.KeyValue) vector.Scalar {
	blob := vector.Of(vector.Blob)
	var names, found []vector.Scalar
	for _, kv := range list {
		names, found = append(names, vector.Scalar{Type: blob, Str: kv.Key}), append(found, vector.Scalar{Type: blob, Str: kv.Value, Null: !kv.HasValue})
	}
	of := []*vector.Vector{values(blob, names...), values(blob, found...)}
	return vector.Scalar{Type: pairs, Nested: &vector.Vector{Type: pairs, Len: 1, Offsets: []int32{0, int32(len(list))}, Children: of}}
}

// values is a vector of values, of a type that is not nested.
func values(t vector.Type, list ...vector.Scalar) *vector.Vector {
	v := vector.New(t, len(list))
	for i, s := range list {
		v.Set(i, s)
	}
	return v
}

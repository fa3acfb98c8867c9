package inspect

import (
	"encoding/json"
	"io"
)

// What Meta writes as JSON. Sizes are in bytes; what a footer does not say is null.
type (
	metaJSON struct {
		Table     string         `json:"table"`
		Files     []fileJSON     `json:"files"`
		RowGroups []rowGroupJSON `json:"row_groups"`
		Columns   []columnJSON   `json:"columns"`
	}
	fileJSON struct {
		File      string  `json:"file"`
		Size      int64   `json:"size"`
		Rows      int64   `json:"rows"`
		RowGroups int64   `json:"row_groups"`
		CreatedBy *string `json:"created_by"`
	}
	rowGroupJSON struct {
		File            string `json:"file"`
		RowGroup        int64  `json:"row_group"`
		Rows            int64  `json:"rows"`
		Bytes           *int64 `json:"bytes"`
		CompressedBytes *int64 `json:"compressed_bytes"`
	}
	columnJSON struct {
		Column            string   `json:"column"`
		Type              string   `json:"type"`
		Chunks            int64    `json:"chunks"`
		Values            int64    `json:"values"`
		Nulls             *int64   `json:"nulls"`
		CompressedBytes   int64    `json:"compressed_bytes"`
		UncompressedBytes int64    `json:"uncompressed_bytes"`
		Codecs            []string `json:"codecs"`
		Encodings         []string `json:"encodings"`
		Min               *string  `json:"min"`
		Max               *string  `json:"max"`
		Statistics        int64    `json:"chunks_with_statistics"`
		BloomFilters      int64    `json:"chunks_with_bloom_filter"`
		ColumnIndexes     int64    `json:"chunks_with_column_index"`
		OffsetIndexes     int64    `json:"chunks_with_offset_index"`
		Pages             *int64   `json:"pages,omitempty"` // with Options.All
	}
)

func writeJSON(w io.Writer, table string, files []file, groups []rowGroup, columns []*column, pages bool) error {
	out := metaJSON{Table: table, Files: []fileJSON{}, RowGroups: []rowGroupJSON{}, Columns: []columnJSON{}}
	for _, f := range files {
		out.Files = append(out.Files, fileJSON{f.name, f.size, f.rows, f.rowGroups, known(f.createdBy.String, f.createdBy.Valid)})
	}
	for _, g := range groups {
		out.RowGroups = append(out.RowGroups, rowGroupJSON{g.file, g.number, g.rows, known(g.bytes.Int64, g.bytes.Valid), known(g.compressedBytes.Int64, g.compressedBytes.Valid)})
	}
	for _, c := range columns {
		bounded := c.bounded > 0
		out.Columns = append(out.Columns, columnJSON{
			c.name, c.typ, c.chunks, c.values, known(c.nulls, c.nullsKnown), c.compressed, c.plain, c.codecs, c.encodings,
			known(c.min, bounded), known(c.max, bounded), c.bounded, c.blooms, c.columnIndexes, c.offsetIndexes, known(c.pages, pages),
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// known is a value, or nil where it is not known.
func known[T any](value T, ok bool) *T {
	if !ok {
		return nil
	}
	return &value
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// encodings are those that arrow-go writes for each physical type (it does not write
// DELTA_BYTE_ARRAY for FIXED_LEN_BYTE_ARRAY).
var encodings = map[parquet.Type][]parquet.Encoding{
	parquet.Types.Boolean:           {parquet.Encodings.Plain, parquet.Encodings.RLE},
	parquet.Types.Int32:             {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.ByteStreamSplit},
	parquet.Types.Int64:             {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.ByteStreamSplit},
	parquet.Types.Int96:             {parquet.Encodings.Plain, parquet.Encodings.RLEDict},
	parquet.Types.Float:             {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.ByteStreamSplit},
	parquet.Types.Double:            {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.ByteStreamSplit},
	parquet.Types.ByteArray:         {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.DeltaLengthByteArray, parquet.Encodings.DeltaByteArray},
	parquet.Types.FixedLenByteArray: {parquet.Encodings.Plain, parquet.Encodings.RLEDict, parquet.Encodings.ByteStreamSplit},
}

var physicalTypes = []parquet.Type{parquet.Types.Boolean, parquet.Types.Int32, parquet.Types.Int64, parquet.Types.Int96,
	parquet.Types.Float, parquet.Types.Double, parquet.Types.ByteArray, parquet.Types.FixedLenByteArray}

// sqlTypes are the SQL types of physical types without annotation.
var sqlTypes = map[parquet.Type]string{
	parquet.Types.Boolean: "BOOLEAN", parquet.Types.Int32: "INTEGER", parquet.Types.Int64: "BIGINT", parquet.Types.Int96: "TIMESTAMP",
	parquet.Types.Float: "FLOAT", parquet.Types.Double: "DOUBLE", parquet.Types.ByteArray: "BLOB", parquet.Types.FixedLenByteArray: "BLOB",
}

type arrowColumn struct {
	name     string
	physical parquet.Type
	encoding parquet.Encoding
	optional bool
}

func arrowColumns() []arrowColumn {
	var out []arrowColumn
	for _, p := range physicalTypes {
		for _, e := range encodings[p] {
			for _, optional := range []bool{false, true} {
				name := strings.ToLower(fmt.Sprintf("%s_%s", p, e))
				if optional {
					name += "_optional"
				}
				out = append(out, arrowColumn{name, p, e, optional})
			}
		}
	}
	return out
}

// arrowMatrix writes each physical type in each encoding, by page version and codec.
func (g *generator) arrowMatrix() {
	first := ""
	for _, v := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
		for _, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip,
			compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw} {
			name := fmt.Sprintf("files/arrow-go/matrix_v%d_%s.parquet", v+1, strings.ToLower(codec.String()))
			must(os.WriteFile(g.path(name), arrowFile(v, codec), 0o644))
			a := arrowAnswer(g.path(name))
			g.add(name, "arrow-go", "testdata/gen/arrow.go", a, first)
			if first == "" {
				first = name
			}
		}
	}
}

func arrowFile(v parquet.DataPageVersion, codec compress.Compression) []byte {
	columns, t := arrowColumns(), newTruth()
	options := []parquet.WriterProperty{parquet.WithDataPageVersion(v), parquet.WithCompression(codec), parquet.WithBatchSize(16),
		parquet.WithDataPageSize(200), parquet.WithPageIndexEnabled(true), parquet.WithVersion(parquet.V2_LATEST)}
	var fields schema.FieldList
	for _, c := range columns {
		repetition := parquet.Repetitions.Required
		if c.optional {
			repetition = parquet.Repetitions.Optional
		}
		length := -1
		if c.physical == parquet.Types.FixedLenByteArray {
			length = 7
		}
		fields = append(fields, value(schema.NewPrimitiveNode(c.name, repetition, c.physical, -1, int32(length))))
		dictionary := c.encoding == parquet.Encodings.RLEDict
		options = append(options, parquet.WithDictionaryFor(c.name, dictionary))
		if !dictionary {
			options = append(options, parquet.WithEncodingFor(c.name, c.encoding))
		}
	}
	root := value(schema.NewGroupNode("matrix", parquet.Repetitions.Required, fields, -1))
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	group := w.AppendRowGroup()
	for _, c := range columns {
		writeColumn(value(group.NextColumn()), c, t)
	}
	must(group.Close())
	must(w.Close())
	return out.Bytes()
}

func writeColumn(w file.ColumnChunkWriter, c arrowColumn, t *truth) {
	var levels []int16
	if c.optional {
		for _, null := range t.null {
			levels = append(levels, map[bool]int16{true: 0, false: 1}[null])
		}
	}
	switch w := w.(type) {
	case *file.BooleanColumnChunkWriter:
		value(w.WriteBatch(present(t.bools, c, t), levels, nil))
	case *file.Int32ColumnChunkWriter:
		value(w.WriteBatch(present(t.int32s, c, t), levels, nil))
	case *file.Int64ColumnChunkWriter:
		value(w.WriteBatch(present(t.int64s, c, t), levels, nil))
	case *file.Int96ColumnChunkWriter:
		values := make([]parquet.Int96, matrixRows)
		for i, v := range t.int96s {
			values[i] = parquet.Int96(v)
		}
		value(w.WriteBatch(present(values, c, t), levels, nil))
	case *file.Float32ColumnChunkWriter:
		value(w.WriteBatch(present(t.floats, c, t), levels, nil))
	case *file.Float64ColumnChunkWriter:
		value(w.WriteBatch(present(t.doubles, c, t), levels, nil))
	case *file.ByteArrayColumnChunkWriter:
		value(w.WriteBatch(present(convert[parquet.ByteArray](t.bytes), c, t), levels, nil))
	case *file.FixedLenByteArrayColumnChunkWriter:
		value(w.WriteBatch(present(convert[parquet.FixedLenByteArray](t.fixed), c, t), levels, nil))
	}
	must(w.Close())
}

func convert[T ~[]byte](in [][]byte) []T {
	out := make([]T, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

// present returns the values that are not NULL.
func present[T any](values []T, c arrowColumn, t *truth) []T {
	if !c.optional {
		return values
	}
	var out []T
	for i, v := range values {
		if !t.null[i] {
			out = append(out, v)
		}
	}
	return out
}

// arrowAnswer reads the file back with arrow-go.
func arrowAnswer(path string) *answer {
	r := value(file.OpenParquetFile(path, false))
	defer r.Close()
	a := &answer{rows: make([][]any, matrixRows)}
	for i, c := range arrowColumns() {
		a.columns = append(a.columns, column{c.name, sqlTypes[c.physical], c.optional})
		values, levels := readColumn(value(r.RowGroup(0).Column(i)))
		for row := range a.rows {
			var v any
			if levels == nil || levels[row] == 1 {
				v, values = values[0], values[1:]
			}
			a.rows[row] = append(a.rows[row], v)
		}
	}
	return a
}

func readColumn(r file.ColumnChunkReader) (values []any, levels []int16) {
	if r.Descriptor().MaxDefinitionLevel() > 0 {
		levels = make([]int16, matrixRows)
	}
	switch r := r.(type) {
	case *file.BooleanColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v bool) any { return v })
	case *file.Int32ColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v int32) any { return v })
	case *file.Int64ColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v int64) any { return v })
	case *file.Int96ColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v parquet.Int96) any {
			return map[string]string{"time": v.ToTime().UTC().Format("2006-01-02T15:04:05.999999999Z07:00")}
		})
	case *file.Float32ColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v float32) any { return number(float64(v), 32) })
	case *file.Float64ColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v float64) any { return number(v, 64) })
	case *file.ByteArrayColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v parquet.ByteArray) any { return hexOf(v) })
	case *file.FixedLenByteArrayColumnChunkReader:
		values = readBatches(r.ReadBatch, levels, func(v parquet.FixedLenByteArray) any { return hexOf(v) })
	}
	return values, levels
}

func readBatches[T any](read func(int64, []T, []int16, []int16) (int64, int, error), levels []int16, to func(T) any) []any {
	var out []any
	for at := int64(0); at < matrixRows; {
		values := make([]T, matrixRows)
		var def []int16
		if levels != nil {
			def = levels[at:]
		}
		n, present, err := read(matrixRows-at, values, def, nil)
		must(err)
		if n == 0 {
			must(fmt.Errorf("arrow-go reads %d of %d rows", at, matrixRows))
		}
		for _, v := range values[:present] {
			out = append(out, to(v))
		}
		at += n
	}
	return out
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

type goType struct {
	name, sql string
	node      parquet.Type
	encodings []encoding.Encoding
	values    func(t *truth, i int) parquet.Value
}

var goTypes = []goType{
	{"boolean", "BOOLEAN", parquet.BooleanType, []encoding.Encoding{&parquet.Plain, &parquet.RLE}, func(t *truth, i int) parquet.Value { return parquet.BooleanValue(t.bools[i]) }},
	{"int32", "INTEGER", parquet.Int32Type, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit}, func(t *truth, i int) parquet.Value { return parquet.Int32Value(t.int32s[i]) }},
	{"int64", "BIGINT", parquet.Int64Type, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit}, func(t *truth, i int) parquet.Value { return parquet.Int64Value(t.int64s[i]) }},
	{"int96", "TIMESTAMP", parquet.Int96Type, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary}, func(t *truth, i int) parquet.Value {
		var v deprecated.Int96
		for w := range v {
			for b := range 4 {
				v[w] |= uint32(t.int96s[i][4*w+b]) << (8 * b)
			}
		}
		return parquet.Int96Value(v)
	}},
	{"float", "FLOAT", parquet.FloatType, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit}, func(t *truth, i int) parquet.Value { return parquet.FloatValue(t.floats[i]) }},
	{"double", "DOUBLE", parquet.DoubleType, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit}, func(t *truth, i int) parquet.Value { return parquet.DoubleValue(t.doubles[i]) }},
	{"byte_array", "BLOB", parquet.ByteArrayType, []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaLengthByteArray, &parquet.DeltaByteArray}, func(t *truth, i int) parquet.Value { return parquet.ByteArrayValue(t.bytes[i]) }},
	{"fixed", "BLOB", parquet.FixedLenByteArrayType(7), []encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaByteArray, &parquet.ByteStreamSplit}, func(t *truth, i int) parquet.Value { return parquet.FixedLenByteArrayValue(t.fixed[i]) }},
}

type goColumn struct {
	name     string
	optional bool
	kind     goType
}

// goSchema has each type in each encoding, required and optional. Columns are
// ordered by name, as parquet-go orders them.
func goSchema() (*parquet.Schema, map[string]goColumn) {
	group, byName := parquet.Group{}, map[string]goColumn{}
	for _, kind := range goTypes {
		for _, e := range kind.encodings {
			for _, optional := range []bool{false, true} {
				name := strings.ToLower(kind.name + "_" + e.String())
				node := parquet.Encoded(parquet.Leaf(kind.node), e)
				if optional {
					name += "_optional"
					node = parquet.Optional(node)
				}
				group[name] = node
				byName[name] = goColumn{name, optional, kind}
			}
		}
	}
	return parquet.NewSchema("matrix", group), byName
}

func (g *generator) parquetGoMatrix() {
	first := ""
	for version := 1; version <= 2; version++ {
		for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd, &parquet.Lz4Raw} {
			name := fmt.Sprintf("files/parquet-go/matrix_v%d_%s.parquet", version, strings.ToLower(codec.String()))
			must(os.WriteFile(g.path(name), goFile(version, codec), 0o644))
			g.add(name, "parquet-go", "testdata/gen/parquetgo.go", goAnswer(g.path(name)), first)
			if first == "" {
				first = name
			}
		}
	}
}

func goFile(version int, codec compress.Codec) []byte {
	schema, byName := goSchema()
	t := newTruth()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, schema, parquet.DataPageVersion(version), parquet.Compression(codec), parquet.PageBufferSize(256),
		parquet.DataPageStatistics(true))
	for i := range matrixRows {
		var row parquet.Row
		for at, path := range schema.Columns() {
			c := byName[path[0]]
			v := c.kind.values(t, i)
			switch {
			case !c.optional:
				v = v.Level(0, 0, at)
			case t.null[i]:
				v = parquet.NullValue().Level(0, 0, at)
			default:
				v = v.Level(0, 1, at)
			}
			row = append(row, v)
		}
		value(w.WriteRows([]parquet.Row{row}))
	}
	must(w.Close())
	return out.Bytes()
}

// goAnswer reads the file back with parquet-go.
func goAnswer(path string) *answer {
	data := value(os.ReadFile(path))
	f := value(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
	_, byName := goSchema()
	a := &answer{}
	for _, path := range f.Schema().Columns() {
		c := byName[path[0]]
		a.columns = append(a.columns, column{c.name, c.kind.sql, c.optional})
	}
	rows := f.RowGroups()[0].Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 1)
	for len(a.rows) < matrixRows {
		n, err := rows.ReadRows(buffer)
		if n == 0 {
			must(err)
		}
		var row []any
		for _, v := range buffer[0] {
			row = append(row, goValue(v))
		}
		a.rows = append(a.rows, row)
	}
	return a
}

func goValue(v parquet.Value) any {
	if v.IsNull() {
		return nil
	}
	switch v.Kind() {
	case parquet.Boolean:
		return v.Boolean()
	case parquet.Int32:
		return v.Int32()
	case parquet.Int64:
		return v.Int64()
	case parquet.Int96:
		w := v.Int96()
		nanos := int64(w[0]) | int64(w[1])<<32
		day := int64(w[2]) - 2440588
		return map[string]string{"time": time.Unix(day*86400, nanos).UTC().Format(time.RFC3339Nano)}
	case parquet.Float:
		return number(float64(v.Float()), 32)
	case parquet.Double:
		return number(v.Double(), 64)
	}
	return hexOf(v.ByteArray())
}

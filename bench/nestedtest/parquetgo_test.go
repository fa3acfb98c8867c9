package nestedtest

import (
	"bytes"
	"math/big"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"
)

// dremel writes records with parquet-go, from levels and values: the levels come from
// the striper below, which follows the Dremel paper with one step per value.
func (m *maker) dremel(root *node, records [][]any) ([]byte, error) {
	group := parquet.Group{}
	for _, c := range root.children {
		group[c.name] = field(c)
	}
	var b bytes.Buffer
	codec := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd}[m.IntN(3)]
	w := parquet.NewGenericWriter[any](&b, parquet.NewSchema("root", group),
		parquet.DataPageVersion(1+m.IntN(2)), parquet.PageBufferSize(64<<m.IntN(12)), parquet.Compression(codec))
	for len(records) > 0 {
		n := 1 + m.IntN(len(records))
		var rows []parquet.Row
		for _, record := range records[:n] {
			rows = append(rows, row(root, record))
		}
		records = records[n:]
		if _, err := w.WriteRows(rows); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func row(root *node, record []any) parquet.Row {
	s := &striper{columns: make([][]parquet.Value, width(root))}
	at := 0
	for i, c := range root.children {
		s.field(c, record[i], at, 0, 0, 0)
		at += width(c)
	}
	var out parquet.Row
	for _, column := range s.columns {
		out = append(out, column...)
	}
	return out
}

// width is the number of leaves.
func width(n *node) int {
	if n.kind < leafKinds {
		return 1
	}
	w := 0
	for _, c := range n.children {
		w += width(c)
	}
	return w
}

// striper splits records into leaves. at is the first leaf of the current node, depth
// the number of repeated fields around it.
type striper struct {
	columns [][]parquet.Value
}

func (s *striper) missing(n *node, at, rep, def int) {
	for i := at; i < at+width(n); i++ {
		s.columns[i] = append(s.columns[i], parquet.NullValue().Level(rep, def, i))
	}
}

func (s *striper) field(n *node, v any, at, rep, def, depth int) {
	if n.optional {
		if v == nil {
			s.missing(n, at, rep, def)
			return
		}
		def++
	}
	switch n.kind {
	case structure:
		for i, c := range n.children {
			s.field(c, v.([]any)[i], at, rep, def, depth)
			at += width(c)
		}
		return
	case list, mapping:
		elements := v.([]any)
		if len(elements) == 0 {
			s.missing(n, at, rep, def)
		}
		for i, e := range elements {
			if i > 0 {
				rep = depth + 1
			}
			if n.kind == list {
				s.field(n.children[0], e, at, rep, def+1, depth+1)
				continue
			}
			entry := e.([]any)
			s.field(n.children[0], entry[0], at, rep, def+1, depth+1)
			s.field(n.children[1], entry[1], at+1, rep, def+1, depth+1)
		}
		return
	}
	s.columns[at] = append(s.columns[at], stored(n, v).Level(rep, def, at))
}

func stored(n *node, v any) parquet.Value {
	switch v := v.(type) {
	case bool:
		return parquet.BooleanValue(v)
	case float32:
		return parquet.FloatValue(v)
	case float64:
		return parquet.DoubleValue(v)
	case string:
		if n.kind == fixed || n.kind == uuidText {
			return parquet.FixedLenByteArrayValue([]byte(v))
		}
		return parquet.ByteArrayValue([]byte(v))
	case *big.Int:
		switch {
		case n.precision <= 9:
			return parquet.Int32Value(int32(v.Int64()))
		case n.precision <= 18:
			return parquet.Int64Value(v.Int64())
		}
		return parquet.FixedLenByteArrayValue(complement(v))
	case uint64:
		return whole(n, int64(v))
	}
	return whole(n, v.(int64))
}

func whole(n *node, v int64) parquet.Value {
	if n.bits > 0 && n.bits <= 32 || n.kind == date || n.kind == clock && n.unit == 1 {
		return parquet.Int32Value(int32(v))
	}
	return parquet.Int64Value(v)
}

// complement is the two's complement in 16 bytes, the highest first.
func complement(v *big.Int) []byte {
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v.FillBytes(make([]byte, 16))
}

// field is the node of parquet-go.
func field(n *node) parquet.Node {
	var p parquet.Node
	switch n.kind {
	case structure:
		group := parquet.Group{}
		for _, c := range n.children {
			group[c.name] = field(c)
		}
		p = group
	case list:
		if n.bare {
			return parquet.Repeated(field(n.children[0]))
		}
		p = parquet.List(field(n.children[0]))
	case mapping:
		p = parquet.Map(field(n.children[0]), field(n.children[1]))
	default:
		p = leaf(n)
		if e := coding(n, p.Type().Kind()); e != nil {
			p = parquet.Encoded(p, e)
		}
	}
	if n.optional {
		return parquet.Optional(p)
	}
	return parquet.Required(p)
}

func leaf(n *node) parquet.Node {
	unit := []parquet.TimeUnit{nil, parquet.Millisecond, parquet.Microsecond, parquet.Nanosecond}[n.unit]
	switch n.kind {
	case boolean:
		return parquet.Leaf(parquet.BooleanType)
	case signed:
		return parquet.Int(n.bits)
	case unsigned:
		return parquet.Uint(n.bits)
	case real32:
		return parquet.Leaf(parquet.FloatType)
	case real64:
		return parquet.Leaf(parquet.DoubleType)
	case text:
		return parquet.String()
	case binary:
		return parquet.Leaf(parquet.ByteArrayType)
	case fixed:
		return parquet.Leaf(parquet.FixedLenByteArrayType(5))
	case date:
		return parquet.Date()
	case timestamp:
		return parquet.TimestampAdjusted(unit, n.utc)
	case clock:
		return parquet.TimeAdjusted(unit, n.utc)
	case uuidText:
		return parquet.UUID()
	}
	switch {
	case n.precision <= 9:
		return parquet.Decimal(n.scale, n.precision, parquet.Int32Type)
	case n.precision <= 18:
		return parquet.Decimal(n.scale, n.precision, parquet.Int64Type)
	}
	return parquet.Decimal(n.scale, n.precision, parquet.FixedLenByteArrayType(16))
}

// coding is one of the encodings of a physical type.
func coding(n *node, k parquet.Kind) encoding.Encoding {
	switch {
	case k == parquet.Boolean:
		return []encoding.Encoding{nil, &parquet.Plain, &parquet.RLE, nil}[n.coding]
	case n.coding < 2:
		return []encoding.Encoding{nil, &parquet.RLEDictionary}[n.coding]
	case k == parquet.Int32 || k == parquet.Int64:
		return []encoding.Encoding{&parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit}[n.coding-2]
	case k == parquet.ByteArray:
		return []encoding.Encoding{&parquet.DeltaLengthByteArray, &parquet.DeltaByteArray}[n.coding-2]
	case k == parquet.FixedLenByteArray:
		return []encoding.Encoding{&parquet.DeltaByteArray, &parquet.ByteStreamSplit}[n.coding-2]
	}
	return []encoding.Encoding{&parquet.ByteStreamSplit, &parquet.Plain}[n.coding-2]
}

package prune

import (
	"math/rand"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// widening is a column that has a wider type in the table, as in another file of the
// table.
type widening struct {
	name  string
	node  *fileformat.Node
	table vector.Type
}

func widenings() []widening {
	logical := func(p fileformat.PhysicalType, l fileformat.LogicalType) *fileformat.Node { return optional(p, l) }
	plain := func(p fileformat.PhysicalType) *fileformat.Node { return optional(p, fileformat.LogicalType{}) }
	fixed := func(n int, l fileformat.LogicalType) *fileformat.Node {
		out := optional(fileformat.FixedLenByteArray, l)
		out.TypeLength = n
		return out
	}
	integer := func(width int, signed bool) fileformat.LogicalType {
		return fileformat.LogicalType{Kind: fileformat.LogicalInteger, BitWidth: width, Signed: signed}
	}
	decimal := func(precision, scale int) fileformat.LogicalType {
		return fileformat.LogicalType{Kind: fileformat.LogicalDecimal, Precision: precision, Scale: scale}
	}
	stamp := func(u fileformat.TimeUnit) fileformat.LogicalType {
		return fileformat.LogicalType{Kind: fileformat.LogicalTimestamp, Unit: u}
	}
	return []widening{
		{"INT32 to BIGINT", plain(fileformat.Int32), vector.Of(vector.BigInt)},
		{"UINT32 to BIGINT", logical(fileformat.Int32, integer(32, false)), vector.Of(vector.BigInt)},
		{"UINT8 to INTEGER", logical(fileformat.Int32, integer(8, false)), vector.Of(vector.Integer)},
		{"INT16 to INTEGER", logical(fileformat.Int32, integer(16, true)), vector.Of(vector.Integer)},
		{"UINT32 to UBIGINT", logical(fileformat.Int32, integer(32, false)), vector.Of(vector.UBigInt)},
		{"FLOAT to DOUBLE", plain(fileformat.Float), vector.Of(vector.Double)},
		{"FLOAT16 to DOUBLE", fixed(2, fileformat.LogicalType{Kind: fileformat.LogicalFloat16}), vector.Of(vector.Double)},
		{"FLOAT16 to FLOAT", fixed(2, fileformat.LogicalType{Kind: fileformat.LogicalFloat16}), vector.Of(vector.Float)},
		{"DECIMAL(9,2) to (20,4)", logical(fileformat.Int32, decimal(9, 2)), vector.DecimalType(20, 4)},
		{"DECIMAL(18,0) to (38,10)", logical(fileformat.Int64, decimal(18, 0)), vector.DecimalType(38, 10)},
		{"DECIMAL(11,2) in FIXED to (60,5)", fixed(5, decimal(11, 2)), vector.DecimalType(60, 5)},
		{"TIMESTAMP(ms) to us", logical(fileformat.Int64, stamp(fileformat.Millis)), vector.TimestampType(vector.Micros, false)},
		{"TIMESTAMP(ms) to wide, UTC", logical(fileformat.Int64, stamp(fileformat.Millis)), vector.TimestampType(vector.Wide, true)},
		{"TIMESTAMP(ns) to wide", logical(fileformat.Int64, stamp(fileformat.Nanos)), vector.TimestampType(vector.Wide, false)},
		{"BYTE_ARRAY to VARCHAR", plain(fileformat.ByteArray), vector.Of(vector.Varchar)},
		{"INT32 to DECIMAL(12,2)", plain(fileformat.Int32), vector.DecimalType(12, 2)},
		{"INT64 to DECIMAL(57,38)", plain(fileformat.Int64), vector.DecimalType(57, 38)},
		{"UINT64 to DECIMAL(20,0)", logical(fileformat.Int64, integer(64, false)), vector.DecimalType(20, 0)},
		{"DECIMAL(9,2) to DOUBLE", logical(fileformat.Int32, decimal(9, 2)), vector.Of(vector.Double)},
		{"DECIMAL(38,2) to DOUBLE", fixed(16, decimal(38, 2)), vector.Of(vector.Double)},
		{"INT64 to DOUBLE", plain(fileformat.Int64), vector.Of(vector.Double)},
		{"DATE to TIMESTAMP(ms)", logical(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalDate}), vector.TimestampType(vector.Millis, false)},
		{"DATE to TIMESTAMP(us), UTC", logical(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalDate}), vector.TimestampType(vector.Micros, true)},
		{"DATE to wide", logical(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalDate}), vector.TimestampType(vector.Wide, false)},
		{"INT32 to VARCHAR", plain(fileformat.Int32), vector.Of(vector.Varchar)},
		{"INT16 to VARCHAR", logical(fileformat.Int32, integer(16, true)), vector.Of(vector.Varchar)},
		{"UINT64 to VARCHAR", logical(fileformat.Int64, integer(64, false)), vector.Of(vector.Varchar)},
		{"DOUBLE to VARCHAR", plain(fileformat.Double), vector.Of(vector.Varchar)},
		{"DATE to VARCHAR", logical(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalDate}), vector.Of(vector.Varchar)},
		{"UUID to VARCHAR", fixed(16, fileformat.LogicalType{Kind: fileformat.LogicalUUID}), vector.Of(vector.Varchar)},
		{"INT32 to JSON", plain(fileformat.Int32), vector.Of(vector.JSON)},
		{"UUID", fixed(16, fileformat.LogicalType{Kind: fileformat.LogicalUUID}), vector.Type{}},
	}
}

// randomPlain is a value's PLAIN bytes, with the edges of its width often enough.
func randomPlain(r *rand.Rand, n *fileformat.Node) []byte {
	width := map[fileformat.PhysicalType]int{
		fileformat.Int32: 4, fileformat.Float: 4, fileformat.Int64: 8, fileformat.Double: 8, fileformat.ByteArray: r.Intn(4), fileformat.FixedLenByteArray: n.TypeLength,
	}[n.Physical]
	out := make([]byte, width)
	fill := []func() byte{func() byte { return 0 }, func() byte { return 0xff }, func() byte { return byte(r.Intn(256)) }}[r.Intn(3)]
	for i := range out {
		out[i] = fill()
	}
	if width > 0 && r.Intn(2) == 0 {
		out[r.Intn(width)] = byte(r.Intn(256))
	}
	if w := n.Logical.BitWidth; w > 0 && w < 32 { // what a reader of the column can see
		for i := w / 8; i < width; i++ {
			out[i] = 0
			if n.Logical.Signed && out[w/8-1] >= 0x80 {
				out[i] = 0xff
			}
		}
	}
	return out
}

// TestConvertedBounds: bounds and bloom filters of a file still hold for its
// values in the table's wider type.
func TestConvertedBounds(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	for _, w := range widenings() {
		c := leafColumn(t, w.node, w.table)
		for range 2000 {
			checkConverted(t, r, w.name, c)
		}
	}
}

func checkConverted(t *testing.T, r *rand.Rand, name string, c *Column) {
	t.Helper()
	var lo, hi []byte
	var values []vector.Scalar // in the file's type
	var present [][]byte
	for range 1 + r.Intn(5) {
		plain := randomPlain(r, c.Node)
		v, ok := nested.ScalarOf(c.Node, nested.Options{}, plain)
		if !ok || v.IsNaN() {
			continue
		}
		low, lowOK := nested.ScalarOf(c.Node, nested.Options{}, lo)
		high, highOK := nested.ScalarOf(c.Node, nested.Options{}, hi)
		if lo == nil || lowOK && inOrder(&v, &low) {
			lo = plain
		}
		if hi == nil || highOK && inOrder(&high, &v) {
			hi = plain
		}
		values, present = append(values, v), append(present, plain)
	}
	x := &fileformat.ColumnIndex{NullPages: []bool{false}, Min: [][]byte{lo}, Max: [][]byte{hi}}
	s := c.page(x, 0, 10, pageTrust{bounds: true})
	bloom := c.widened(func(s vector.Scalar) bool {
		plain, ok := nested.PlainBytes(c.Node, s)
		for _, p := range present {
			ok = ok && string(p) != string(plain)
		}
		return !ok
	})
	for i, v := range values {
		converted, ok := c.Converter().Scalar(v)
		if !ok {
			continue // reading it is an error
		}
		if s.Min != nil && !inOrder(s.Min, &converted) || s.Max != nil && !inOrder(&converted, s.Max) {
			t.Fatalf("%s: %x is %+v, outside of %+v to %+v", name, present[i], converted, s.Min, s.Max)
		}
		if bloom != nil && !c.Converter().Identity() && !isFloatZero(converted) && !bloom(converted) {
			t.Fatalf("%s: the filter has %x, but not %+v", name, present[i], converted)
		}
	}
}

// isFloatZero: the zeros are equal but differ in their bytes; Column.Bloom sees to that.
func isFloatZero(s vector.Scalar) bool { return s.Type.IsFloat() && isZero(&s) }

package nested

import (
	"encoding/hex"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

func leafNode(p fileformat.PhysicalType, length int, l fileformat.LogicalType) *fileformat.Node {
	return &fileformat.Node{Name: "c", Path: []string{"c"}, Physical: p, TypeLength: length, Logical: l}
}

func geoNode(g fileformat.Geo) *fileformat.Node {
	n := leafNode(fileformat.ByteArray, 0, fileformat.LogicalType{})
	n.Geo = &g
	return n
}

func decimal(precision, scale int) fileformat.LogicalType {
	return fileformat.LogicalType{Kind: fileformat.LogicalDecimal, Precision: precision, Scale: scale}
}

func integer(width int, signed bool) fileformat.LogicalType {
	return fileformat.LogicalType{Kind: fileformat.LogicalInteger, BitWidth: width, Signed: signed}
}

func kindOnly(k fileformat.LogicalKind) fileformat.LogicalType {
	return fileformat.LogicalType{Kind: k}
}

func temporal(k fileformat.LogicalKind, u fileformat.TimeUnit, utc bool) fileformat.LogicalType {
	return fileformat.LogicalType{Kind: k, Unit: u, UTC: utc}
}

// valueCases has a value of each type in the README's table of types: its PLAIN
// bytes, its SQL type and its JSON text.
var valueCases = []struct {
	name  string
	node  *fileformat.Node
	plain string // hexadecimal
	typ   string
	json  string
}{
	{"BOOLEAN", leafNode(fileformat.Boolean, 0, fileformat.LogicalType{}), "01", "BOOLEAN", "true"},
	{"INT32", leafNode(fileformat.Int32, 0, fileformat.LogicalType{}), "feffffff", "INTEGER", "-2"},
	{"INT64", leafNode(fileformat.Int64, 0, fileformat.LogicalType{}), "ffffffffffffff7f", "BIGINT", "9223372036854775807"},
	{"INT8", leafNode(fileformat.Int32, 0, integer(8, true)), "80ffffff", "TINYINT", "-128"},
	{"INT16", leafNode(fileformat.Int32, 0, integer(16, true)), "ff7f0000", "SMALLINT", "32767"},
	{"INT32 signed", leafNode(fileformat.Int32, 0, integer(32, true)), "00000080", "INTEGER", "-2147483648"},
	{"INT64 signed", leafNode(fileformat.Int64, 0, integer(64, true)), "0000000000000080", "BIGINT", "-9223372036854775808"},
	{"UINT8", leafNode(fileformat.Int32, 0, integer(8, false)), "ff000000", "UTINYINT", "255"},
	{"UINT16", leafNode(fileformat.Int32, 0, integer(16, false)), "ffff0000", "USMALLINT", "65535"},
	{"UINT32", leafNode(fileformat.Int32, 0, integer(32, false)), "ffffffff", "UINTEGER", "4294967295"},
	{"UINT64", leafNode(fileformat.Int64, 0, integer(64, false)), "ffffffffffffffff", "UBIGINT", "18446744073709551615"},
	{"FLOAT16", leafNode(fileformat.FixedLenByteArray, 2, kindOnly(fileformat.LogicalFloat16)), "00c0", "HALF", "-2"},
	{"FLOAT", leafNode(fileformat.Float, 0, fileformat.LogicalType{}), "cdcccc3d", "FLOAT", "0.1"},
	{"DOUBLE", leafNode(fileformat.Double, 0, fileformat.LogicalType{}), "9a9999999999b93f", "DOUBLE", "0.1"},
	{"DECIMAL in INT32", leafNode(fileformat.Int32, 0, decimal(9, 2)), "ffffffff", "DECIMAL(9,2)", "-0.01"},
	{"DECIMAL in INT64", leafNode(fileformat.Int64, 0, decimal(18, 0)), "0100000000000000", "DECIMAL(18,0)", "1"},
	{"DECIMAL in FIXED", leafNode(fileformat.FixedLenByteArray, 5, decimal(10, 2)), "fffffffc18", "DECIMAL(10,2)", "-10.00"},
	{"DECIMAL in BYTE_ARRAY", leafNode(fileformat.ByteArray, 0, decimal(4, 2)), "64", "DECIMAL(4,2)", "1.00"},
	{"DECIMAL of 38 digits", leafNode(fileformat.FixedLenByteArray, 16, decimal(38, 1)), "4b3b4ca85a86c47a098a223fffffffff",
		"DECIMAL(38,1)", "9999999999999999999999999999999999999.9"},
	{"DECIMAL of 76 digits", leafNode(fileformat.FixedLenByteArray, 20, decimal(47, 3)), "fffffffffffffffffffffffffffffffffffffc18",
		"DECIMAL(47,3)", "-1.000"},
	{"DECIMAL of too many digits for INT64", leafNode(fileformat.Int64, 0, decimal(30, 1)), "ffffffffffffffff", "DECIMAL(30,1)", "-0.1"},
	{"DECIMAL of far too many digits for INT32", leafNode(fileformat.Int32, 0, decimal(50, 1)), "feffffff", "DECIMAL(50,1)", "-0.2"},
	{"DATE", leafNode(fileformat.Int32, 0, kindOnly(fileformat.LogicalDate)), "ffffffff", "DATE", `"1969-12-31"`},
	{"TIME ms", leafNode(fileformat.Int32, 0, temporal(fileformat.LogicalTime, fileformat.Millis, true)), "01000000", "TIME", `"00:00:00.001"`},
	{"TIME us", leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTime, fileformat.Micros, false)), "0100000000000000", "TIME", `"00:00:00.000001"`},
	{"TIME ns", leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTime, fileformat.Nanos, false)), "0100000000000000", "TIME", `"00:00:00.000000001"`},
	{"TIMESTAMP ms", leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTimestamp, fileformat.Millis, false)), "0500000000000000",
		"TIMESTAMP", `"1970-01-01T00:00:00.005"`},
	{"TIMESTAMP us UTC", leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTimestamp, fileformat.Micros, true)), "ffffffffffffffff",
		"TIMESTAMPTZ", `"1969-12-31T23:59:59.999999Z"`},
	{"TIMESTAMP ns", leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTimestamp, fileformat.Nanos, false)), "0000000000000000",
		"TIMESTAMP", `"1970-01-01T00:00:00"`},
	// 2440589 is the day after the epoch; an hour of nanoseconds.
	{"INT96", leafNode(fileformat.Int96Type, 0, fileformat.LogicalType{}), "00a0b830460300008d3d2500", "TIMESTAMP", `"1970-01-02T01:00:00"`},
	{"INTERVAL", leafNode(fileformat.FixedLenByteArray, 12, kindOnly(fileformat.LogicalInterval)), "0e000000ffffffff01000000",
		"INTERVAL", `"P1Y2M4294967295DT0.001S"`},
	{"STRING", leafNode(fileformat.ByteArray, 0, kindOnly(fileformat.LogicalString)), "6122ff0a", "VARCHAR", `"a\"` + "\uFFFD" + `\n"`},
	{"ENUM", leafNode(fileformat.ByteArray, 0, kindOnly(fileformat.LogicalEnum)), "61", "ENUM", `"a"`},
	{"JSON", leafNode(fileformat.ByteArray, 0, kindOnly(fileformat.LogicalJSON)), "7b7d", "JSON", `"{}"`},
	{"BSON", leafNode(fileformat.ByteArray, 0, kindOnly(fileformat.LogicalBSON)), "0c0000001061000100000000", "BSON", `"{\"a\":1}"`},
	{"UUID", leafNode(fileformat.FixedLenByteArray, 16, kindOnly(fileformat.LogicalUUID)), "00112233445566778899aabbccddeeff",
		"UUID", `"00112233-4455-6677-8899-aabbccddeeff"`},
	{"BYTE_ARRAY", leafNode(fileformat.ByteArray, 0, fileformat.LogicalType{}), "00ff", "BLOB", `"AP8="`},
	{"FIXED", leafNode(fileformat.FixedLenByteArray, 1, fileformat.LogicalType{}), "00", "BLOB", `"AA=="`},
	{"future", leafNode(fileformat.ByteArray, 0, kindOnly(fileformat.LogicalUnknownFuture)), "00", "BLOB", `"AA=="`},
	{"GEOMETRY", geoNode(fileformat.Geo{}), "01", "GEOMETRY", `"AQ=="`},
	{"GEOMETRY with CRS", geoNode(fileformat.Geo{CRS: "EPSG:3857"}), "01", "GEOMETRY('EPSG:3857')", `"AQ=="`},
	{"GEOGRAPHY", geoNode(fileformat.Geo{CRS: "OGC:CRS84", Algorithm: "KARNEY"}), "01", "GEOGRAPHY('OGC:CRS84', 'KARNEY')", `"AQ=="`},
}

func TestValues(t *testing.T) {
	for _, c := range valueCases {
		plain, err := hex.DecodeString(c.plain)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := TypeOf(c.node, Options{}).String(); got != c.typ {
			t.Errorf("%s: type %s, want %s", c.name, got, c.typ)
		}
		s, ok := ScalarOf(c.node, Options{}, plain)
		if !ok {
			t.Errorf("%s: no scalar", c.name)
			continue
		}
		if got := string(AppendJSON(nil, vector.NewConstant(s, 1), 0)); got != c.json {
			t.Errorf("%s: %s, want %s", c.name, got, c.json)
		}
		if back, ok := PlainBytes(c.node, s); !ok || string(back) != string(plain) {
			t.Errorf("%s: back as %x, %v", c.name, back, ok)
		}
		if width := len(plain); c.node.Physical != fileformat.ByteArray && !strings.Contains(c.typ, "BLOB") {
			for _, wrong := range [][]byte{nil, plain[:width-1], append(plain, 0)} {
				if _, ok := ScalarOf(c.node, Options{}, wrong); ok {
					t.Errorf("%s: %d bytes pass", c.name, len(wrong))
				}
			}
		}
	}
	if s, ok := ScalarOf(leafNode(fileformat.ByteArray, 0, fileformat.LogicalType{}), Options{BinaryAsString: true}, []byte("a")); !ok || s.Type.Kind != vector.Varchar {
		t.Error("BinaryAsString", s)
	}
	for _, stray := range []*fileformat.Node{leafNode(fileformat.Int32, 0, integer(8, true)), leafNode(fileformat.Int32, 0, integer(8, false))} {
		if s, ok := ScalarOf(stray, Options{}, []byte{1, 1, 0, 0}); ok {
			t.Errorf("a bound of 257 in a column of 8 bits: %v", s)
		}
	}
}

// TestPlainBytesRefuses has values that a column cannot hold.
func TestPlainBytesRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		node *fileformat.Node
		s    vector.Scalar
	}{
		"too large for INT32":  {leafNode(fileformat.Int32, 0, fileformat.LogicalType{}), vector.IntScalar(1 << 31)},
		"negative in unsigned": {leafNode(fileformat.Int64, 0, integer(64, false)), vector.IntScalar(-1)},
		"no half":              {leafNode(fileformat.FixedLenByteArray, 2, kindOnly(fileformat.LogicalFloat16)), vector.Scalar{Type: vector.Of(vector.Half), F32: 0.1}},
		"NaN":                  {leafNode(fileformat.Double, 0, fileformat.LogicalType{}), vector.FloatScalar(math.NaN())},
		"NULL":                 {leafNode(fileformat.Int32, 0, fileformat.LogicalType{}), vector.NullOf(vector.Of(vector.Integer))},
		"another scale":        {leafNode(fileformat.Int32, 0, decimal(9, 2)), vector.Scalar{Type: vector.DecimalType(9, 1), I64: 1}},
		"another unit": {leafNode(fileformat.Int64, 0, temporal(fileformat.LogicalTimestamp, fileformat.Millis, false)),
			vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: 1}},
		"too long":  {leafNode(fileformat.FixedLenByteArray, 2, fileformat.LogicalType{}), vector.Scalar{Type: vector.Of(vector.Blob), Str: "abc"}},
		"too large": {leafNode(fileformat.FixedLenByteArray, 1, decimal(3, 0)), vector.Scalar{Type: vector.DecimalType(3, 0), I64: 128}},
	} {
		if b, ok := PlainBytes(c.node, c.s); ok {
			t.Errorf("%s: %x", name, b)
		}
	}
}

// TestHalf compares all 65536 values with what math computes of their fields.
func TestHalf(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		exponent, fraction := int(h>>10&31), float64(h&1023)
		want := math.Ldexp(1024+fraction, exponent-25)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction, -24)
		case exponent == 31 && fraction == 0:
			want = math.Inf(1)
		case exponent == 31:
			want = math.NaN()
		}
		if h>>15 == 1 {
			want = -want
		}
		got := float64(halfToFloat(h))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != math.Signbit(want) && want == 0 {
			t.Fatalf("%04x: %v, want %v", h, got, want)
		}
		if back, ok := floatToHalf(halfToFloat(h)); ok == math.IsNaN(want) || ok && back != h {
			t.Fatalf("%04x comes back as %04x, %v", h, back, ok)
		}
	}
}

// TestTwos compares two's complement of all lengths with math/big.
func TestTwos(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 20000 {
		bytes := make([]byte, r.IntN(21))
		for i := range bytes {
			bytes[i] = [...]byte{0, 0xff, 0x80, 0x7f, byte(r.Uint32())}[r.IntN(5)]
		}
		want := new(big.Int).SetBytes(bytes)
		if len(bytes) > 0 && bytes[0] >= 0x80 {
			want.Sub(want, new(big.Int).Lsh(big.NewInt(1), uint(len(bytes))*8))
		}
		v64, ok64 := twos64(string(bytes))
		if ok64 != want.IsInt64() || ok64 && v64 != want.Int64() {
			t.Fatalf("%x: %d, %v", bytes, v64, ok64)
		}
		wide, fits := vector.Int128FromBig(want)
		v128, ok128 := twos128(string(bytes))
		if ok128 != fits || fits && v128 != wide {
			t.Fatalf("%x: %v, %v", bytes, v128, ok128)
		}
	}
}

// TestSpread compares with a loop over the bits.
func TestSpread(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 3000 {
		rows := 1 + r.IntN(300)
		valid := make(vector.Validity, (rows+63)/64)
		kind := r.IntN(3) // few, many or all words full
		for i := range valid {
			valid[i] = r.Uint64()
			switch {
			case kind > 0 && r.IntN(3) < kind:
				valid[i] = ^uint64(0) * uint64(r.IntN(2))
			case r.IntN(2) == 0:
				valid[i] &= r.Uint64() & r.Uint64()
			}
		}
		var memory []int64
		dense := own(&memory, valid.Count(rows), rows)
		for i := range dense {
			dense[i] = int64(i)
		}
		got := spread(&memory, dense, valid, rows)
		next := int64(0)
		for i := range rows {
			if valid.Get(i) {
				if got[i] != next {
					t.Fatalf("row %d of %d: %d, want %d; %x", i, rows, got[i], next, valid)
				}
				next++
			}
		}
	}
}

// TestDecimalTooLarge: a value of more digits than its type is an error, not another number, and is
// no bound. The limits are the powers of ten and those of the physical types.
func TestDecimalTooLarge(t *testing.T) {
	int32s := func(v ...int32) column.Values { return column.Values{Int32: v} }
	int64s := func(v ...int64) column.Values { return column.Values{Int64: v} }
	bytes := func(hexes ...string) (v column.Values) {
		for _, h := range hexes {
			b, err := hex.DecodeString(h)
			if err != nil {
				t.Fatal(err)
			}
			v.Bytes = append(v.Bytes, string(b))
		}
		return v
	}
	for _, c := range []struct {
		name     string
		physical fileformat.PhysicalType
		length   int
		digits   int
		good     column.Values
		bad      []column.Values
	}{
		{"INT32", fileformat.Int32, 0, 4, int32s(9999, -9999), []column.Values{int32s(10000), int32s(-10000), int32s(math.MaxInt32), int32s(math.MinInt32)}},
		{"INT32 of 9", fileformat.Int32, 0, 9, int32s(999999999, -999999999), []column.Values{int32s(1e9), int32s(-1e9)}},
		{"INT32 of 10", fileformat.Int32, 0, 10, int32s(math.MaxInt32, math.MinInt32), nil},
		{"INT64", fileformat.Int64, 0, 18, int64s(999999999999999999, -999999999999999999), []column.Values{int64s(1e18), int64s(-1e18), int64s(math.MaxInt64), int64s(math.MinInt64)}},
		{"INT64 of 1", fileformat.Int64, 0, 1, int64s(9, -9), []column.Values{int64s(10), int64s(-10), int64s(math.MaxInt64), int64s(math.MinInt64)}},
		{"INT64 of 19", fileformat.Int64, 0, 19, int64s(math.MaxInt64, math.MinInt64), nil},
		{"FIXED", fileformat.FixedLenByteArray, 3, 5, bytes("01869f", "fe7961"), []column.Values{bytes("0186a0"), bytes("fe7960")}},
		{"BYTE_ARRAY", fileformat.ByteArray, 0, 5, bytes("07", "000000000000000007"), []column.Values{bytes("0186a0"), bytes("010000000000000000")}},
		{"FIXED of 38", fileformat.FixedLenByteArray, 16, 38, bytes("4b3b4ca85a86c47a098a223fffffffff", "b4c4b357a5793b85f675ddc000000001"),
			[]column.Values{bytes("4b3b4ca85a86c47a098a224000000000"), bytes("b4c4b357a5793b85f675ddc000000000"), bytes("80000000000000000000000000000000")}},
		{"FIXED of 20", fileformat.FixedLenByteArray, 9, 20, bytes("056bc75e2d630fffff"), []column.Values{bytes("056bc75e2d63100000")}},
	} {
		node := leafNode(c.physical, c.length, decimal(c.digits, 0))
		count := func(v column.Values) int { return len(v.Int32) + len(v.Int64) + len(v.Bytes) }
		decode := func(v column.Values) error {
			_, err := DictionaryVector(Column{Name: "c", Node: node}, Options{}, &column.Dictionary{Len: count(v), Values: v})
			check := Checker(node, Options{})
			if check == nil {
				if c.bad != nil {
					t.Errorf("%s: no Checker", c.name)
				}
			} else if checked := check(&v, count(v)); (checked == nil) != (err == nil) {
				t.Errorf("%s: the Checker says %v, the dictionary %v", c.name, checked, err)
			}
			return err
		}
		if err := decode(c.good); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i, v := range c.bad {
			if err := decode(v); err == nil {
				t.Errorf("%s: no error of bad %d", c.name, i)
			}
		}
	}
	if s, ok := ScalarOf(leafNode(fileformat.Int32, 0, decimal(4, 0)), Options{}, []byte{0x10, 0x27, 0, 0}); ok { // 10000
		t.Errorf("a bound of too many digits is %v", s)
	}
}

package prune

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

func leafColumn(t testing.TB, n *fileformat.Node, table vector.Type) *Column {
	t.Helper()
	n.Path = []string{"c"}
	file := nested.TypeOf(n, nested.Options{})
	if table.Kind == vector.Null {
		table = file
	}
	c, err := NewColumn(nested.Column{Name: "c", Node: n, Type: file, Nullable: n.MaxDef > 0, Leaves: []int{0}}, nested.Options{}, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func optional(p fileformat.PhysicalType, l fileformat.LogicalType) *fileformat.Node {
	return &fileformat.Node{Name: "c", Repetition: fileformat.Optional, Physical: p, Logical: l, MaxDef: 1}
}

// TestOrders: which bounds mean anything, by type, declared order and field.
func TestOrders(t *testing.T) {
	integer := func(width int, signed bool) fileformat.LogicalType {
		return fileformat.LogicalType{Kind: fileformat.LogicalInteger, BitWidth: width, Signed: signed}
	}
	kind := func(k fileformat.LogicalKind) fileformat.LogicalType { return fileformat.LogicalType{Kind: k} }
	decimal := fileformat.LogicalType{Kind: fileformat.LogicalDecimal, Precision: 9, Scale: 2}
	none := fileformat.LogicalType{}
	all := []fileformat.ColumnOrder{fileformat.OrderUndefined, fileformat.OrderType, fileformat.OrderTotal, fileformat.OrderInt96, fileformat.OrderUnknown}
	typeOrder := map[fileformat.ColumnOrder]bool{fileformat.OrderType: true}
	for _, c := range []struct {
		name       string
		physical   fileformat.PhysicalType
		length     int
		logical    fileformat.LogicalType
		usable     map[fileformat.ColumnOrder]bool
		deprecated bool
	}{
		{"BOOLEAN", fileformat.Boolean, 0, none, typeOrder, true},
		{"INT32", fileformat.Int32, 0, none, typeOrder, true},
		{"INT(32, unsigned)", fileformat.Int32, 0, integer(32, false), typeOrder, false},
		{"INT(64, unsigned)", fileformat.Int64, 0, integer(64, false), typeOrder, false},
		{"INT64", fileformat.Int64, 0, integer(64, true), typeOrder, true},
		{"FLOAT", fileformat.Float, 0, none, map[fileformat.ColumnOrder]bool{fileformat.OrderType: true, fileformat.OrderTotal: true}, true},
		{"FLOAT16", fileformat.FixedLenByteArray, 2, kind(fileformat.LogicalFloat16), map[fileformat.ColumnOrder]bool{fileformat.OrderType: true, fileformat.OrderTotal: true}, false},
		{"INT96", fileformat.Int96Type, 0, none, map[fileformat.ColumnOrder]bool{fileformat.OrderInt96: true}, false},
		{"STRING", fileformat.ByteArray, 0, kind(fileformat.LogicalString), typeOrder, false},
		{"BYTE_ARRAY", fileformat.ByteArray, 0, none, typeOrder, false},
		{"UUID", fileformat.FixedLenByteArray, 16, kind(fileformat.LogicalUUID), typeOrder, false},
		{"DECIMAL in INT32", fileformat.Int32, 0, decimal, typeOrder, true},
		{"DECIMAL in FIXED", fileformat.FixedLenByteArray, 5, decimal, typeOrder, false},
		{"DATE", fileformat.Int32, 0, kind(fileformat.LogicalDate), typeOrder, true},
		{"INTERVAL", fileformat.FixedLenByteArray, 12, kind(fileformat.LogicalInterval), nil, false},
		{"BSON", fileformat.ByteArray, 0, kind(fileformat.LogicalBSON), nil, false},
		{"GEOMETRY", fileformat.ByteArray, 0, kind(fileformat.LogicalGeometry), nil, false},
		{"a later version's type", fileformat.Int32, 0, kind(fileformat.LogicalUnknownFuture), nil, false},
	} {
		n := optional(c.physical, c.logical)
		n.TypeLength = c.length
		class := leafColumn(t, n, vector.Type{}).class
		for _, o := range all {
			if got := class.usable(o); got != c.usable[o] {
				t.Errorf("%s under %v: usable %v", c.name, o, got)
			}
		}
		if got := class.deprecatedUsable(c.physical); got != c.deprecated {
			t.Errorf("%s: deprecated usable %v", c.name, got)
		}
	}
}

func TestDistrustedWriters(t *testing.T) {
	w := func(app string, version ...int) fileformat.Writer {
		out := fileformat.Writer{Application: app, HasVersion: len(version) > 0}
		if len(version) > 1 {
			out.Major, out.Minor = version[0], version[1]
		}
		return out
	}
	fixed, bytes := fileformat.FixedLenByteArray, fileformat.ByteArray
	for _, c := range []struct {
		writer                  fileformat.Writer
		text, fixedDec, byteDec bool // distrusted
	}{
		{w("parquet-mr", 1, 7), true, true, true},
		{w("parquet-mr"), true, true, true},
		{w("parquet-mr", 1, 8), false, true, true},
		{w("parquet-mr", 1, 10), false, false, false},
		{w("parquet-cpp-arrow", 3, 0), false, true, true},
		{w("parquet-cpp-arrow", 4, 0), false, false, false},
		{w("parquet-cpp", 1, 5), false, true, true},
		{w("github.com/parquet-go/parquet-go", 0, 25), false, true, true},
		{w("github.com/segmentio/parquet-go", 0, 0), false, true, true},
		{w("polars"), false, true, true},
		{w("parquet-rs", 55, 0), false, false, true},
		{w("parquet-rs", 12, 0), false, true, true},
		{w("parquet-rs", 5, 1), true, true, true},
		{w("parquet-rs", 5, 2), false, true, true},
		{w("hyparquet"), true, true, true},
		{w("duckdb", 1, 2), false, false, true},
		{fileformat.Writer{}, false, false, true},
	} {
		if byteOrder.distrusted(c.writer, bytes, false) != c.text || decimalOrder.distrusted(c.writer, fixed, false) != (c.fixedDec || c.text) ||
			decimalOrder.distrusted(c.writer, bytes, false) != (c.byteDec || c.text) || signedOrder.distrusted(c.writer, fileformat.Int32, true) {
			t.Errorf("%+v", c.writer)
		}
	}
	for app, want := range map[string]bool{"arrow2 - native rust implementation of arrow": true, "polars": false} {
		if signedOrder.distrusted(w(app), fileformat.Int64, false) != want {
			t.Errorf("%s: bounds of integers", app)
		}
	}
	if !distrustSmallDecimals(w("hyparquet")) || distrustSmallDecimals(w("parquet-mr", 1, 8)) {
		t.Error("DECIMAL in INT32")
	}
	if !distrustBooleans(w("polars")) || !distrustBooleans(w("parquet-go", 10, 0)) || distrustBooleans(w("parquet-go", 12, 0)) || distrustBooleans(w("parquet-mr", 1, 8)) {
		t.Error("BOOLEAN")
	}
	for version, want := range map[int]bool{5: false, 6: true, 10: true, 11: false} {
		if arrow := w("parquet-cpp-arrow", version, 0); byteOrder.distrusted(arrow, bytes, true) != want || byteOrder.distrusted(arrow, bytes, false) {
			t.Errorf("Arrow %d: bounds of a chunk with a dictionary", version)
		}
	}
	for _, c := range []struct {
		writer          fileformat.Writer
		counted, listed bool // believed with encoding_stats, and with encodings alone
	}{
		{w("parquet-mr", 1, 10), true, true}, {w("parquet-mr"), false, false}, {w("parquet-cpp-arrow", 4, 0), true, true},
		{w("parquet-go", 6, 0), false, false}, {w("parquet-go", 7, 0), true, true}, {w("parquet-go"), false, false},
		{w("parquet-rs", 54, 3), true, true}, {w("parquet-rs", 55, 0), true, false}, {w("parquet-rs"), false, false},
		{w("github.com/parquet-go/parquet-go", 0, 25), false, false}, {w("duckdb", 1, 2), false, false}, {fileformat.Writer{}, false, false},
	} {
		if countsEncodings(c.writer, true) != c.counted || countsEncodings(c.writer, false) != c.listed {
			t.Errorf("encodings of %+v", c.writer)
		}
	}
	for _, c := range []struct {
		writer fileformat.Writer
		nulls  bool // distrusted
	}{
		{w("parquet-mr", 1, 9), true}, {w("parquet-mr", 1, 10), false}, {w("parquet-mr"), true}, {w("parquet-cpp", 1, 5), true},
		{w("parquet-cpp-arrow", 5, 0), true}, {w("parquet-cpp-arrow", 6, 0), false}, {w("polars"), true},
		{w("arrow2 - native rust implementation of arrow"), true}, {w("parquet-rs", 50, 0), false}, {w("duckdb", 1, 2), false}, {fileformat.Writer{}, false},
	} {
		if distrustNullCount(c.writer) != c.nulls {
			t.Errorf("null_count of %+v", c.writer)
		}
	}
}

// TestDistrustedNulls: null_count and null_pages of a column index are used if they
// are trusted, and a page without values has no bounds either way.
func TestDistrustedNulls(t *testing.T) {
	c := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{}), vector.Type{})
	x := &fileformat.ColumnIndex{NullPages: []bool{false, true}, Min: [][]byte{int32s(1), nil}, Max: [][]byte{int32s(5), nil}, NullCounts: []int64{0, 10}}
	for trust, want := range map[pageTrust][]int64{
		{bounds: true}:                               {-1, -1},
		{bounds: true, nulls: true}:                  {0, -1},
		{bounds: true, nullPages: true}:              {-1, 10},
		{bounds: true, nulls: true, nullPages: true}: {0, 10},
	} {
		for page, nulls := range want {
			if s := c.page(x, page, 10, trust); s.Nulls != nulls || (s.Min != nil) != (page == 0) {
				t.Errorf("%+v, page %d: %+v", trust, page, s)
			}
		}
	}
	for _, k := range []struct {
		writer       string
		outer, inner bool // distrusted outside of and within a list
	}{{"polars", true, true}, {"hyparquet", true, true}, {"parquet-rs", false, true}, {"parquet-mr", false, false}, {"parquet-cpp-arrow", false, false}} {
		w := fileformat.Writer{Application: k.writer, HasVersion: true, Major: 60}
		if distrustNullPages(w, false) != k.outer || distrustNullPages(w, true) != k.inner {
			t.Errorf("null_pages of %s", k.writer)
		}
	}
}

func double(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }

func int32s(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

// TestBounds: bounds whose bytes are wrong or cannot be trusted.
func TestBounds(t *testing.T) {
	c := leafColumn(t, optional(fileformat.Double, fileformat.LogicalType{}), vector.Type{})
	lo, hi := c.bounds(double(0), double(math.Copysign(0, -1)))
	if lo == nil || hi == nil || !math.Signbit(lo.F64) || math.Signbit(hi.F64) {
		t.Errorf("zeros are not widened: %v %v", lo, hi)
	}
	if lo, hi := c.bounds(double(1), double(math.NaN())); lo != nil || hi != nil {
		t.Errorf("bounds that come with a NaN: %v %v", lo, hi)
	}
	if lo, hi := c.bounds(double(2), double(1)); lo != nil || hi != nil {
		t.Errorf("contradicting bounds: %v %v", lo, hi)
	}
	if lo, hi := c.bounds(double(1)[:5], double(3)); lo != nil || hi == nil || hi.F64 != 3 {
		t.Errorf("a bound of the wrong length: %v %v", lo, hi)
	}
	wide := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{}), vector.Of(vector.BigInt))
	lo, _ = wide.bounds(int32s(-7), nil)
	if got := wide.Converter().Bound(lo); got == nil || got.I64 != -7 || got.Type.Kind != vector.BigInt {
		t.Errorf("INT32 bound as BIGINT: %v", got)
	}
	text := leafColumn(t, optional(fileformat.ByteArray, fileformat.LogicalType{Kind: fileformat.LogicalString}), vector.Type{})
	if lo, hi := text.bounds([]byte{}, []byte("b")); lo == nil || lo.Str != "" || hi == nil || hi.Str != "b" {
		t.Errorf("the empty string is a bound: %v %v", lo, hi)
	}
	for _, max := range []string{"\xff\xff\xff", ""} {
		if lo, hi := text.bounds([]byte(""), []byte(max)); lo == nil || hi != nil {
			t.Errorf("a maximum of which %q is left: %v %v", max, lo, hi)
		}
	}
	if lo, hi := text.bounds([]byte("\x02\x00\x00\x00ab"), []byte("\x01\x00\x00\x00c")); lo != nil || hi != nil {
		t.Errorf("lengths in front: %v %v", lo, hi)
	}
	four := optional(fileformat.FixedLenByteArray, fileformat.LogicalType{})
	four.TypeLength = 4
	for length, bounded := range map[int]bool{3: false, 4: true} {
		if _, hi := leafColumn(t, four, vector.Type{}).bounds(nil, []byte("\xff\xff\xff\xff")[:length]); (hi != nil) != bounded {
			t.Errorf("%d bytes 0xFF in a column of 4: %v", length, hi)
		}
	}
	narrow := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalInteger, BitWidth: 8, Signed: true}), vector.Type{})
	if lo, hi := narrow.bounds(int32s(10), int32s(260)); lo != nil || hi != nil {
		t.Errorf("260 reads as 4, which is less than the minimum: %v %v", lo, hi)
	}
	if lo, hi := narrow.bounds(int32s(-10), int32s(100)); lo == nil || lo.I64 != -10 || hi == nil || hi.I64 != 100 {
		t.Errorf("bounds of an INT(8): %v %v", lo, hi)
	}
	unsigned := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{Kind: fileformat.LogicalInteger, BitWidth: 32}), vector.Type{})
	if lo, hi := unsigned.bounds(int32s(1), int32s(-1)); lo == nil || hi == nil || hi.I64 != math.MaxUint32 {
		t.Errorf("unsigned bounds: %v %v", lo, hi)
	}
}

// TestPageCounts: counts and NULL pages that agree, and those that do not.
func TestPageCounts(t *testing.T) {
	c := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{}), vector.Type{})
	page := func(null bool, nulls int64, min, max []byte) *fileformat.ColumnIndex {
		x := &fileformat.ColumnIndex{Order: fileformat.OrderType, NullPages: []bool{null}, Min: [][]byte{min}, Max: [][]byte{max}}
		if nulls >= 0 {
			x.NullCounts = []int64{nulls}
		}
		return x
	}
	for _, k := range []struct {
		name   string
		index  *fileformat.ColumnIndex
		nulls  int64
		bounds bool
	}{
		{"plain", page(false, 2, int32s(1), int32s(5)), 2, true},
		{"no counts", page(false, -1, int32s(1), int32s(5)), -1, true},
		{"all NULL", page(true, 10, nil, nil), 10, false},
		{"all NULL without counts", page(true, -1, []byte{}, []byte{}), 10, false},
		{"a page of NULLs with fewer of them", page(true, 4, int32s(1), int32s(5)), -1, false},
		{"bounds but nothing but NULLs", page(false, 10, int32s(1), int32s(5)), -1, false},
		{"more NULLs than rows", page(false, 11, int32s(1), int32s(5)), -1, true},
	} {
		s := c.page(k.index, 0, 10, pageTrust{bounds: true, nulls: true, nullPages: true})
		if s.Nulls != k.nulls || (s.Min != nil) != k.bounds || (s.Max != nil) != k.bounds || s.MayHaveNaN {
			t.Errorf("%s: %+v", k.name, s)
		}
	}
	f := leafColumn(t, optional(fileformat.Double, fileformat.LogicalType{}), vector.Type{})
	x := page(false, 0, double(1), double(2))
	if s := f.page(x, 0, 10, pageTrust{bounds: true, nulls: true, nullPages: true}); !s.MayHaveNaN || s.Min == nil || s.MinExact {
		t.Errorf("floats without nan_counts: %+v", s)
	}
	x.NaNCounts = []int64{0}
	if s := f.page(x, 0, 10, pageTrust{bounds: true, nulls: true, nullPages: true}); s.MayHaveNaN {
		t.Errorf("floats without NaN: %+v", s)
	}
}

func TestSaysAllDictionary(t *testing.T) {
	chunk := func(encodings []fileformat.Encoding, stats ...fileformat.PageEncodingStats) *fileformat.ColumnChunk {
		return &fileformat.ColumnChunk{Meta: fileformat.ColumnMetaData{Encodings: encodings, EncodingStats: stats}}
	}
	dict, rle, plain, levels := fileformat.PlainDictionary, fileformat.RLEDictionary, fileformat.Plain, fileformat.RLE
	of := func(t fileformat.PageType, e fileformat.Encoding, n int32) fileformat.PageEncodingStats {
		return fileformat.PageEncodingStats{Type: t, Encoding: e, Count: n}
	}
	head := of(fileformat.DictionaryPage, plain, 1)
	for i, c := range []struct {
		chunk *fileformat.ColumnChunk
		all   bool
		pages int64
	}{
		{chunk(nil, head, of(fileformat.DataPage, rle, 3)), true, 3},
		{chunk(nil, head, of(fileformat.DataPageV2, rle, 3), of(fileformat.DataPageV2, plain, 1)), false, 4},
		{chunk(nil, head, of(fileformat.DataPage, rle, 3), of(fileformat.DataPage, plain, 0)), true, 3},
		{chunk(nil, head), false, 0},
		{chunk([]fileformat.Encoding{dict, levels}), true, -1},
		{chunk([]fileformat.Encoding{dict, levels, plain}), false, -1},
		{chunk([]fileformat.Encoding{rle, plain, levels}), false, -1},
		{chunk([]fileformat.Encoding{plain}), false, -1},
	} {
		if saysAllDictionary(c.chunk) != c.all || DataPages(c.chunk) != c.pages {
			t.Errorf("case %d: %v, %d pages", i, saysAllDictionary(c.chunk), DataPages(c.chunk))
		}
	}
}

package main

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"
	"time"
)

// julianEpoch is 1970-01-01 as INT96 counts days.
const julianEpoch = 2440588

func int96(days uint32, nanos uint64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, nanos), days)
}

func at(seconds, nanos int64) any {
	return map[string]string{"time": time.Unix(seconds, nanos).UTC().Format(time.RFC3339Nano)}
}

// scaled is a decimal's text.
func scaled(unscaled string, scale int) string {
	sign := ""
	if strings.HasPrefix(unscaled, "-") {
		sign, unscaled = "-", unscaled[1:]
	}
	if len(unscaled) <= scale {
		unscaled = strings.Repeat("0", scale+1-len(unscaled)) + unscaled
	}
	if scale == 0 {
		return sign + unscaled
	}
	return sign + unscaled[:len(unscaled)-scale] + "." + unscaled[len(unscaled)-scale:]
}

// twosComplement is big-endian, of n bytes or as few as suffice.
func twosComplement(text string, n int) []byte {
	v, _ := new(big.Int).SetString(text, 10)
	if n == 0 {
		n = v.BitLen()/8 + 1
	}
	if v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return v.FillBytes(make([]byte, n))
}

// rareTypes has few rows of edge values for each type of the README's table of types.
func rareTypes() map[string]rare {
	out := map[string]rare{}
	out["types_logical"] = build(typeColumns(false)...)
	legacy := build(typeColumns(true)...)
	legacy.file.more = []field{{1, int32(2)}}
	out["types_converted_version_2"] = legacy
	out["decimal_60_digits"] = decimals()
	days := []uint32{1721426, julianEpoch - 1, 2634167, 5373484, 9000000, 0}
	var stored []byte
	var values []any
	for i, d := range days {
		nanos := uint64(i) * 12_345_678_901_234
		stored = append(stored, int96(d, nanos)...)
		values = append(values, at((int64(d)-julianEpoch)*86400, int64(nanos)))
	}
	out["int96_far"] = build(one("at", "TIMESTAMP", typeInt96, v1(len(days), plain, stored), values))
	future := func(name, sqlType string, kind int32, p page, values []any, more ...field) rareColumn {
		return one(name, sqlType, kind, p, values, more...)
	}
	out["types_of_the_future"] = build(
		future("i", "INTEGER", typeInt32, v1(2, plain, plainInt32(1, -2)), anys(1, -2), logical(40)),
		future("b", "BLOB", typeBytes, v1(2, plain, plainBytes("x", "")), anys(hexOf([]byte("x")), hexOf(nil)), logical(41, field{1, "parameter"}, field{2, fields{{1, int32(3)}}})),
		future("c", "BIGINT", typeInt64, v1(2, plain, plainInt64(5, 6)), anys(5, 6), converted(99)),
		future("unit", "BIGINT", typeInt64, v1(2, plain, plainInt64(5, 6)), anys(5, 6), logical(8, field{1, true}, field{2, fields{{9, fields{}}}})),
		future("union", "INTEGER", typeInt32, v1(2, plain, plainInt32(3, 4)), anys(3, 4), field{10, fields{}}),
		future("misplaced", "DOUBLE", typeDouble, v1(2, plain, plainDouble(1.5, 2.5)), anys(1.5, 2.5), logical(6)),
	)
	return out
}

func decimals() rare {
	unscaled := []string{strings.Repeat("9", 60), "-" + strings.Repeat("123456", 10), "0", "-1", "1000000000000000000000000000000000000000"}
	var wide, padded [][]byte
	var texts, whole []any
	for _, u := range unscaled {
		wide, padded = append(wide, twosComplement(u, 0)), append(padded, twosComplement(u, 30))
		texts, whole = append(texts, scaled(u, 20)), append(whole, scaled(u, 0))
	}
	var bytes, fixed []byte
	for i := range wide {
		bytes = append(bytes, prefixed(wide[i])...)
		fixed = append(fixed, padded[i]...)
	}
	n := len(unscaled)
	decimal := logical(5, field{1, int32(20)}, field{2, int32(60)})
	return build(
		one("b", "DECIMAL", typeBytes, v1(n, plain, bytes), texts, decimal),
		one("f", "DECIMAL", typeFixed, v1(n, plain, fixed), texts, field{2, int32(30)}, converted(5), field{7, int32(20)}, field{8, int32(60)}),
		one("z", "DECIMAL", typeBytes, v1(n, plain, bytes), whole, converted(5), field{8, int32(61)}),
	)
}

// typeColumns annotates by LogicalType, or only by the older ConvertedType.
func typeColumns(legacy bool) []rareColumn {
	var out []rareColumn
	add := func(name, sqlType string, kind int32, data []byte, values []any, new, old []field) {
		annotation := new
		if legacy {
			annotation = old
		}
		if annotation != nil {
			out = append(out, one(name, sqlType, kind, v1(3, plain, data), values, annotation...))
		}
	}
	is := func(f ...field) []field { return f }
	integer := func(bits int8, signed bool) []field { return is(logical(10, field{1, bits}, field{2, signed})) }
	unit := func(n int) fields { return fields{{n, fields{}}} }
	timed := func(member int, utc bool, n int) []field {
		return is(logical(member, field{1, utc}, field{2, unit(n)}))
	}

	add("i8", "TINYINT", typeInt32, plainInt32(-128, 0, 127), anys(-128, 0, 127), integer(8, true), is(converted(15)))
	add("i16", "SMALLINT", typeInt32, plainInt32(-32768, 0, 32767), anys(-32768, 0, 32767), integer(16, true), is(converted(16)))
	add("i32", "INTEGER", typeInt32, plainInt32(math.MinInt32, 0, math.MaxInt32), anys(math.MinInt32, 0, math.MaxInt32), integer(32, true), is(converted(17)))
	add("i64", "BIGINT", typeInt64, plainInt64(math.MinInt64, 0, math.MaxInt64), anys(math.MinInt64, 0, math.MaxInt64), integer(64, true), is(converted(18)))
	add("u8", "UTINYINT", typeInt32, plainInt32(0, 128, 255), anys(0, 128, 255), integer(8, false), is(converted(11)))
	add("u16", "USMALLINT", typeInt32, plainInt32(0, 32768, 65535), anys(0, 32768, 65535), integer(16, false), is(converted(12)))
	add("u32", "UINTEGER", typeInt32, plainInt32(0, math.MinInt32, -1), anys[uint32](0, 1<<31, math.MaxUint32), integer(32, false), is(converted(13)))
	add("u64", "UBIGINT", typeInt64, plainInt64(0, math.MinInt64, -1), anys[uint64](0, 1<<63, math.MaxUint64), integer(64, false), is(converted(14)))
	decimal := func(scale, precision int32) ([]field, []field) {
		return is(logical(5, field{1, scale}, field{2, precision})), is(converted(5), field{7, scale}, field{8, precision})
	}
	new, old := decimal(2, 9)
	add("d32", "DECIMAL", typeInt32, plainInt32(-1, 0, 123456789), anys("-0.01", "0.00", "1234567.89"), new, old)
	new, old = decimal(0, 18)
	add("d64", "DECIMAL", typeInt64, plainInt64(-999999999999999999, 7, 42), anys("-999999999999999999", "7", "42"), new, old)
	new, old = decimal(4, 4)
	add("dfix", "DECIMAL", typeFixed, []byte{0xd8, 0xf1, 0, 1, 0x27, 0x0f}, anys("-0.9999", "0.0001", "0.9999"), append(new, field{2, int32(2)}), append(old, field{2, int32(2)}))
	add("date", "DATE", typeInt32, plainInt32(-719162, 0, 2932896), anys(at(-719162*86400, 0), at(0, 0), at(2932896*86400, 0)), is(logical(6)), is(converted(6)))
	for _, utc := range []bool{false, true} {
		suffix, kind := "", "TIMESTAMP"
		if utc {
			suffix, kind = "_utc", "TIMESTAMPTZ"
		}
		var timeMillis, timeMicros, atMillis, atMicros []field
		if utc {
			timeMillis, timeMicros, atMillis, atMicros = is(converted(7)), is(converted(8)), is(converted(9)), is(converted(10))
		}
		add("t_ms"+suffix, "TIME", typeInt32, plainInt32(0, 1, 86399999), anys("00:00:00.000", "00:00:00.001", "23:59:59.999"), timed(7, utc, 1), timeMillis)
		add("t_us"+suffix, "TIME", typeInt64, plainInt64(0, 1, 86399999999), anys("00:00:00.000000", "00:00:00.000001", "23:59:59.999999"), timed(7, utc, 2), timeMicros)
		add("t_ns"+suffix, "TIME", typeInt64, plainInt64(0, 1, 86399999999999), anys("00:00:00.000000000", "00:00:00.000000001", "23:59:59.999999999"), timed(7, utc, 3), nil)
		add("ts_ms"+suffix, kind, typeInt64, plainInt64(-1, 0, 253402300799999), anys(at(-1, 999e6), at(0, 0), at(253402300799, 999e6)), timed(8, utc, 1), atMillis)
		add("ts_us"+suffix, kind, typeInt64, plainInt64(-1, 0, 253402300799999999), anys(at(-1, 999999e3), at(0, 0), at(253402300799, 999999e3)), timed(8, utc, 2), atMicros)
		add("ts_ns"+suffix, kind, typeInt64, plainInt64(-1, math.MinInt64, math.MaxInt64), anys(at(-1, 999999999), at(0, math.MinInt64), at(0, math.MaxInt64)), timed(8, utc, 3), nil)
	}
	interval := plainInt32(0, 0, 0, 14, 3, 14706007, 0, 0, 1)
	add("interval", "INTERVAL", typeFixed, interval, anys("PT0S", "P1Y2M3DT4H5M6.007S", "PT0.001S"), nil, is(converted(21), field{2, int32(12)}))
	add("text", "VARCHAR", typeBytes, plainBytes("", "ä", "z"), anys("", "ä", "z"), is(logical(1)), is(converted(0)))
	add("enum", "ENUM", typeBytes, plainBytes("RED", "", "RED"), anys("RED", "", "RED"), is(logical(4)), is(converted(4)))
	add("json", "JSON", typeBytes, plainBytes(`{"a": 1}`, "null", "[]"), anys(`{"a": 1}`, "null", "[]"), is(logical(12)), is(converted(19)))
	doc := "\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"
	object := map[string]any{"json": map[string]int{"a": 1}}
	add("bson", "BSON", typeBytes, plainBytes(doc, doc, "\x05\x00\x00\x00\x00"), anys[any](object, object, map[string]any{"json": map[string]int{}}), is(logical(13)), is(converted(20)))
	add("uuid", "UUID", typeFixed, join(make([]byte, 16), []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"), []byte(strings.Repeat("\xff", 16))),
		anys("00000000-0000-0000-0000-000000000000", "00112233-4455-6677-8899-aabbccddeeff", "ffffffff-ffff-ffff-ffff-ffffffffffff"), is(logical(14), field{2, int32(16)}), nil)
	add("half", "HALF", typeFixed, []byte{0x00, 0x3c, 0x01, 0x00, 0x00, 0xfc}, []any{1.0, float32(5.9604645e-8), number(math.Inf(-1), 32)}, is(logical(15), field{2, int32(2)}), nil)
	point := "\x01\x01\x00\x00\x00" + strings.Repeat("\x00", 16)
	shape := hexOf([]byte(point))
	add("geometry", "GEOMETRY", typeBytes, plainBytes(point, point, ""), anys(shape, shape, hexOf(nil)), is(logical(17, field{1, "EPSG:3857"})), nil)
	add("geography", "GEOGRAPHY", typeBytes, plainBytes(point, point, point), anys(shape, shape, shape), is(logical(18, field{2, int32(4)})), nil)
	if !legacy {
		none := one("unknown", "NULL", typeInt32, v1(3, plain, nil).levelled(nil, run(3, 0)), times(3, nil), logical(11)).nullable()
		out = append(out, none)
	}
	out = append(out, one("raw", "BLOB", typeBytes, v1(3, plain, plainBytes("", "\x00", "\xff")), anys(hexOf(nil), hexOf([]byte{0}), hexOf([]byte{0xff}))))
	return out
}

// rareMetadata has footers of kinds that few writers write.
func rareMetadata() map[string]rare {
	out := map[string]rare{}
	ints := func(name string) rareColumn {
		return one(name, "INTEGER", typeInt32, v1(3, plain, plainInt32(1, 2, 3)), anys(1, 2, 3))
	}
	doubles := func(name string) rareColumn {
		return one(name, "DOUBLE", typeDouble, v1(3, plain, plainDouble(1, math.NaN(), 3)), []any{1.0, number(math.NaN(), 64), 3.0})
	}
	orders := build(ints("unknown"), doubles("total"), doubles("none"))
	orders.file.more = []field{{7, listOf(wireStruct, fields{{9, fields{{1, "collation"}}}}, fields{{2, fields{}}}, fields{})}}
	lying := bounds(plainInt32(50), plainInt32(60)) // in an unknown order
	orders.file.groups[0].chunks[0].meta = []field{{12, lying}}
	one64, three := plainDouble(1.0), plainDouble(3.0)
	orders.file.groups[0].chunks[1].meta = []field{{12, bounds(one64, three, field{9, int64(1)})}}
	orders.file.groups[0].chunks[2].meta = []field{{12, bounds(one64, three)}}
	out["column_orders"] = orders

	bare := build(ints("x"))
	bare.file.more = []field{{3, int64(0)}, {6, nil}}
	bare.file.groups[0].chunks[0].meta = []field{{2, nil}, {3, nil}}
	out["as_little_as_possible"] = bare

	full := build(ints("x"), ints("y"))
	full.file.root = []field{{3, required}, {9, int32(7)}}
	full.file.more = []field{
		{5, listOf(wireStruct, fields{{1, "key"}, {2, "value"}}, fields{{1, "no value"}})},
		{7, listOf(wireStruct, fields{{1, fields{}}}, fields{{1, fields{}}})},
		{300, fields{{1, listOf(wireStruct, fields{{1, true}}, fields{{2, 1.5}})}, {2, raw{wireMap, []byte{0}}}}},
		{301, raw{wireMap, []byte{1, 0x85, 1, 'k', 4}}},
	}
	full.file.groups[0].more = []field{
		{4, listOf(wireStruct, fields{{1, int32(0)}, {2, false}, {3, true}})}, {5, int64(4)}, {6, int64(100)}, {7, int16(0)}, {90, "new"},
	}
	full.file.groups[0].chunks[0].columnIndex = fields{
		{1, listOf(wireBool, false)}, {2, listOf(wireBinary, plainInt32(1))}, {3, listOf(wireBinary, plainInt32(3))},
		{4, int32(1)}, {5, listOf(wireI64, int64(0))}, {6, listOf(wireI64, int64(3))}, {40, "new"},
	}
	full.file.groups[0].chunks[0].offsetIndex = offsets
	full.file.groups[0].chunks[0].meta = []field{
		{8, listOf(wireStruct, fields{{1, "chunk key"}, {2, "v"}})}, {10, int64(0)},
		{12, bounds(plainInt32(1), plainInt32(3), field{4, int64(3)}, field{7, true}, field{8, true})},
		{13, listOf(wireStruct, fields{{1, dataPage}, {2, plain}, {3, int32(1)}})},
		{16, fields{{2, listOf(wireI64, int64(3))}, {3, listOf(wireI64, int64(3))}}}, {77, 1.25},
	}
	out["everything_in_the_footer"] = full

	swapped := build(ints("a"), one("b", "INTEGER", typeInt32, v1(3, plain, plainInt32(7, 8, 9)), anys(7, 8, 9)))
	chunks := swapped.file.groups[0].chunks
	chunks[0], chunks[1] = chunks[1], chunks[0]
	out["chunks_out_of_order"] = swapped

	none := build(ints("x"))
	none.file.groups = append([]group{{rows: 0, chunks: []chunk{{path: []string{"x"}, kind: typeInt32}}}}, none.file.groups...)
	out["row_group_without_rows"] = none

	nothing := build(ints("x"))
	nothing.file.groups, nothing.answer.rows = nil, nil
	out["no_row_groups"] = nothing
	return out
}

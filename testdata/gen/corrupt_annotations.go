package main

import (
	"bytes"
	"math"
	"strings"
)

// rareAnnotations have logical types with parameters that the specification does not foresee.
func rareAnnotations() map[string]rare {
	out := map[string]rare{}
	out["decimal_huge_scale"] = hugeScales()
	out["decimal_odd_parameters"] = oddDecimals()
	out["annotations_misplaced"] = misplaced()
	return out
}

// oddDecimals have no precision, or one that is less than the scale: the scale alone says what
// the values are. A negative scale makes no DECIMAL.
func oddDecimals() rare {
	ints := func(name string, texts []any, sqlType string, more ...field) rareColumn {
		return one(name, sqlType, typeInt32, v1(3, plain, plainInt32(825110576, 5, -1)), texts, more...)
	}
	return build(
		ints("scale_over", anys("0.825110576", "0.000000005", "-0.000000001"), "DECIMAL", decimal(5, 9)),
		ints("scale_far_over", anys("0."+strings.Repeat("0", 31)+"825110576", "0."+strings.Repeat("0", 39)+"5", "-0."+strings.Repeat("0", 39)+"1"), "DECIMAL", decimal(5, 40)),
		ints("converted_over", anys("0.825110576", "0.000000005", "-0.000000001"), "DECIMAL", converted(5), field{7, int32(9)}, field{8, int32(5)}),
		ints("none", anys("825110576", "5", "-1"), "DECIMAL", decimal(0, 0)),
		ints("none_scaled", anys("8251105.76", "0.05", "-0.01"), "DECIMAL", decimal(0, 2)),
		ints("negative_precision", anys("825110576", "5", "-1"), "DECIMAL", decimal(-3, 0)),
		ints("converted_without", anys("825110576", "5", "-1"), "DECIMAL", converted(5)),
		ints("negative_scale", anys(825110576, 5, -1), "INTEGER", decimal(5, -2)),
		ints("negative_both", anys(825110576, 5, -1), "INTEGER", decimal(-1, -1)),
		one("longs", "DECIMAL", typeInt64, v1(3, plain, plainInt64(math.MinInt64, 0, math.MaxInt64)), anys("-9223372036854775.808", "0.000", "9223372036854775.807"), decimal(0, 3)),
		one("bytes", "DECIMAL", typeBytes, v1(3, plain, plainBytes("\x01\x00", "", "\xff")), anys("256", "0", "-1"), decimal(0, 0)),
		one("fixed", "DECIMAL", typeFixed, v1(3, plain, []byte{0x80, 0, 0, 1, 0x7f, 0xff}), anys("-3276.8", "0.1", "3276.7"), decimal(0, 1), field{2, int32(2)}),
		one("sixteen", "DECIMAL", typeFixed, v1(3, plain, join(twosComplement("-7", 16), twosComplement("0", 16), twosComplement("12345678901234567890", 16))),
			anys("-7", "0", "12345678901234567890"), decimal(0, 0), field{2, int32(16)}),
	)
}

// misplaced are logical types on physical types that they may not annotate, which read as these,
// and groups of LIST, MAP and VARIANT that lack what makes one, which are groups.
func misplaced() rare {
	unit := func(member, n int) field {
		return logical(member, field{1, true}, field{2, fields{{n, fields{}}}})
	}
	ints := func(name string, more ...field) rareColumn {
		return one(name, "INTEGER", typeInt32, v1(2, plain, plainInt32(7, -8)), anys(7, -8), more...)
	}
	longs := func(name string, more ...field) rareColumn {
		return one(name, "BIGINT", typeInt64, v1(2, plain, plainInt64(7, -8)), anys(7, -8), more...)
	}
	blobs := func(name string, more ...field) rareColumn {
		return one(name, "BLOB", typeBytes, v1(2, plain, plainBytes("ab", "")), anys(hexOf([]byte("ab")), hexOf(nil)), more...)
	}
	fixed := func(name string, n int, more ...field) rareColumn {
		value := bytes.Repeat([]byte{0xf5}, n)
		return one(name, "BLOB", typeFixed, v1(2, plain, join(value, value)), anys(hexOf(value), hexOf(value)), append(more, field{2, int32(n)})...)
	}
	within := func(c rareColumn, group string, children int32, more ...field) rareColumn {
		c.path = []string{group, c.Name}
		c.schema = append([]fields{groupOf(group, required, children, more...)}, c.schema...)
		c.Name = group + "." + c.Name
		return c
	}
	second := ints("y")
	second.path, second.Name = []string{"list", "y"}, "list.y"
	return build(
		ints("integer_64", logical(10, field{1, int8(64)}, field{2, true})), ints("integer_7", logical(10, field{1, int8(7)}, field{2, true})),
		ints("time_micros", unit(7, 2)), ints("timestamp", unit(8, 1)), ints("string", logical(1)), ints("json", logical(12)), ints("list_leaf", logical(3)),
		ints("map_leaf", converted(1)), ints("enum", converted(4)), ints("uuid_int", logical(14)), ints("variant_leaf", logical(16)),
		longs("integer_8", logical(10, field{1, int8(8)}, field{2, true})), longs("integer_0", logical(10)), longs("date", logical(6)), longs("time_millis", unit(7, 1)),
		longs("time_no_unit", logical(7, field{1, true})), longs("uint_8_converted", converted(11)),
		one("decimal_double", "DOUBLE", typeDouble, v1(2, plain, plainDouble(1.5, 2.5)), anys(1.5, 2.5), decimal(5, 2)),
		blobs("uuid_bytes", logical(14)), blobs("interval_bytes", converted(21)), blobs("half_bytes", logical(15)), blobs("timestamp_bytes", unit(8, 3)), blobs("variant_bytes", logical(16)),
		fixed("uuid_4", 4, logical(14)), fixed("interval_11", 11, converted(21)), fixed("half_3", 3, logical(15)), fixed("bson", 5, logical(13)), fixed("geometry", 21, logical(17)),
		within(ints("a"), "variant", 1, logical(16)), within(ints("x"), "list", 2, logical(3)), second, within(ints("key"), "map", 1, logical(2)),
	)
}

// unreadableColumns has the columns id and g.a, which can be read, among others whose types or
// repetitions the specification does not have.
func unreadableColumns() layout {
	ids := func(name string) chunk {
		return chunk{path: strings.Split(name, "."), kind: typeInt32, pages: []page{v1(3, plain, plainInt32(1, 2, 3))}}
	}
	odd := func(name string, kind int32) chunk {
		c := ids(name)
		c.kind = kind
		return c
	}
	return layout{
		schema: []fields{
			element("id", typeInt32, required), element("fixed_0", typeFixed, required, field{2, int32(0)}), element("fixed_negative", typeFixed, optional, field{2, int32(-1)}, logical(14)),
			element("fixed_absent", typeFixed, required, decimal(5, 2)), element("type_99", 99, required, logical(1)), element("type_negative", -5, required),
			element("vector", typeInt32, 3), element("repetition_7", typeInt32, 7),
			groupOf("g", required, 2), element("a", typeInt32, required), element("b", 42, optional),
			groupOf("odd", 9, 1), element("c", typeInt32, required),
			groupOf("l", required, 1, converted(3)), groupOf("list", repeated, 1), element("element", typeFixed, required),
		},
		groups: []group{{rows: 3, chunks: []chunk{
			ids("id"), odd("fixed_0", typeFixed), odd("fixed_negative", typeFixed), odd("fixed_absent", typeFixed), odd("type_99", 99), odd("type_negative", -5),
			ids("vector"), ids("repetition_7"), ids("g.a"), odd("g.b", 42), ids("odd.c"), odd("l.list.element", typeFixed),
		}}},
	}
}

// decimal is the annotation DECIMAL(precision, scale).
func decimal(precision, scale int32) field {
	return logical(5, field{1, scale}, field{2, precision})
}

// hugeScales are decimals nearly all of whose digits are zeros that the file does not have.
// CockroachDB writes precision and scale 2147483647 for a DECIMAL without them.
func hugeScales() rare {
	unscaled := []string{"825110576", "5", "-12", "0"}
	var data []byte
	for _, u := range unscaled {
		data = append(data, prefixed(twosComplement(u, 0))...)
	}
	most := int32(1<<31 - 1)
	mad := one("d", "DECIMAL", typeBytes, v1(4, plain, data),
		anys("8.25110576E-2147483639", "5E-2147483647", "-1.2E-2147483646", "0E-2147483647"), decimal(most, most))
	mad.meta = []field{{12, bounds(twosComplement("-12", 0), twosComplement("825110576", 0), field{7, true}, field{8, true})}}
	return build(
		one("id", "INTEGER", typeInt32, v1(4, plain, plainInt32(1, 2, 3, 4)), anys(1, 2, 3, 4)), mad,
		one("whole", "DECIMAL", typeBytes, v1(4, plain, data), anys("825110576", "5", "-12", "0"), decimal(most, 0)),
		one("exponent", "DECIMAL", typeInt64, v1(4, plain, plainInt64(825110576, 5, -12, 0)), anys("8.25110576E-4089", "5E-4097", "-1.2E-4096", "0E-4097"), decimal(5000, 4097)),
		one("digits", "DECIMAL", typeFixed, v1(4, plain, []byte{1, 0, 0, 5, 0xff, 0xf4, 0, 0}),
			anys("0."+strings.Repeat("0", 4093)+"256", "0."+strings.Repeat("0", 4095)+"5", "-0."+strings.Repeat("0", 4094)+"12", "0."+strings.Repeat("0", 4096)), decimal(4096, 4096), field{2, int32(2)}),
	)
}

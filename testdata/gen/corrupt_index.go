package main

import (
	"bytes"
	"math"
)

// brokenDictionaries are wrong in the dictionary page or the codes.
func brokenDictionaries() map[string][]byte {
	v := victimInts
	whole := dictionary(16, ints(0, 16))
	coded := v1(4, rleDictionary, codes(4, 5, 6, 7))
	of := func(dict page, bad page) []byte { return v.file(dict, v.good(0, 4), bad, v.good(8, 4)).bytes() }
	out := map[string][]byte{
		"dictionary-missing":          v.file(v.good(0, 4), coded, v.good(8, 4)).bytes(),
		"dictionary-twice":            v.file(whole, v.good(0, 4), dictionary(16, ints(1, 16)), coded, v.good(8, 4)).bytes(),
		"dictionary-late":             v.file(v.good(0, 4), coded, whole, v.good(8, 4)).bytes(),
		"dictionary-last":             v.file(v.good(0, 4), coded, v.good(8, 4), whole).bytes(),
		"dictionary-entries-2e9":      of(dictionary(2e9, ints(0, 16)), coded),
		"dictionary-entries-negative": of(dictionary(-1, ints(0, 16)), coded),
		"dictionary-entries-few":      of(dictionary(5, ints(0, 16)), coded),
		"dictionary-cut":              of(dictionary(16, ints(0, 15)), coded),
		"dictionary-empty":            of(dictionary(0, nil), coded),
		"dictionary-size-2gib":        of(whole.head(field{3, int32(math.MaxInt32)}), coded),
		"dictionary-crc-wrong":        of(whole.head(field{4, int32(77)}), coded),
		"dictionary-encoding-rle":     of(whole.inner(field{2, rle}), coded),
		"dictionary-without-part":     of(whole.head(field{7, nil}), coded),
	}
	for name, data := range map[string][]byte{
		"dictionary-index-out-of-range":     codes(4, 5, 99, 7),
		"dictionary-index-just-outside":     codes(4, 5, 16, 7),
		"dictionary-index-packed-outside":   join([]byte{5}, packedRun(5, 4, 5, 31, 7)),
		"dictionary-index-2e31":             join([]byte{32}, run(3, 4, 0, 0, 0), run(1, 0, 0, 0, 0x80)),
		"dictionary-index-negative":         join([]byte{32}, run(3, 4, 0, 0, 0), run(1, 255, 255, 255, 255)),
		"rle-width-33":                      join([]byte{33}, run(4, 4, 0, 0, 0, 0)),
		"rle-width-255":                     join([]byte{255}, run(4, bytes.Repeat([]byte{0}, 32)...)),
		"rle-codes-few":                     codes(4, 5, 6),
		"rle-codes-none":                    {8},
		"rle-codes-without-width":           nil,
		"rle-codes-zero-length-runs":        join([]byte{8}, bytes.Repeat(run(0, 4), 2000)),
		"rle-codes-zero-length-packed-runs": join([]byte{8}, bytes.Repeat([]byte{1}, 2000)),
		"rle-codes-packed-run-2e31":         join([]byte{8}, uvarint(1<<32|1), []byte{4, 5, 6, 7}),
		"rle-codes-varint-endless":          join([]byte{8}, bytes.Repeat([]byte{0xff}, 30)),
	} {
		out[name] = of(whole, v1(4, rleDictionary, data))
	}
	return out
}

// bounds are min and max, as statistics have them.
func bounds(low, high []byte, more ...field) fields {
	return fields{{3, int64(0)}, {5, high}, {6, low}}.with(more...)
}

// typeOrders gives min_value and max_value a defined order.
var typeOrders = field{7, listOf(wireStruct, fields{{1, fields{}}}, fields{{1, fields{}}})}

// brokenStatistics have damage that only pruning reads: the rows stay right.
func brokenStatistics() map[string][]byte {
	out := map[string][]byte{}
	exact := []field{{7, true}, {8, true}}
	of := func(name string, v victim, statistics fields) {
		f := v.whole()
		f.more = []field{typeOrders}
		out["statistics-"+name] = meta(f, field{12, statistics})
	}
	of("of-3-bytes", victimInts, bounds([]byte{100, 0, 0}, []byte{111, 0, 0}, exact...))
	of("of-0-bytes", victimInts, bounds([]byte{}, []byte{}, exact...))
	of("of-8-bytes", victimInts, bounds(plainInt64(100), plainInt64(111), exact...))
	of("of-4-bytes-for-8", victimLongs, bounds(plainInt32(100), plainInt32(111), exact...))
	of("deprecated-of-1-byte", victimInts, fields{{1, []byte{111}}, {2, []byte{100}}, {3, int64(0)}})
	of("min-above-max", victimInts, bounds(plainInt32(111), plainInt32(100)))
	of("null-count-negative", victimOptional, bounds(plainInt32(100), plainInt32(111), field{3, int64(-5)}))
	of("null-count-many", victimOptional, bounds(plainInt32(100), plainInt32(111), field{3, int64(99)}))
	of("null-count-of-required", victimInts, bounds(plainInt32(100), plainInt32(111), field{3, int64(12)}))
	of("distinct-count-negative", victimInts, bounds(plainInt32(100), plainInt32(111), field{4, int64(-1)}))
	of("of-other-wire-type", victimInts, bounds(plainInt32(100), plainInt32(111), field{5, int64(100)}, field{6, int64(200)}))
	doubles := victim{
		schema: []fields{element("v", typeDouble, required)}, path: []string{"v"}, kind: typeDouble,
		good: func(from, n int) page { return v1(n, plain, plainDouble(numbered(from, n)...)) },
	}
	nan := plainInt64(int64(math.Float64bits(math.NaN())))
	of("nan", doubles, bounds(nan, nan, field{9, int64(0)}))
	of("nan-count-negative", doubles, bounds(plainInt64(int64(math.Float64bits(100))), plainInt64(int64(math.Float64bits(111))), field{9, int64(-3)}))
	return out
}

// brokenIndexes are wrong in the column index, the offset index or the bloom
// filter. Reading returns all rows or an error; no row may be missing.
func brokenIndexes() map[string][]byte {
	out := map[string][]byte{}
	v := victimInts
	low, high := [][]byte{ints(0, 1), ints(4, 1), ints(8, 1)}, [][]byte{ints(3, 1), ints(7, 1), ints(11, 1)}
	index := func(order int32) fields {
		return fields{
			{1, listOf(wireBool, false, false, false)}, {2, listOf(wireBinary, low...)}, {3, listOf(wireBinary, high...)},
			{4, order}, {5, listOf(wireI64, int64(0), int64(0), int64(0))},
		}
	}
	base := func() layout {
		f := v.whole()
		f.more = []field{typeOrders}
		return f
	}
	column := func(name string, x fields) {
		out["column-index-"+name] = chunkOf(base(), func(c *chunk) { c.columnIndex, c.offsetIndex = x, offsets })
	}
	column("right", index(1))
	column("descending-claimed", index(2))
	column("boundary-order-9", index(9))
	column("two-pages", fields{{1, listOf(wireBool, false, false)}, {2, listOf(wireBinary, low[:2]...)}, {3, listOf(wireBinary, high[:2]...)}, {4, int32(1)}})
	column("four-pages", fields{{1, listOf(wireBool, false, false, false, false)}, {2, listOf(wireBinary, append(low[:3:3], ints(12, 1))...)}, {3, listOf(wireBinary, append(high[:3:3], ints(15, 1))...)}, {4, int32(1)}})
	column("lists-disagree", index(1).with(field{2, listOf(wireBinary, low[:2]...)}))
	column("null-pages-2e9", index(1).with(field{1, list{of: wireBool, claim: 2e9}}))
	column("bounds-of-3-bytes", index(1).with(field{2, listOf(wireBinary, []byte{100, 0, 0}, []byte{104, 0, 0}, []byte{108, 0, 0})}))
	column("bounds-of-0-bytes", index(1).with(field{2, listOf(wireBinary, []byte{}, []byte{}, []byte{})}))
	column("min-above-max", index(0).with(field{2, listOf(wireBinary, high...)}, field{3, listOf(wireBinary, low...)}))
	column("null-page-of-values", index(1).with(field{1, listOf(wireBool, false, true, false)}))
	column("null-counts-negative", index(1).with(field{5, listOf(wireI64, int64(0), int64(-9), int64(0))}))
	column("null-counts-many", index(1).with(field{5, listOf(wireI64, int64(0), int64(99), int64(0))}))
	column("garbage", fields{{1, raw{wireBinary, uvarint(1 << 40)}}})
	contradicted := v.file(v.good(8, 4), v.good(0, 4), v.good(4, 4))
	contradicted.more = []field{typeOrders}
	var shuffled []int32
	for _, id := range []int32{8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7} {
		shuffled = append(shuffled, id)
	}
	contradicted.groups[0].chunks[0].pages[0].data = plainInt32(shuffled...)
	for name, order := range map[string]int32{"boundary-order-contradicted": 1, "boundary-order-contradicted-descending": 2} {
		x := index(order).with(field{2, listOf(wireBinary, low[2], low[0], low[1])}, field{3, listOf(wireBinary, high[2], high[0], high[1])})
		out[name] = chunkOf(contradicted, func(c *chunk) { c.columnIndex, c.offsetIndex = x, offsets })
	}
	offset := func(name string, change func(at []location) []location) {
		out["offset-index-"+name] = chunkOf(base(), func(c *chunk) {
			c.columnIndex = index(1)
			c.offsetIndex = func(at []location) fields { return offsets(change(at)) }
		})
	}
	offset("first-row-wrong", func(at []location) []location { at[1].row = 3; return at })
	offset("first-row-past-end", func(at []location) []location { at[2].row = 99; return at })
	offset("first-row-negative", func(at []location) []location { at[0].row = -1; return at })
	offset("rows-descend", func(at []location) []location { at[1].row, at[2].row = 8, 4; return at })
	offset("offset-shifted", func(at []location) []location { at[1].offset += 3; return at })
	offset("offset-past-file", func(at []location) []location { at[1].offset = 1e12; return at })
	offset("offset-negative", func(at []location) []location { at[1].offset = -8; return at })
	offset("pages-swapped", func(at []location) []location {
		at[1].offset, at[2].offset = at[2].offset, at[1].offset
		return at
	})
	offset("one-page-twice", func(at []location) []location { at[2].offset = at[1].offset; return at })
	offset("size-wrong", func(at []location) []location { at[1].size -= 10; return at })
	offset("size-negative", func(at []location) []location { at[1].size = -1; return at })
	offset("page-left-out", func(at []location) []location { return at[:2] })
	offset("page-left-out-inside", func(at []location) []location { return []location{at[0], at[2]} })
	offset("empty", func([]location) []location { return nil })
	wrong := func(name string, more ...field) {
		out["index-"+name] = chunkOf(base(), func(c *chunk) {
			c.columnIndex, c.offsetIndex, c.more = index(1), offsets, more
		})
	}
	wrong("offsets-past-file", field{4, int64(1e12)}, field{6, int64(1e12)})
	wrong("offsets-negative", field{4, int64(-4)}, field{6, int64(-4)})
	wrong("offsets-overflow", field{4, int64(math.MaxInt64 - 5)}, field{6, int64(math.MaxInt64 - 5)})
	wrong("offsets-in-pages", field{4, int64(20)}, field{6, int64(20)})
	wrong("lengths-2gib", field{5, int32(math.MaxInt32)}, field{7, int32(math.MaxInt32)})
	wrong("lengths-negative", field{5, int32(-1)}, field{7, int32(-1)})
	bloom := func(name string, bytes int32, bits int, more ...field) {
		header := fields{{1, bytes}, {2, fields{{1, fields{}}}}, {3, fields{{1, fields{}}}}, {4, fields{{1, fields{}}}}}
		all := make([]byte, bits)
		for i := range all {
			all[i] = 0xff // anything may be in it
		}
		out["bloom-"+name] = chunkOf(base(), func(c *chunk) { c.bloom, c.meta = append(header.bytes(), all...), more })
	}
	bloom("offset-past-file", 32, 32, field{14, int64(1e12)})
	bloom("offset-negative", 32, 32, field{14, int64(-9)})
	bloom("offset-overflow", 32, 32, field{14, int64(math.MaxInt64)})
	bloom("size-2gib", math.MaxInt32&^31, 32, field{15, nil})
	bloom("size-negative", -32, 32)
	bloom("size-0", 0, 32)
	bloom("size-not-whole-blocks", 33, 40)
	bloom("length-lies", 64, 32)
	bloom("length-negative", 32, 32, field{15, int32(-1)})
	return out
}

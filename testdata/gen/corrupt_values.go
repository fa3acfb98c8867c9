package main

import (
	"bytes"
	"math"
)

// brokenValues have a damaged values section.
func brokenValues() map[string][]byte {
	out := map[string][]byte{}
	block := func(widths []byte, bodies ...byte) []byte { return join(zigzag(1), widths, bodies) }
	four := []byte{0, 0, 0, 0}
	of := func(header []byte, rest ...[]byte) page {
		return v1(4, deltaBinary, join(append([][]byte{header}, rest...)...))
	}
	right := block(four)
	pages(out, victimLongs, map[string]page{
		"delta-block-size-0":          of(deltaHeader(0, 4, 4, 104), right),
		"delta-block-size-2e63":       of(deltaHeader(1<<63, 4, 4, 104), right),
		"delta-block-size-2e31":       of(deltaHeader(1<<31, 1<<20, 4, 104), right),
		"delta-miniblocks-0":          of(deltaHeader(128, 0, 4, 104), right),
		"delta-miniblocks-not-whole":  of(deltaHeader(128, 3, 4, 104), right),
		"delta-miniblocks-past-block": of(deltaHeader(128, 256, 4, 104), right),
		"delta-miniblocks-2e31":       of(deltaHeader(1<<31, 1<<31, 4, 104), right),
		"delta-total-count-2e9":       of(deltaHeader(128, 4, 2e9, 104), right),
		"delta-total-count-few":       of(deltaHeader(128, 4, 3, 104), right),
		"delta-total-count-0":         of(deltaHeader(128, 4, 0, 0)),
		"delta-width-65":              of(deltaHeader(128, 4, 4, 104), block([]byte{65, 0, 0, 0}, make([]byte, 300)...)),
		"delta-width-255":             of(deltaHeader(128, 4, 4, 104), block([]byte{255, 0, 0, 0}, make([]byte, 1100)...)),
		"delta-miniblock-cut":         of(deltaHeader(128, 4, 4, 104), block([]byte{32, 0, 0, 0}, 0, 0, 0)),
		"delta-widths-cut":            of(deltaHeader(128, 4, 4, 104), zigzag(1), []byte{0, 0}),
		"delta-header-cut":            of([]byte{0x80}),
		"delta-varint-endless":        of(bytes.Repeat([]byte{0xff}, 30)),
		"delta-of-no-bytes":           of(nil),
	})
	pages(out, victimInts, map[string]page{
		"delta-width-40-of-int32": v1(4, deltaBinary, join(deltaHeader(128, 4, 4, 104), block([]byte{40, 0, 0, 0}, bytes.Repeat([]byte{0xff}, 160)...))),
	})
	lengths := func(encoding int32, parts ...[]byte) page { return v1(4, encoding, join(parts...)) }
	digits := []byte("104105106107")
	pages(out, victimTexts, map[string]page{
		"delta-length-negative":     lengths(deltaLength, small(3, 3, -1, 3), digits),
		"delta-length-2gib":         lengths(deltaLength, small(3, 3, 3, math.MaxInt32), digits),
		"delta-length-2e63":         lengths(deltaLength, small(3, 3, 3, math.MaxInt64), digits),
		"delta-length-sum-past":     lengths(deltaLength, small(3, 3, 3, 4), digits),
		"delta-length-sum-wraps":    lengths(deltaLength, small(math.MaxInt64, math.MaxInt64, 2, 12), digits),
		"delta-length-few":          lengths(deltaLength, small(3, 3, 3), digits),
		"delta-bytes-first-prefix":  lengths(deltaBytes, small(2, 0, 0, 0), small(1, 3, 3, 3), digits),
		"delta-bytes-prefix-past":   lengths(deltaBytes, small(0, 9, 0, 0), small(3, 0, 3, 3), digits),
		"delta-bytes-prefix-minus":  lengths(deltaBytes, small(0, -1, 0, 0), small(3, 3, 3, 3), digits),
		"delta-bytes-prefix-2e31":   lengths(deltaBytes, small(0, math.MaxInt32, 0, 0), small(3, 3, 3, 3), digits),
		"delta-bytes-suffix-past":   lengths(deltaBytes, small(0, 0, 0, 0), small(3, 3, 3, 30), digits),
		"delta-bytes-suffixes-few":  lengths(deltaBytes, small(0, 0, 0, 0), small(3, 3, 3), digits),
		"delta-bytes-prefixes-many": lengths(deltaBytes, join(deltaHeader(128, 4, 2e9, 0), zigzag(0), four), small(3, 3, 3, 3), digits),
		"delta-bytes-prefixes-only": lengths(deltaBytes, small(0, 0, 0, 0)),
	})
	double := victim{
		schema: []fields{element("v", typeDouble, required)}, path: []string{"v"}, kind: typeDouble,
		good: func(from, n int) page { return v1(n, plain, plainDouble(numbered(from, n)...)) },
	}
	info := func(exponent, factor byte, exceptions uint16, frame int64, width byte) []byte {
		return join([]byte{exponent, factor, byte(exceptions), byte(exceptions >> 8)}, plainInt64(frame), []byte{width})
	}
	head := func(mode, integers, log byte, n int32) []byte {
		return join([]byte{mode, integers, log}, plainInt32(n))
	}
	packed := packLSB(2, []uint64{0, 1, 2, 3})
	pages(out, double, map[string]page{
		"alp-mode-9":              v1(4, alp, join(head(9, 0, 3, 4), plainInt32(4), info(0, 0, 0, 104, 2), packed)),
		"alp-log-vector-size-40":  v1(4, alp, join(head(0, 0, 40, 4), plainInt32(4), info(0, 0, 0, 104, 2), packed)),
		"alp-elements-2e9":        v1(4, alp, join(head(0, 0, 3, 2e9), plainInt32(4), info(0, 0, 0, 104, 2), packed)),
		"alp-elements-negative":   v1(4, alp, join(head(0, 0, 3, -4), plainInt32(4), info(0, 0, 0, 104, 2), packed)),
		"alp-elements-few":        v1(4, alp, join(head(0, 0, 3, 3), plainInt32(4), info(0, 0, 0, 104, 2), packed)),
		"alp-offset-past-page":    v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4000), info(0, 0, 0, 104, 2), packed)),
		"alp-exponent-19":         v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(19, 0, 0, 104, 2), packed)),
		"alp-factor-past":         v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(2, 3, 0, 104, 2), packed)),
		"alp-width-65":            v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(0, 0, 0, 104, 65), make([]byte, 80))),
		"alp-exceptions-many":     v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(0, 0, 65535, 104, 2), packed)),
		"alp-exception-past":      v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(0, 0, 1, 104, 2), packed, []byte{4, 0}, plainDouble(1))),
		"alp-packed-cut":          v1(4, alp, join(head(0, 0, 3, 4), plainInt32(4), info(0, 0, 0, 104, 64), packed)),
		"alp-header-cut":          v1(4, alp, []byte{0, 0, 3}),
		"byte-stream-split-short": v1(4, byteStreamSplit, make([]byte, 31)),
	})
	out["wkb-counts-lie"] = wkb()
	return out
}

// wkb is a geometry that states four billion points. Readers do not parse it: the
// value is these bytes.
func wkb() []byte {
	v := victim{
		schema: []fields{element("v", typeBytes, required, logical(17))}, path: []string{"v"}, kind: typeBytes,
		good: func(from, n int) page {
			var out []byte
			for range n {
				out = append(out, plainBytes("\x01\x02\x00\x00\x00\xff\xff\xff\xff")...)
			}
			return v1(n, plain, out)
		},
	}
	f := v.whole()
	box := fields{{1, math.NaN()}, {2, math.Inf(-1)}, {3, 10.0}, {4, -10.0}}
	return meta(f, field{17, fields{{1, box}, {2, list{of: wireI32, items: []any{int32(-1), int32(math.MaxInt32)}}}}})
}

// brokenLevels have damaged levels.
func brokenLevels() map[string][]byte {
	out := map[string][]byte{}
	four := ints(4, 4)
	optional := func(def []byte) page { return v1(4, plain, four).levelled(nil, def) }
	bare := func(section []byte) page { // what stands before the values, its length included
		p := v1(4, plain, join(section, four))
		return p
	}
	pages(out, victimOptional, map[string]page{
		"level-above-maximum":       optional(run(4, 2)),
		"level-above-maximum-255":   optional(run(4, 255)),
		"levels-few":                optional(run(3, 1)),
		"levels-none":               optional([]byte{}),
		"levels-length-2gib":        bare(join(plainInt32(math.MaxInt32), run(4, 1))),
		"levels-length-negative":    bare(join(plainInt32(-1), run(4, 1))),
		"levels-length-past-page":   bare(join(plainInt32(100), run(4, 1))),
		"levels-length-cut":         v1(4, plain, []byte{2, 0}),
		"levels-encoding-plain":     {kind: dataPage, values: 4, rows: 4, levels: plain, def: run(4, 1), data: four},
		"levels-bit-packed-cut":     {kind: dataPage, values: 4, rows: 4, levels: bitPacked, data: nil},
		"rle-zero-length-runs":      optional(bytes.Repeat(run(0, 1), 2000)),
		"rle-zero-length-then-few":  optional(join(bytes.Repeat(run(0, 1), 2000), run(3, 1))),
		"rle-zero-length-packed":    optional(bytes.Repeat([]byte{1}, 2000)),
		"rle-zero-length-then-all":  optional(join(run(0, 1), []byte{1}, run(4, 1))),
		"rle-run-2e31":              optional(run(1<<31, 1)),
		"rle-run-2e62":              optional(run(1<<62, 1)),
		"rle-run-longer":            optional(run(1<<30, 1)),
		"rle-packed-run-2e31":       optional(append(uvarint(1<<32|1), 0xff)),
		"rle-packed-run-cut":        optional(uvarint(1<<1 | 1)),
		"rle-value-cut":             optional(uvarint(4 << 1)),
		"rle-varint-endless":        optional(bytes.Repeat([]byte{0xff}, 30)),
		"values-few":                v1(4, plain, ints(4, 3)).levelled(nil, run(4, 1)),
		"values-few-v2":             v2(4, plain, ints(4, 3)).levelled(nil, run(4, 1)),
		"v2-nulls-disagree":         v2(4, plain, four).levelled(nil, run(4, 1)).inner(field{2, int32(2)}),
		"levels-above-maximum-v2":   v2(4, plain, four).levelled(nil, run(4, 3)),
		"levels-few-v2":             v2(4, plain, four).levelled(nil, run(2, 1)),
		"levels-bit-packed-above-1": optional(packedRun(1, 1, 1, 1)[:1]),
	})
	zeros, ones := run(4, 0), run(4, 1)
	list := func(rep, def []byte) page { return v2(4, plain, four).levelled(rep, def) }
	pages(out, victimRepeated, map[string]page{
		"repetition-above-maximum":     v2(5, plain, ints(4, 5)).levelled(join(run(1, 0), run(1, 2), run(3, 0)), run(5, 1)).inner(field{3, int32(4)}),
		"first-repetition-not-0":       list(join(run(1, 1), run(3, 0)), ones),
		"repetitions-few":              list(run(2, 0), ones),
		"records-more-than-rows":       list(zeros, ones).inner(field{3, int32(3)}),
		"records-fewer-than-rows":      v2(4, plain, plainInt32(105, 106, 107, 107)).levelled(join(run(3, 0), run(1, 1)), ones),
		"repetition-of-an-empty-list":  v2(5, plain, ints(5, 3)).levelled(join(run(1, 0), run(1, 1), run(3, 0)), join(run(2, 0), run(3, 1))).inner(field{2, int32(2)}, field{3, int32(4)}),
		"repetition-length-past-page":  list(zeros, ones).inner(field{6, int32(1000)}),
		"repetitions-and-no-values-v1": v1(4, plain, nil).levelled(zeros, ones),
	})
	pages(out, victimLists, map[string]page{
		"level-above-maximum-of-list":        list(zeros, run(4, 3)),
		"level-above-maximum-of-list-packed": list(zeros, packedRun(2, 2, 2, 3, 2)),
		"repetition-of-a-null-list":          v2(5, plain, ints(5, 3)).levelled(join(run(1, 0), run(1, 1), run(3, 0)), join(run(2, 0), run(3, 2))).inner(field{2, int32(2)}, field{3, int32(4)}),
	})
	v := victimRepeated
	out["first-repetition-of-chunk-not-0"] = v.file(
		v1(4, plain, ints(0, 4)).levelled(join(run(1, 1), run(3, 0)), ones), v.good(4, 4), v.good(8, 4)).bytes()
	out["lists-of-unequal-length"] = unequalLists()
	return out
}

// unequalLists has a list of pairs. In row 5 it has two first halves but three
// second halves.
func unequalLists() []byte {
	v := victim{
		schema: []fields{groupOf("v", repeated, 2), element("a", typeInt32, required), element("b", typeInt32, required)},
		path:   []string{"v", "a"}, kind: typeInt32, good: victimRepeated.good,
	}
	f := v.whole()
	for i := range f.groups {
		b := f.groups[i].chunks[1]
		b.path = []string{"v", "b"}
		f.groups[i].chunks = append(f.groups[i].chunks, b)
	}
	longer := func(rep []byte, n int) []page {
		p := v2(n, plain, ints(4, n)).levelled(rep, run(uint64(n), 1)).inner(field{3, int32(4)})
		p.rows = 4
		return []page{v.good(0, 4), p, v.good(8, 4)}
	}
	f.groups[0].chunks[1].pages = longer(join(run(2, 0), run(1, 1), run(2, 0)), 5)
	f.groups[0].chunks[2].pages = longer(join(run(2, 0), run(2, 1), run(2, 0)), 6)
	return f.bytes()
}

package main

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
)

// rareCodecs has a page in each layout of each codec, and matches that a
// decoder must copy from what it has written.
func rareCodecs() map[string]rare {
	out := map[string]rare{}
	word := "abcdefgh"
	rows := anys(strings.Repeat(word, 4), "tail1")
	body := plainBytes(strings.Repeat(word, 4), "tail1") // 4 + 32 + 4 + 5 bytes
	of := func(name string, codec int32, stored func([]byte) []byte) {
		c := one("x", "VARCHAR", typeBytes, v1(2, plain, body), rows, logical(1))
		c.codec, c.pages[0].pack = codec, stored
		two := one("y", "VARCHAR", typeBytes, v2(2, plain, body), rows, logical(1))
		two.codec, two.pages[0].pack = codec, stored
		out[name] = build(c, two)
	}
	// 12 literals, then 24 bytes from 8 back, then the rest.
	rest := body[36:]
	lz4Block := func([]byte) []byte {
		return join([]byte{0xcf}, body[:12], []byte{8, 0, 24 - 19}, []byte{byte(len(rest)) << 4}, rest)
	}
	lzoBlock := func([]byte) []byte {
		return join([]byte{17 + 12}, body[:12], []byte{0x20 | 22, 7 << 2, 0}, []byte{byte(len(rest) - 3)}, rest, []byte{0x11, 0, 0})
	}
	snappyBlock := func([]byte) []byte {
		return join([]byte{byte(len(body))}, []byte{11 << 2}, body[:12], []byte{23<<2 | 2, 8, 0}, []byte{byte(len(rest)-1) << 2}, rest)
	}
	of("lzo_bare", lzo, lzoBlock)
	of("lzo_hadoop", lzo, inHadoop2(body, lzoBlock))
	of("lzo_literals", lzo, asLZO)
	of("lzo_hadoop_literals", lzo, inHadoop(asLZO))
	of("lz4_hadoop", lz4, inHadoop2(body, lz4Block))
	of("lz4_hadoop_two_blocks", lz4, func(b []byte) []byte { return join(inHadoop(asLZ4)(b[:20]), inHadoop(asLZ4)(b[20:])) })
	of("lz4_block", lz4, lz4Block)
	of("lz4_frame", lz4, asLZ4Frame)
	of("lz4_raw", lz4Raw, lz4Block)
	of("snappy_copies", snappy, snappyBlock)
	of("gzip_members", gzipped, func(b []byte) []byte { return join(asGzip(b[:7]), asGzip(b[7:7]), asGzip(b[7:])) })
	of("brotli_uncompressed_block", brotli, asBrotli)
	of("zstd_frames", zstd, func(b []byte) []byte {
		skippable := []byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
		return join(asZstd(b[:9]), skippable, asZstd(b[9:]))
	})
	of("zstd_rle_block", zstd, func(b []byte) []byte { // the length's zeros are a block of a repeated byte
		return zstdFrame(uint32(len(b)), zstdBlock(false, 0, 1), b[:1], zstdBlock(false, 1, 3), []byte{0}, zstdBlock(true, 0, len(b)-4), b[4:])
	})
	return out
}

// inHadoop2 is inHadoop for a compressor that only knows one input.
func inHadoop2(body []byte, pack func([]byte) []byte) func([]byte) []byte {
	framed := inHadoop(pack)
	return func([]byte) []byte { return framed(body) }
}

// rarePages are pages of kinds, and in places, that hardly any writer uses.
func rarePages() map[string]rare {
	out := map[string]rare{}
	number := func(pages ...page) rareColumn {
		return rareColumn{column: column{Name: "x", Type: "INTEGER"}, schema: []fields{element("x", typeInt32, required)}, kind: typeInt32, pages: pages, values: anys(1, 2, 3, 4, 5, 6)}
	}
	named := func(name string, c rareColumn) rareColumn {
		c.Name, c.schema = name, []fields{c.schema[0].with(field{4, name})}
		return c
	}
	three, more := v1(3, plain, plainInt32(1, 2, 3)), v1(3, plain, plainInt32(4, 5, 6))
	out["empty_pages"] = build(number(v1(0, plain, nil), three, v1(0, plain, nil), v2(0, plain, nil), more, v1(0, deltaBinary, small()), v2(0, rleDictionary, nil)))
	index := page{kind: indexPage, data: []byte("what an index page holds, nobody knows")}
	future := page{kind: 77, data: []byte("a page of a later version"), more: []field{{20, fields{{1, int32(5)}, {2, "new"}}}}}
	out["index_and_unknown_pages"] = build(number(three, index, future, more, future))

	packed := v2(3, plain, plainInt32(1, 2, 3))
	packed.pack = asSnappy
	bare := v2(3, plain, plainInt32(4, 5, 6)) // is_compressed = false
	byDefault := packed.inner(field{7, nil})
	x, y := number(packed, bare), number(byDefault, bare)
	x.codec, y.codec = snappy, snappy
	nulls := func(p page) page { p.nulls = p.values; return p }
	z := number(nulls(v2(3, plain, nil).levelled(nil, run(3, 0))), bare.levelled(nil, run(3, 1)))
	z.codec, z.values = zstd, append(times(3, nil), 4, 5, 6)
	w := number(nulls(v2(3, rleDictionary, nil).levelled(nil, run(3, 0))).inner(field{7, true}), v1(3, plain, nil).levelled(nil, run(3, 0)))
	w.values = times(6, nil)
	out["v2_compressed_or_not"] = build(x, named("y", y), named("z", z).nullable(), named("w", w).nullable())

	whole := dictionary(6, plainInt32(1, 2, 3, 4, 5, 6))
	coded := v1(6, rleDictionary, codes(0, 1, 2, 3, 4, 5))
	placed := func(name string, f func(c *rareColumn)) rareColumn {
		c := named(name, number(whole, coded))
		f(&c)
		return c
	}
	out["dictionary_offsets"] = build(
		placed("zero", func(c *rareColumn) { c.meta = []field{{9, int64(4)}, {11, int64(0)}} }),
		placed("right", func(*rareColumn) {}),
		placed("old_name", func(c *rareColumn) {
			c.pages[0] = whole.inner(field{2, plainDictionary}, field{3, true})
			c.pages[1].encoding = plainDictionary
		}),
		placed("with_crc", func(c *rareColumn) { c.pages[0].crc, c.pages[1].crc = true, true }),
		placed("unused", func(c *rareColumn) { c.pages[1] = v1(6, plain, plainInt32(1, 2, 3, 4, 5, 6)) }),
		placed("empty", func(c *rareColumn) { c.pages = []page{dictionary(0, nil), v1(6, plain, plainInt32(1, 2, 3, 4, 5, 6))} }),
	)
	early := build(named("absent", number(whole, coded)), named("other", number(three, more)))
	early.file.groups[0].chunks[0].meta = []field{{9, int64(4)}, {11, nil}} // the data page's offset is the dictionary's
	out["dictionary_offset_absent"] = early

	const zero = "\x9d\x0a\xd9\x6d" // four bytes whose CRC-32 is 0
	if crc32.ChecksumIEEE([]byte(zero)) != 0 {
		panic("another CRC")
	}
	p := v1(1, plain, []byte(zero))
	p.crc = true
	out["crc_0"] = build(rareColumn{column: column{Name: "x", Type: "INTEGER"}, schema: []fields{element("x", typeInt32, required)}, kind: typeInt32, pages: []page{p}, values: anys(0x6dd90a9d)})

	mixed := number(dictionary(2, plainInt32(1, 2)), v1(2, rleDictionary, codes(0, 1)), v1(2, plain, plainInt32(3, 4)), v2(2, deltaBinary, small(5, 6)))
	words := rareColumn{column: column{Name: "t", Type: "VARCHAR"}, schema: []fields{element("t", typeBytes, required, logical(1))}, kind: typeBytes,
		pages:  []page{dictionary(2, plainBytes("one", "two")), v1(3, rleDictionary, codes(0, 1, 0)), v1(1, plain, plainBytes("three")), v1(2, plainDictionary, codes(1, 1))},
		values: anys("one", "two", "one", "three", "two", "two")}
	out["dictionary_and_fallback"] = build(mixed, words)

	split := rareColumn{column: column{Name: "xs", Type: "LIST"}, schema: []fields{element("xs", typeInt32, repeated)}, kind: typeInt32}
	part := func(rep []byte, values ...int32) page {
		p := v1(len(values), plain, plainInt32(values...)).levelled(rep, run(uint64(len(values)), 1))
		return p
	}
	// A V1 page may begin within a row where there is no offset index.
	split.pages = []page{part(join(run(1, 0), run(2, 1)), 1, 2, 3), part(run(3, 1), 4, 5, 6), part(join(run(1, 1), run(1, 0)), 7, 8)}
	split.values = []any{map[string]any{"json": []int{1, 2, 3, 4, 5, 6, 7}}, map[string]any{"json": []int{8}}}
	out["record_over_pages"] = build(split)

	// Entries wider than needed, a run that is longer than the page, and padding.
	var many []any
	for i := range 40 {
		many = append(many, fmt.Sprint(i%3))
	}
	var cycle []uint64
	for i := range uint64(40) {
		cycle = append(cycle, i%3)
	}
	out["codes_of_odd_widths"] = build(rareColumn{column: column{Name: "t", Type: "VARCHAR"}, schema: []fields{element("t", typeBytes, required, logical(1))}, kind: typeBytes,
		pages: []page{dictionary(3, plainBytes("0", "1", "2")), v1(40, rleDictionary, join([]byte{17}, packedRun(17, cycle...)))}, values: many})
	out["pages_of_nulls_alone"] = pagesOfNulls()
	out["dictionary_equal_entries"] = equalEntries()
	return out
}

// pagesOfNulls has pages without a value between others, for each encoding: writers leave
// out all bytes of their values, or write the encoding's header of no values.
func pagesOfNulls() rare {
	texts, numbers := anys("a", "ab", "c"), anys(1, 2, 3)
	header := deltaHeader(0, 0, 0, 0) // blocks of size 0, as QuestDB writes it
	hex := anys(hexOf([]byte("aa")), hexOf([]byte("ab")), hexOf([]byte("cc")))
	var columns []rareColumn
	for _, c := range []struct {
		name, sqlType  string
		kind, encoding int32
		full, none     []byte
		values         []any
		more           []field
	}{
		{"plain", "INTEGER", typeInt32, plain, plainInt32(1, 2, 3), nil, numbers, nil},
		{"boolean", "BOOLEAN", typeBoolean, rle, prefixed(run(3, 1)), prefixed(nil), times(3, true), nil},
		{"delta_int", "INTEGER", typeInt32, deltaBinary, small(1, 2, 3), header, numbers, nil},
		{"delta_long", "BIGINT", typeInt64, deltaBinary, small(1, 2, 3), small(), numbers, nil},
		{"lengths", "VARCHAR", typeBytes, deltaLength, join(small(1, 2, 1), []byte("aabc")), header, texts, []field{logical(1)}},
		{"prefixes", "VARCHAR", typeBytes, deltaBytes, join(small(0, 1, 0), small(1, 1, 1), []byte("abc")), join(header, header), texts, []field{logical(1)}},
		{"fixed", "BLOB", typeFixed, deltaBytes, join(small(0, 1, 0), small(2, 1, 2), []byte("aabcc")), join(small(), small()), hex, []field{{2, int32(2)}}},
		{"split", "DOUBLE", typeDouble, byteStreamSplit, make([]byte, 24), nil, times(3, 0), nil},
		{"coded", "VARCHAR", typeBytes, rleDictionary, codes(0, 1, 2), []byte{0}, texts, []field{logical(1)}},
	} {
		for _, version := range []int{1, 2} {
			of := func(level byte, data []byte) page {
				if version == 1 {
					return v1(3, c.encoding, data).levelled(nil, run(3, level))
				}
				p := v2(3, c.encoding, data).levelled(nil, run(3, level))
				p.nulls = 3 - 3*int32(level)
				return p
			}
			column := one(fmt.Sprint(c.name, version), c.sqlType, c.kind, of(1, c.full), slices.Concat(c.values, times(3, nil), c.values, times(3, nil)), c.more...).nullable()
			column.pages = append(column.pages, of(0, nil), of(1, c.full), of(0, c.none))
			if c.encoding == rleDictionary {
				column.pages = slices.Insert(column.pages, 0, dictionary(3, plainBytes("a", "ab", "c")))
			}
			columns = append(columns, column)
		}
	}
	return build(columns...)
}

// equalEntries has dictionaries in which a value stands twice, or is not used.
func equalEntries() rare {
	column := func(name, sqlType string, kind int32, entries page, values []any, more ...field) rareColumn {
		c := one(name, sqlType, kind, entries, values, more...)
		c.pages = append(c.pages, v1(8, rleDictionary, codes(0, 1, 2, 0, 2, 1, 3, 3)))
		return c
	}
	nan := func(payload uint64) float64 { return math.Float64frombits(0x7ff8000000000000 | payload) }
	doubles := plainDouble(nan(1), math.Copysign(0, -1), nan(2), 0.0, 1e300)
	notANumber := number(math.NaN(), 64)
	return build(
		column("id", "INTEGER", typeInt32, dictionary(5, plainInt32(7, 8, 7, 8, 99)), anys(7, 8, 7, 7, 7, 8, 8, 8)),
		column("t", "VARCHAR", typeBytes, dictionary(6, plainBytes("a", "b", "a", "b", "zzz", "")), anys("a", "b", "a", "a", "a", "b", "b", "b"), logical(1)),
		column("d", "DOUBLE", typeDouble, dictionary(5, doubles), anys[any](notANumber, 0, notANumber, notANumber, notANumber, 0, 0, 0)),
	)
}

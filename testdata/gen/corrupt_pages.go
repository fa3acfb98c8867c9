package main

import (
	"bytes"
	"math"
)

// brokenPages have headers with wrong contents.
func brokenPages() map[string][]byte {
	out := map[string][]byte{}
	good := victimInts.good(4, 4)
	second := v2(4, plain, ints(4, 4))
	wrongCRC := good
	wrongCRC.more = []field{{4, int32(12345)}}
	pages(out, victimInts, map[string]page{
		"page-size-2gib":              good.head(field{3, int32(math.MaxInt32)}),
		"page-size-negative":          good.head(field{3, int32(-1)}),
		"page-size-past-chunk":        good.head(field{3, int32(1000)}),
		"page-size-zero":              good.head(field{3, int32(0)}),
		"page-uncompressed-2gib":      good.head(field{2, int32(math.MaxInt32)}),
		"page-uncompressed-negative":  good.head(field{2, int32(-1)}),
		"page-uncompressed-differs":   good.head(field{2, int32(20)}),
		"page-header-endless":         good.inner(field{5, fields{{1, raw{wireBinary, uvarint(1 << 30)}}}}),
		"page-header-without-part":    good.head(field{5, nil}),
		"page-header-without-type":    good.head(field{1, nil}),
		"page-header-of-zeros":        v1(4, plain, make([]byte, 30)).head(field{1, nil}, field{2, nil}, field{3, nil}, field{5, nil}),
		"page-values-2e9":             good.inner(field{1, int32(2e9)}),
		"page-values-negative":        good.inner(field{1, int32(-4)}),
		"page-values-few-bytes":       v1(4, plain, ints(4, 3)),
		"page-of-no-bytes":            v1(4, plain, nil),
		"page-encoding-99":            v1(4, 99, ints(4, 4)),
		"page-encoding-of-other-type": v1(4, deltaLength, ints(4, 4)),
		"page-crc-wrong":              wrongCRC,
		"page-crc-0-wrong":            good.head(field{4, int32(0)}),
		"page-v2-levels-negative":     second.inner(field{5, int32(-2)}),
		"page-v2-levels-past-page":    second.inner(field{5, int32(1000)}),
		"page-v2-levels-overflow":     second.inner(field{5, int32(math.MaxInt32)}, field{6, int32(math.MaxInt32)}),
		"page-v2-nulls-many":          second.inner(field{2, int32(5)}),
		"page-v2-nulls-negative":      second.inner(field{2, int32(-1)}),
		"page-v2-rows-many":           second.inner(field{3, int32(9)}),
		"page-v2-rows-few":            second.inner(field{3, int32(3)}),
		"page-v2-rows-negative":       second.inner(field{3, int32(-4)}),
		"null-in-required-column":     v2(4, plain, ints(4, 3)).inner(field{2, int32(1)}),
	})
	pages(out, victimTexts, map[string]page{
		"bytes-length-2gib":     v1(4, plain, join(texts(4, 3), plainInt32(math.MaxInt32), []byte("107"))),
		"bytes-length-negative": v1(4, plain, join(texts(4, 3), plainInt32(-1), []byte("107"))),
		"bytes-length-past":     v1(4, plain, join(texts(4, 3), plainInt32(4), []byte("107"))),
		"bytes-length-cut":      v1(4, plain, join(texts(4, 3), []byte{3, 0})),
	})
	return out
}

// brokenCodecs do not decompress, or not to the size that the header states.
func brokenCodecs() map[string][]byte {
	out := map[string][]byte{}
	for _, c := range packers {
		v := victimInts.packed(c.codec, c.pack)
		stored := c.pack(ints(4, 4))
		good := v.good(4, 4)
		bad := map[string]page{
			"page-uncompressed-more-" + c.name: good.head(field{2, int32(20)}),
			"page-uncompressed-less-" + c.name: good.head(field{2, int32(12)}),
			"page-cut-" + c.name:               as(stored[:len(stored)-5]),
			"page-garbage-" + c.name:           as(bytes.Repeat([]byte{0xc3}, 40)),
			"page-of-no-bytes-" + c.name:       as(nil),
		}
		for name, p := range bad {
			p.pack = packBy(p, c.pack)
			out[name] = damaged(v, p).bytes()
		}
		out["page-uncompressed-2gib-"+c.name] = meta(damaged(v, good.head(field{2, int32(math.MaxInt32)})), field{6, int64(math.MaxInt32) + 1000})
	}
	special := func(name string, codec int32, pack func([]byte) []byte, stored []byte) {
		v := victimInts.packed(codec, pack)
		p := as(stored)
		p.pack = packBy(p, pack)
		out[name] = damaged(v, p).bytes()
	}
	sixteen := ints(4, 4)
	gz := asGzip(sixteen)
	crc := bytes.Clone(gz)
	crc[len(crc)-8] ^= 1
	special("gzip-crc-wrong", gzipped, asGzip, crc)
	special("gzip-trailing-garbage", gzipped, asGzip, append(bytes.Clone(gz), "garbage"...))
	special("gzip-second-member-cut", gzipped, asGzip, join(asGzip(sixteen[:8]), asGzip(sixteen[8:])[:20]))
	special("gzip-bomb", gzipped, asGzip, asGzip(make([]byte, 8<<20)))
	special("snappy-length-2gib", snappy, asSnappy, append(uvarint(math.MaxInt32), asSnappy(sixteen)[1:]...))
	special("snappy-copy-before-start", snappy, asSnappy, []byte{16, 0x3e, 9, 0})
	special("lz4-match-before-start", lz4Raw, asLZ4, []byte{0x4a, 1, 2, 3, 4, 99, 0, 0x10, 1})
	special("lz4-match-length-endless", lz4Raw, asLZ4, append([]byte{0x4f, 1, 2, 3, 4, 1, 0}, bytes.Repeat([]byte{255}, 64)...))
	special("lz4-hadoop-length-2gib", lz4, inHadoop(asLZ4), join([]byte{0x7f, 255, 255, 255, 0, 0, 0, 17}, asLZ4(sixteen)))
	special("lz4-hadoop-chunks-of-nothing", lz4, inHadoop(asLZ4), join([]byte{0, 0, 0, 16}, make([]byte, 400)))
	special("lzo-match-before-start", lzo, asLZO, []byte{21, 1, 2, 3, 4, 0x40 | 0x1c, 9, 0x11, 0, 0})
	special("lzo-length-endless", lzo, asLZO, append([]byte{0}, make([]byte, 300)...))
	special("zstd-window-huge", zstd, asZstd, join([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8}, zstdBlock(true, 0, 16), sixteen))
	special("zstd-content-size-lies", zstd, asZstd, zstdFrame(math.MaxUint32, zstdBlock(true, 0, 16), sixteen))
	special("zstd-block-past-input", zstd, asZstd, zstdFrame(16, zstdBlock(true, 0, 100), sixteen))
	special("zstd-block-too-long", zstd, asZstd, zstdFrame(1<<21-1, zstdBlock(true, 1, 1<<21-1), []byte{7}))
	special("zstd-trailing-garbage", zstd, asZstd, append(asZstd(sixteen), "garbage"...))
	special("zstd-bomb", zstd, asZstd, zstdBomb(500))
	return out
}

// zstdBomb is a frame of n blocks of 128 KiB of zeros, of 4 bytes each.
func zstdBomb(n int) []byte {
	block := append(zstdBlock(false, 1, 128<<10), 0)
	last := append(zstdBlock(true, 1, 128<<10), 0)
	return zstdFrame(uint32(n)*(128<<10), append(bytes.Repeat(block, n-1), last...))
}

// as is a page with these stored bytes; its header states 16 bytes.
func as(stored []byte) page {
	return page{kind: dataPage, encoding: plain, values: 4, rows: 4, levels: rle, data: stored, more: []field{{2, int32(16)}}}
}

// packBy returns pack, unless the page's data is already compressed.
func packBy(p page, pack func([]byte) []byte) func([]byte) []byte {
	if len(p.data) == 16 && bytes.Equal(p.data, ints(4, 4)) {
		return pack
	}
	return func(b []byte) []byte { return b }
}

// bombs are valid, but their values need more memory than a machine has.
func bombs() map[string][]byte {
	const most = math.MaxInt32
	big := func(kind int32, elements fields, dict page, p page) []byte {
		f := layout{schema: []fields{elements}}
		for range 4 {
			c := chunk{path: []string{"v"}, kind: kind, pages: []page{dict, p, p, p, p}}
			f.groups = append(f.groups, group{rows: 4 * most, chunks: []chunk{c}})
		}
		return f.bytes()
	}
	one := join([]byte{1}, run(most, 1))
	two := dictionary(2, plainInt64(1, 2))
	sorted := func(n int) []byte { // prefixes 0, 1, 2, …, suffixes of one byte each
		prefixes, suffixes := make([]int64, n), make([]int64, n)
		for i := range n {
			prefixes[i], suffixes[i] = int64(i), 1
		}
		return join(small(prefixes...), small(suffixes...), bytes.Repeat([]byte("x"), n))
	}
	grows := sorted(30000)
	nested := v1(most, rleDictionary, one).levelled(append(run(1, 0), run(most-1, 1)...), run(most, 1)).inner(field{1, int32(most)})
	nested.rows = 1
	zeros := page{kind: dataPage, values: 1500 << 15, rows: 1500 << 15, levels: rle, data: zstdBomb(1500), more: []field{{2, int32(1500 << 17)}}}
	empty := join(zstdBlock(false, 1, 128<<10), []byte{0})
	entries := page{
		kind: dictionaryPage, values: 1<<20 + 16, more: []field{{2, int32(4<<20 + 112)}},
		data: zstdFrame(4<<20+112, bytes.Repeat(empty, 32), zstdBlock(true, 0, 112), texts(0, 16)),
	}
	packed := victimTexts.packed(zstd, asZstd)
	var at []uint64
	for i := range uint64(4) {
		at = append(at, 1<<20+4+i)
	}
	coded := v1(4, rleDictionary, join([]byte{21}, packedRun(21, at...)))
	coded.pack = asZstd
	return map[string][]byte{
		"bomb-42":          big(typeInt64, element("v", typeInt64, required), two, v1(most, rleDictionary, one)),
		"bomb-42-optional": big(typeInt64, element("v", typeInt64, optional), two, v1(most, rleDictionary, one).levelled(nil, run(most, 1))),
		"bomb-42-nulls":    big(typeInt64, element("v", typeInt64, optional), two, v1(most, rleDictionary, nil).levelled(nil, run(most, 0))),
		"bomb-42-text":     big(typeBytes, element("v", typeBytes, required, logical(1)), dictionary(2, plainBytes("", string(bytes.Repeat([]byte("x"), 1000)))), v1(most, rleDictionary, one)),
		"bomb-42-delta":    big(typeInt64, element("v", typeInt64, required), two, v1(most, deltaBinary, join(deltaHeader(1<<30, 1, most, 5), zigzag(0), []byte{0}, zigzag(0), []byte{0}))),
		"bomb-42-list": layout{schema: []fields{element("v", typeInt64, repeated)}, groups: []group{{rows: 1, chunks: []chunk{
			{path: []string{"v"}, kind: typeInt64, pages: []page{two, nested}}}}}}.bytes(),
		"bomb-zstd": layout{schema: []fields{element("v", typeInt32, required)}, groups: []group{{rows: 1500 << 15, chunks: []chunk{
			{path: []string{"v"}, kind: typeInt32, codec: zstd, pages: []page{zeros}, meta: []field{{6, int64(1500<<17 + 100)}}}}}}}.bytes(),
		"delta-byte-array-prefix-grows": layout{schema: []fields{element("v", typeBytes, required, logical(1))}, groups: []group{{rows: 30000, chunks: []chunk{
			{path: []string{"v"}, kind: typeBytes, codec: gzipped, pages: []page{{kind: dataPage, encoding: deltaBytes, values: 30000, rows: 30000, levels: rle, data: grows, pack: asGzip}}}}}}}.bytes(),
		"dictionary-of-empty-strings": meta(packed.file(entries, packed.good(0, 4), coded, packed.good(8, 4)), field{6, int64(5 << 20)}),
	}
}

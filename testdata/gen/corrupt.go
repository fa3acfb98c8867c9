package main

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
	"strconv"
)

// craft writes files that no real writer writes: broken files to corrupt/, each with
// the one defect that its name says, and valid files of rare kinds, with their
// answers, to files/crafted/. They are made byte by byte from the format's
// specification. The broken files have the columns id and v; v is id + 100 (as a
// number, as text, or as a list of one element). Rows 0 to 11 are in the first row
// group, in which v's second page (rows 4 to 7) or its chunk is damaged; rows 12 to
// 15 are in the second row group, which is not damaged.
func (g *generator) craft() {
	for _, set := range []map[string][]byte{
		brokenFooters(), brokenSchemas(), brokenChunks(), brokenPages(), brokenCodecs(), brokenValues(),
		brokenLevels(), brokenDictionaries(), brokenStatistics(), brokenIndexes(), bombs(),
	} {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			file := "corrupt/" + name + ".parquet"
			must(os.WriteFile(g.path(file), set[name], 0o644))
			g.files = append(g.files, crafted(file, set[name]))
		}
	}
	data, file := unreadableColumns().bytes(), "files/crafted/columns_unreadable.parquet"
	must(os.WriteFile(g.path(file), data, 0o644))
	g.files = append(g.files, crafted(file, data))
	for _, set := range []map[string]rare{rareEncodings(), rareCodecs(), rarePages(), rareTypes(), rareMetadata(), rareAnnotations(), rareClaims()} {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			file, data := "files/crafted/"+name+".parquet", set[name].file.bytes()
			must(os.WriteFile(g.path(file), data, 0o644))
			g.files = append(g.files, crafted(file, data))
			must(os.WriteFile(g.path("expected", file+".json"), set[name].answer.text(), 0o644))
		}
	}
}

func crafted(file string, data []byte) made {
	sum := sha256.Sum256(data)
	return made{File: file, Writer: "crafted", How: "testdata/gen/corrupt.go", SHA256: hex.EncodeToString(sum[:])}
}

// victim describes how column v is written.
type victim struct {
	schema []fields
	path   []string
	kind   int32
	codec  int32
	good   func(from, n int) page
}

// number is v in the row with an id.
func numbered(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 100 + from + i
	}
	return out
}

func ints(from, n int) []byte {
	var out []byte
	for _, v := range numbered(from, n) {
		out = append(out, plainInt32(int32(v))...)
	}
	return out
}

func longs(from, n int) []byte {
	var out []byte
	for _, v := range numbered(from, n) {
		out = append(out, plainInt64(int64(v))...)
	}
	return out
}

func texts(from, n int) []byte {
	var out []byte
	for _, v := range numbered(from, n) {
		out = append(out, plainBytes(strconv.Itoa(v))...)
	}
	return out
}

// v1 is a V1 page of n rows without levels.
func v1(n int, encoding int32, data []byte) page {
	return page{kind: dataPage, encoding: encoding, values: int32(n), rows: int32(n), levels: rle, data: data}
}

// v2 is a V2 page of n rows without levels, not compressed.
func v2(n int, encoding int32, data []byte) page {
	return page{kind: dataPageV2, encoding: encoding, values: int32(n), rows: int32(n), data: data}
}

// dictionary is a dictionary page.
func dictionary(n int, data []byte) page {
	return page{kind: dictionaryPage, values: int32(n), data: data}
}

// levelled adds levels to a page.
func (p page) levelled(rep, def []byte) page {
	p.rep, p.def = rep, def
	return p
}

// header replaces fields of the page's header.
func (p page) head(more ...field) page {
	p.more = more
	return p
}

// inner replaces fields of the header of the page's kind.
func (p page) inner(part ...field) page {
	p.part = part
	return p
}

var (
	victimInts = victim{
		schema: []fields{element("v", typeInt32, required)}, path: []string{"v"}, kind: typeInt32,
		good: func(from, n int) page { return v1(n, plain, ints(from, n)) },
	}
	victimLongs = victim{
		schema: []fields{element("v", typeInt64, required)}, path: []string{"v"}, kind: typeInt64,
		good: func(from, n int) page { return v1(n, plain, longs(from, n)) },
	}
	victimTexts = victim{
		schema: []fields{element("v", typeBytes, required, logical(1))}, path: []string{"v"}, kind: typeBytes,
		good: func(from, n int) page { return v1(n, plain, texts(from, n)) },
	}
	victimOptional = victim{
		schema: []fields{element("v", typeInt32, optional)}, path: []string{"v"}, kind: typeInt32,
		good: func(from, n int) page { return v1(n, plain, ints(from, n)).levelled(nil, run(uint64(n), 1)) },
	}
	victimRepeated = victim{
		schema: []fields{element("v", typeInt32, repeated)}, path: []string{"v"}, kind: typeInt32,
		good: func(from, n int) page {
			return v2(n, plain, ints(from, n)).levelled(run(uint64(n), 0), run(uint64(n), 1))
		},
	}
	victimLists = victim{
		schema: []fields{groupOf("v", optional, 1, logical(3)), groupOf("list", repeated, 1), element("element", typeInt32, required)},
		path:   []string{"v", "list", "element"}, kind: typeInt32,
		good: func(from, n int) page {
			return v2(n, plain, ints(from, n)).levelled(run(uint64(n), 0), run(uint64(n), 2))
		},
	}
)

// packed is the victim compressed with a codec.
func (v victim) packed(codec int32, pack func([]byte) []byte) victim {
	good := v.good
	v.codec = codec
	v.good = func(from, n int) page {
		p := good(from, n)
		p.pack = pack
		return p
	}
	return v
}

// damaged is a file whose column v has the given pages for the rows 4 to 7.
func damaged(v victim, bad ...page) layout {
	pages := append([]page{v.good(0, 4)}, bad...)
	return v.file(append(pages, v.good(8, 4))...)
}

// file has the given pages in the first row group.
func (v victim) file(pages ...page) layout {
	id := func(from, n int) chunk {
		var values []int32
		for i := range n {
			values = append(values, int32(from+i))
		}
		return chunk{path: []string{"id"}, kind: typeInt32, pages: []page{v1(n, plain, plainInt32(values...))}}
	}
	of := func(pages ...page) chunk { return chunk{path: v.path, kind: v.kind, codec: v.codec, pages: pages} }
	return layout{
		schema: append([]fields{element("id", typeInt32, required)}, v.schema...),
		groups: []group{
			{rows: 12, chunks: []chunk{id(0, 12), of(pages...)}},
			{rows: 4, chunks: []chunk{id(12, 4), of(v.good(12, 4))}},
		},
	}
}

// whole is a file without damage, for damage elsewhere than in pages.
func (v victim) whole() layout { return damaged(v, v.good(4, 4)) }

// chunkOf is the file after a change to v's chunk in the first row group.
func chunkOf(f layout, change func(*chunk)) []byte {
	change(&f.groups[0].chunks[1])
	return f.bytes()
}

// meta replaces fields of that chunk's ColumnMetaData.
func meta(f layout, more ...field) []byte {
	return chunkOf(f, func(c *chunk) { c.meta = more })
}

// pages adds a damaged file of a column to out for each page.
func pages(out map[string][]byte, v victim, bad map[string]page) {
	for name, p := range bad {
		out[name] = damaged(v, p).bytes()
	}
}

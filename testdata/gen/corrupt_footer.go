package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// brokenFooters have damage that shows when the footer is read.
func brokenFooters() map[string][]byte {
	good := victimInts.whole().bytes()
	footer := func(length uint32) []byte {
		out := bytes.Clone(good)
		binary.LittleEndian.PutUint32(out[len(out)-8:], length)
		return out
	}
	raws := func(b []byte) []byte { return finish([]byte("PAR1"), b) }
	extra := func(v any) []byte {
		f := victimInts.whole()
		f.more = []field{{200, v}}
		return f.bytes()
	}
	replaced := func(id int, v any) []byte {
		f := victimInts.whole()
		f.more = []field{{id, v}}
		return f.bytes()
	}
	return map[string][]byte{
		"footer-length-past-file": footer(uint32(len(good))),
		"footer-length-2gib":      footer(math.MaxInt32),
		"footer-length-negative":  footer(math.MaxUint32),
		"footer-length-zero":      footer(0),
		"footer-length-short":     footer(40),
		"footer-of-zeros":         raws(make([]byte, 64)),
		"magic-at-head":           append([]byte("PAR0"), good[4:]...),
		"magic-at-end":            append(bytes.Clone(good[:len(good)-4]), "PAR0"...),
		"file-of-8-bytes":         []byte("PAR1PAR1"),
		"file-of-1-byte":          []byte("P"),
		"file-empty":              {},
		"thrift-list-2e9":         replaced(2, list{of: wireStruct, claim: 2e9}),
		"thrift-list-of-bools":    extra(list{of: wireBool, claim: 2e9}),
		"thrift-row-groups-2e9":   replaced(4, list{of: wireStruct, claim: 2e9}),
		"thrift-map-2e9":          extra(raw{wireMap, append(uvarint(2e9), 0x55)}),
		"thrift-string-98mib":     replaced(6, raw{wireBinary, uvarint(98 << 20)}),
		"thrift-string-2e63":      replaced(6, raw{wireBinary, uvarint(1 << 63)}),
		"thrift-structs-deep":     extra(raw{wireStruct, append(bytes.Repeat([]byte{0x1c}, 3000), make([]byte, 3001)...)}),
		"thrift-lists-deep":       extra(raw{wireList, bytes.Repeat([]byte{0x19}, 3000)}),
		"thrift-varint-endless":   replaced(3, raw{wireI64, bytes.Repeat([]byte{0xff}, 40)}),
		"thrift-type-14":          extra(raw{14, nil}),
		"thrift-no-row-groups":    replaced(4, nil),
		"thrift-no-schema":        replaced(2, nil),
		"thrift-key-values-2e9":   replaced(5, list{of: wireStruct, claim: 2e9}),
		"thrift-orders-2e9":       replaced(7, list{of: wireStruct, claim: 2e9}),
		"row-counts-disagree":     replaced(3, int64(17)),
		"row-count-negative":      rowsOf(-4, 12-4),
		"row-count-overflow":      rowsOf(math.MaxInt64, math.MinInt64+11),
		"chunks-missing":          groupOf0(func(g *group) { g.chunks = g.chunks[:1] }),
		"chunks-too-many":         groupOf0(func(g *group) { g.chunks = append(g.chunks, g.chunks[1]) }),
		"chunk-path-unknown":      groupOf0(func(g *group) { g.chunks[1].path = []string{"w"} }),
		"chunk-path-twice":        groupOf0(func(g *group) { g.chunks[1].path = []string{"id"} }),
		"chunk-without-metadata":  groupOf0(func(g *group) { g.chunks[1].more = []field{{3, nil}} }),
		"chunk-statistics-98mib":  groupOf0(func(g *group) { g.chunks[1].meta = []field{{12, fields{{5, raw{wireBinary, uvarint(98 << 20)}}}}} }),
		"chunk-encodings-2e9":     groupOf0(func(g *group) { g.chunks[1].meta = []field{{2, list{of: wireI32, claim: 2e9}}} }),
		"chunk-histogram-2e9": groupOf0(func(g *group) {
			g.chunks[1].meta = []field{{16, fields{{2, list{of: wireI64, claim: 2e9}}}}}
		}),
	}
}

// rowsOf is a file that states these numbers of rows for its second row group and in all.
func rowsOf(group, all int64) []byte {
	f := victimInts.whole()
	f.groups[1].more = []field{{3, group}}
	f.more = []field{{3, all}}
	return f.bytes()
}

// groupOf0 is a file after a change to its first row group.
func groupOf0(change func(*group)) []byte {
	f := victimInts.whole()
	change(&f.groups[0])
	return f.bytes()
}

// brokenSchemas have schema elements that form no tree.
func brokenSchemas() map[string][]byte {
	of := func(elements ...fields) []byte {
		f := victimInts.whole()
		f.schema = append(f.schema[:1:1], elements...)
		f.root = []field{{5, int32(2)}}
		return f.bytes()
	}
	root := func(more ...field) []byte {
		f := victimInts.whole()
		f.root = more
		return f.bytes()
	}
	var deep []fields
	for range 1500 {
		deep = append(deep, groupOf("g", optional, 1))
	}
	// Names of few bytes each make paths of many bytes.
	var quadratic []fields
	for range 190 {
		quadratic = append(quadratic, groupOf("g", optional, 1))
	}
	quadratic[len(quadratic)-1] = groupOf("g", optional, 700)
	for i := range 700 {
		quadratic = append(quadratic, element(fmt.Sprint(i), typeInt32, optional))
	}
	tree := layout{schema: quadratic, root: []field{{5, int32(1)}}}
	return map[string][]byte{
		"schema-num-children-lies":     root(field{5, int32(100)}),
		"schema-num-children-2e9":      root(field{5, int32(2e9)}),
		"schema-num-children-few":      root(field{5, int32(1)}),
		"schema-num-children-negative": root(field{5, int32(-1)}),
		"schema-group-of-too-many":     of(groupOf("v", required, 7), element("x", typeInt32, required)),
		"schema-group-of-negative":     of(groupOf("v", required, -1)),
		"schema-leaf-with-children":    of(element("v", typeInt32, required, field{5, int32(1)})),
		"schema-root-is-a-leaf":        root(field{1, typeInt32}),
		"schema-deep":                  of(append(deep, element("v", typeInt32, required))...),
		"schema-paths-quadratic":       tree.bytes(),
		"schema-type-99":               of(element("v", 99, required)),
		"schema-type-negative":         of(element("v", -1, required)),
		"schema-repetition-7":          of(element("v", typeInt32, 7)),
		"schema-repetition-missing":    of(element("v", typeInt32, required, field{3, nil})),
		"schema-name-missing":          of(element("v", typeInt32, required, field{4, nil})),
		"schema-name-98mib":            of(element("v", typeInt32, required, field{4, raw{wireBinary, uvarint(98 << 20)}})),
		"schema-fixed-length-missing":  of(element("v", typeFixed, required)),
		"schema-fixed-length-negative": of(element("v", typeFixed, required, field{2, int32(-8)})),
		"schema-repetition-vector":     of(element("v", typeInt32, 3)),
		"schema-empty":                 finish([]byte("PAR1"), fields{{1, int32(1)}, {2, listOf[fields](wireStruct)}, {3, int64(0)}, {4, listOf[fields](wireStruct)}}.bytes()),
		"schema-type-differs":          of(element("v", typeDouble, required)),
		"schema-name-long":             of(element(strings.Repeat("v", 1000), typeInt32, 9)),
	}
}

// brokenChunks have wrong metadata: offsets, sizes, counts or paths.
func brokenChunks() map[string][]byte {
	f := victimInts.whole
	dict := func(more ...field) []byte {
		return meta(damaged(victimInts, dictionary(16, ints(0, 16)), v1(4, rleDictionary, codes(4, 5, 6, 7))), more...)
	}
	huge := f()
	huge.groups[0].rows = 1e15
	huge.groups[0].chunks[0].meta = []field{{5, int64(1e15)}}
	return map[string][]byte{
		"chunk-offset-past-file":     meta(f(), field{9, int64(1e12)}),
		"chunk-offset-negative":      meta(f(), field{9, int64(-5)}),
		"chunk-offset-overflows":     meta(f(), field{9, int64(math.MaxInt64 - 3)}),
		"chunk-offset-in-magic":      meta(f(), field{9, int64(1)}),
		"chunk-offset-in-footer":     meta(f(), field{9, int64(len(f().bytes()) - 40)}),
		"chunk-size-past-file":       meta(f(), field{7, int64(1e12)}),
		"chunk-size-negative":        meta(f(), field{7, int64(-1)}),
		"chunk-size-overflows":       meta(f(), field{7, int64(math.MaxInt64)}),
		"chunk-size-zero":            meta(f(), field{7, int64(0)}),
		"chunk-size-cuts-last-page":  meta(f(), field{7, int64(100)}),
		"chunk-values-negative":      meta(f(), field{5, int64(-1)}),
		"chunk-values-few":           meta(f(), field{5, int64(8)}),
		"chunk-values-many":          meta(f(), field{5, int64(1e15)}),
		"chunk-codec-99":             meta(f(), field{4, int32(99)}),
		"dictionary-offset-past":     dict(field{11, int64(1e12)}),
		"dictionary-offset-negative": dict(field{11, int64(-7)}),
		"dictionary-offset-overflow": dict(field{11, int64(math.MaxInt64)}),
		"dictionary-offset-wrong":    dict(field{11, int64(5)}),
		"row-count-past-pages":       meta(huge, field{5, int64(1e15)}),
		"columns-of-unequal-rows":    victimInts.file(victimInts.good(0, 4), victimInts.good(4, 4)).bytes(),
		"column-of-fewer-rows":       meta(victimInts.file(victimInts.good(0, 4), victimInts.good(4, 4)), field{5, int64(12)}),
		"column-of-more-rows":        meta(victimInts.file(victimInts.good(0, 4), victimInts.good(4, 4), victimInts.good(8, 6)), field{5, int64(12)}),
		"column-without-pages":       victimInts.file().bytes(),
		"file-path-dotdot":           summary("../secret.parquet"),
		"file-path-inner-dotdot":     summary("a/../../secret.parquet"),
		"file-path-absolute":         summary("/etc/passwd"),
		"file-path-backslash":        summary(`..\secret.parquet`),
		"file-path-of-nothing":       summary("no-such-file.parquet"),
	}
}

// summary is a file whose chunks lie in another one.
func summary(path string) []byte {
	f := victimInts.whole()
	for i := range f.groups {
		for k := range f.groups[i].chunks {
			f.groups[i].chunks[k].more = []field{{1, path}}
		}
	}
	return f.bytes()
}

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
)

// rare is a valid file of a kind that hardly any writer makes, and its answer.
type rare struct {
	file   layout
	answer *answer
}

// text is the answer as testdata/README.md has it.
func (a *answer) text() []byte {
	var out bytes.Buffer
	out.WriteString(`{"columns":`)
	out.Write(value(json.Marshal(a.columns)))
	out.WriteString(",\"rows\":[\n")
	for i, row := range a.rows {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(value(json.Marshal(row)))
	}
	out.WriteString("\n]}\n")
	return out.Bytes()
}

func plainDouble[T int | float64](values ...T) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(float64(v)))
	}
	return out
}

// rareColumn is one column of a rare file, of one row group.
type rareColumn struct {
	column
	schema []fields
	path   []string // nil: the name
	codec  int32
	kind   int32
	pages  []page
	meta   []field
	values []any
}

// one is a flat, required column of one page.
func one(name, sqlType string, kind int32, p page, values []any, more ...field) rareColumn {
	return rareColumn{
		column: column{Name: name, Type: sqlType}, schema: []fields{element(name, kind, required, more...)},
		kind: kind, pages: []page{p}, values: values,
	}
}

// nullable makes the column optional.
func (c rareColumn) nullable() rareColumn {
	c.Nullable = true
	c.schema = []fields{c.schema[0].with(field{3, optional})}
	return c
}

// build makes a file of columns that have the same rows.
func build(columns ...rareColumn) rare {
	var r rare
	n := len(columns[0].values)
	g := group{rows: int64(n)}
	r.answer = &answer{rows: make([][]any, n)}
	for _, c := range columns {
		path := c.path
		if path == nil {
			path = []string{c.Name}
		}
		r.file.schema = append(r.file.schema, c.schema...)
		g.chunks = append(g.chunks, chunk{path: path, kind: c.kind, codec: c.codec, pages: c.pages, meta: c.meta})
		r.answer.columns = append(r.answer.columns, c.column)
		for i, v := range c.values {
			r.answer.rows[i] = append(r.answer.rows[i], v)
		}
	}
	r.file.groups = []group{g}
	return r
}

func anys[T any](values ...T) []any {
	var out []any
	for _, v := range values {
		out = append(out, v)
	}
	return out
}

func times(n int, v any) []any {
	var out []any
	for range n {
		out = append(out, v)
	}
	return out
}

// rareEncodings are the specification's own examples and cases that these leave out.
func rareEncodings() map[string]rare {
	out := map[string]rare{}
	// "the numbers 1 through 7 using bit width 3", as definition levels.
	levels := []byte{0b00000101, 0b00111001, 0b01110111}
	deep := rareColumn{column: column{Name: "a.b.c.d.e.f.g", Type: "INTEGER", Nullable: true}, kind: typeInt32}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		deep.schema = append(deep.schema, groupOf(name, optional, 1))
		deep.path = append(deep.path, name)
	}
	deep.schema = append(deep.schema, element("g", typeInt32, optional))
	deep.path = append(deep.path, "g")
	deep.pages = []page{{kind: dataPage, values: 8, rows: 8, levels: bitPacked, def: levels, data: plainInt32(42)}}
	deep.values = append(times(7, nil), 42)
	lists := rareColumn{column: column{Name: "xs", Type: "LIST", Nullable: false}, kind: typeInt32, schema: []fields{element("xs", typeInt32, repeated)}}
	var reps, defs []uint64
	var elements []int32
	for i := range 8 { // row i has i elements, or an empty list
		rep := uint64(0)
		for k := range max(i, 1) {
			reps, defs = append(reps, rep), append(defs, uint64(min(i, 1)))
			rep = 1
			if i > 0 {
				elements = append(elements, int32(10*i+k))
			}
		}
		row := make([]int, i)
		for k := range row {
			row[k] = 10*i + k
		}
		lists.values = append(lists.values, map[string]any{"json": row})
	}
	lists.pages = []page{{kind: dataPage, values: int32(len(reps)), rows: 8, levels: bitPacked, rep: packMSB(1, reps...), def: packMSB(1, defs...), data: plainInt32(elements...)}}
	out["bit_packed_levels"] = build(deep, lists)

	out["delta_examples"] = build(
		one("hello", "VARCHAR", typeBytes, v1(4, deltaLength, join(small(5, 5, 6, 6), []byte("HelloWorldFoobarABCDEF"))), anys("Hello", "World", "Foobar", "ABCDEF"), logical(1)),
		one("axis", "VARCHAR", typeBytes, v2(4, deltaBytes, join(small(0, 2, 0, 3), small(4, 2, 6, 5), []byte("axislebabbleyhood"))), anys("axis", "axle", "babble", "babyhood"), logical(1)),
		one("fixed", "BLOB", typeFixed, v1(4, deltaBytes, join(small(0, 3, 5, 0), small(5, 2, 0, 5), []byte("abcdexybcdef"))), anys(hexOf([]byte("abcde")), hexOf([]byte("abcxy")), hexOf([]byte("abcxy")), hexOf([]byte("bcdef"))), field{2, int32(5)}),
		one("five", "INTEGER", typeInt32, v1(4, deltaBinary, small(7, 5, 3, 1)), anys(7, 5, 3, 1)),
	)
	out["byte_stream_split_example"] = build(one("x", "BLOB", typeFixed, v1(3, byteStreamSplit,
		[]byte{0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6}),
		anys(hexOf([]byte{0xaa, 0xbb, 0xcc, 0xdd}), hexOf([]byte{0x00, 0x11, 0x22, 0x33}), hexOf([]byte{0xa3, 0xb4, 0xc5, 0xd6})), field{2, int32(4)}))
	out["delta_widths"] = deltaWidths(65*32+1, "BIGINT", typeInt64, 128, 4)
	out["delta_widths_int32"] = deltaWidths(33*32+1, "INTEGER", typeInt32, 256, 8)
	out["delta_one_miniblock"] = deltaWidths(300, "BIGINT", typeInt64, 1024, 1)
	out["rle_width_0"] = build(
		rareColumn{column: column{Name: "x", Type: "INTEGER"}, schema: []fields{element("x", typeInt32, required)}, kind: typeInt32, values: times(20, 7),
			pages: []page{dictionary(1, plainInt32(7)), v1(10, rleDictionary, join([]byte{0}, run(10))), v1(10, plainDictionary, join([]byte{0}, []byte{5}))}},
		rareColumn{column: column{Name: "b", Type: "BOOLEAN"}, schema: []fields{element("b", typeBoolean, required)}, kind: typeBoolean,
			pages:  []page{v1(10, rle, prefixed(join(run(7, 1), packedRun(1, 0, 1, 0)))), v2(10, rle, prefixed(run(1<<20, 1)))},
			values: append(append(times(7, true), false, true, false), times(10, true)...)},
		rareColumn{column: column{Name: "w", Type: "INTEGER"}, schema: []fields{element("w", typeInt32, required)}, kind: typeInt32,
			pages: []page{dictionary(3, plainInt32(1, 2, 3)), v1(20, rleDictionary, join([]byte{32}, run(15, 2, 0, 0, 0), packedRun(32, 0, 1, 2, 1, 0)))}, values: append(times(15, 3), 1, 2, 3, 2, 1)},
	)
	alpFiles(out)
	return out
}

// deltaWidths has miniblocks of every width up to most, if there are enough miniblocks.
func deltaWidths(n int, sqlType string, kind int32, block, minis int) rare {
	most := 64
	if kind == typeInt32 {
		most = 32
	}
	values := make([]int64, n)
	per := block / minis
	state := uint64(42)
	for i := range values {
		state = state*6364136223846793005 + 1442695040888963407
		if w := i / per * 3 % (most + 1); w > 0 {
			values[i] = int64(state) >> (64 - w)
		}
	}
	width := func(ordinal, least int) int { return min(most, max(least, ordinal%(most+1))) }
	return build(one("x", sqlType, kind, v1(n, deltaBinary, delta(block, minis, width, values...)), anys(values...)))
}

// alpFiles has AlpEncoding.md's worked examples.
func alpFiles(out map[string]rare) {
	nan := plainInt64(int64(math.Float64bits(math.NaN())))
	worked := join([]byte{4, 3, 1, 0}, plainInt64(3335), []byte{15}, packLSB(15, []uint64{11665, 11665, 21665, 0}), []byte{1, 0}, nan)
	frame := join([]byte{2, 0, 0, 0}, plainInt64(12), []byte{10}, packLSB(10, []uint64{111, 444, 777, 0, 0, 0, 0, 0}))
	same := join([]byte{0, 0, 0, 0}, plainInt64(-5), []byte{0})
	tenth, hundredth := 1e-4, 1e-2
	ten3 := 1e3
	first := []float64{15000 * ten3 * tenth, math.NaN(), 25000 * ten3 * tenth, 3335 * ten3 * tenth}
	// One vector of eight, and one of four that is the last.
	two := join([]byte{0, 0, 3}, plainInt32(12), plainInt32(8, int32(8+len(frame))), frame, worked)
	var doubles []any
	for _, e := range []float64{123, 456, 789, 12, 12, 12, 12, 12} {
		doubles = append(doubles, number(e*1*hundredth, 64))
	}
	for _, v := range first {
		doubles = append(doubles, number(v, 64))
	}
	second := join([]byte{0, 0, 15}, plainInt32(12), plainInt32(4), same)
	out["alp_double"] = build(
		one("x", "DOUBLE", typeDouble, v1(12, alp, two), doubles),
		one("y", "DOUBLE", typeDouble, v2(12, alp, second), times(12, -5.0)),
	)
	hundredth32 := float32(1e-2)
	narrow := join([]byte{2, 0, 2, 0}, plainInt32(12), []byte{10}, packLSB(10, []uint64{111, 444, 777, 0}),
		[]byte{1, 0, 3, 0}, plainInt32(int32(math.Float32bits(float32(math.Inf(-1)))), math.MinInt32))
	floats := anys(number(float64(123*hundredth32), 32), number(math.Inf(-1), 32), number(float64(789*hundredth32), 32), -0.0)
	floats[3] = json.RawMessage("-0.0")
	out["alp_float"] = build(one("x", "FLOAT", typeFloat, v1(4, alp, join([]byte{0, 0, 10}, plainInt32(4), plainInt32(4), narrow)), floats))
	sparse := rareColumn{column: column{Name: "x", Type: "DOUBLE"}, schema: []fields{element("x", typeDouble, required)}, kind: typeDouble,
		pages:  []page{v1(6, alp, join([]byte{0, 0, 10}, plainInt32(4), plainInt32(4), worked)).levelled(nil, packedRun(1, 1, 0, 1, 1, 0, 1))},
		values: []any{number(first[0], 64), nil, number(first[1], 64), number(first[2], 64), nil, number(first[3], 64)}}
	out["alp_nulls"] = build(sparse.nullable())
}

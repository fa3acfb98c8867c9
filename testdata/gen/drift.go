package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Files that differ only in the type of a column, for tables whose files have drifted. Each
// has the columns id, x, d (x with a dictionary), l (LIST of x), s (STRUCT of x) and m (MAP of
// text to x), in row groups of driftGroup rows. internal/enginetest/drift_test.go has the values too.

const (
	driftRows  = 16
	driftGroup = 4
)

// driftOnly writes only these files and keeps the others of the manifest.
func (g *generator) driftOnly() {
	var known []made
	must(json.Unmarshal(value(os.ReadFile(g.path("manifest.json"))), &known))
	g.drift()
	own := g.files
	g.files = slices.DeleteFunc(known, func(m made) bool {
		return slices.ContainsFunc(own, func(o made) bool { return o.File == m.File })
	})
	g.files = append(g.files, own...)
	g.writeManifest()
}

func (g *generator) drift() {
	for _, t := range driftTypes() {
		name := "files/arrow-go/drift_" + t.name + ".parquet"
		must(os.WriteFile(g.path(name), driftFile(t), 0o644))
		g.add(name, "arrow-go", "testdata/gen/drift.go", driftAnswer(t), "")
	}
}

// driftType is a type of a column and four of its values.
type driftType struct {
	name, sql string
	node      func(name string) schema.Node // optional
	values    [4]driftValue
}

// driftValue is a value as it is written, and how it is answered by itself and within JSON.
type driftValue struct{ written, answer, inner any }

// Values of groups are written as these: nil is NULL.
type (
	driftList   []any
	driftMap    [][2]any // key and value
	driftStruct []any
)

func driftLeaf(physical parquet.Type, length int, logical schema.LogicalType) func(string) schema.Node {
	return func(name string) schema.Node {
		if logical == nil {
			return value(schema.NewPrimitiveNode(name, parquet.Repetitions.Optional, physical, -1, int32(length)))
		}
		return value(schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Optional, logical, physical, length, -1))
	}
}

// same is a type whose values are answered as they are written.
func same(name, sql string, node func(string) schema.Node, values ...any) driftType {
	t := driftType{name: name, sql: sql, node: node}
	for i, v := range values {
		t.values[i] = driftValue{v, v, v}
	}
	return t
}

// byteTexts is a type of byte arrays.
func byteTexts(name, sql string, logical schema.LogicalType, values ...string) driftType {
	t := driftType{name: name, sql: sql, node: driftLeaf(parquet.Types.ByteArray, -1, logical)}
	for i, v := range values {
		t.values[i] = driftValue{parquet.ByteArray(v), v, v}
		if logical == nil {
			t.values[i] = driftValue{parquet.ByteArray(v), hexOf([]byte(v)), base64.StdEncoding.EncodeToString([]byte(v))}
		}
	}
	return t
}

// decimalTexts is a DECIMAL of 16 bytes, or of four if the precision allows.
func decimalTexts(name string, precision, scale int, values ...string) driftType {
	physical, length := parquet.Types.FixedLenByteArray, 16
	if precision <= 9 {
		physical, length = parquet.Types.Int32, -1
	}
	t := driftType{name: name, sql: "DECIMAL", node: driftLeaf(physical, length, schema.NewDecimalLogicalType(int32(precision), int32(scale)))}
	for i, v := range values {
		unscaled, ok := new(big.Int).SetString(strings.Replace(v, ".", "", 1), 10)
		if !ok {
			panic(v)
		}
		t.values[i] = driftValue{int32(unscaled.Int64()), v, json.Number(v)}
		if precision > 9 {
			twos := new(big.Int).And(unscaled, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1)))
			t.values[i].written = parquet.FixedLenByteArray(twos.FillBytes(make([]byte, 16)))
		}
	}
	return t
}

// instants is a type of instants in a unit.
func instants(name, sql string, utc bool, unit schema.TimeUnitType, values ...string) driftType {
	logical := schema.NewTimestampLogicalTypeWithOpts(schema.WithTSIsAdjustedToUTC(), schema.WithTSTimeUnitType(unit))
	if !utc {
		logical = schema.NewTimestampLogicalTypeWithOpts(schema.WithTSTimeUnitType(unit), schema.WithTSForceConverted())
	}
	t := driftType{name: name, sql: sql, node: driftLeaf(parquet.Types.Int64, -1, logical)}
	for i, v := range values {
		at := value(time.Parse("2006-01-02T15:04:05.999999999Z07:00", v+"Z"))
		written := map[schema.TimeUnitType]int64{schema.TimeUnitMillis: at.UnixMilli(), schema.TimeUnitMicros: at.UnixMicro(), schema.TimeUnitNanos: at.UnixNano()}[unit]
		inner := v
		if utc {
			inner += "Z"
		}
		t.values[i] = driftValue{written, map[string]string{"time": v + "Z"}, inner}
	}
	return t
}

func driftTypes() []driftType {
	integer := func(bits int8, signed bool) func(string) schema.Node {
		physical := parquet.Types.Int32
		if bits == 64 {
			physical = parquet.Types.Int64
		}
		return driftLeaf(physical, -1, schema.NewIntLogicalType(bits, signed))
	}
	nulls := func(name, sql string, node func(string) schema.Node) driftType {
		return driftType{name: name, sql: sql, node: node}
	}
	integers := driftLeaf(parquet.Types.Int32, -1, nil)
	text := driftLeaf(parquet.Types.ByteArray, -1, schema.StringLogicalType{})
	unsigned := func(t driftType, answers ...any) driftType { // arrow-go takes the bits of unsigned values
		for i, v := range answers {
			t.values[i].answer, t.values[i].inner = v, v
		}
		return t
	}
	doubles := same("double", "DOUBLE", driftLeaf(parquet.Types.Double, -1, nil), -1.5, 0.1, 7.0, 9007199254740992.0)
	floats := same("float", "FLOAT", driftLeaf(parquet.Types.Float, -1, nil), float32(-1.5), float32(0.1), float32(7), float32(16777216))
	half := driftType{name: "half", sql: "HALF", node: driftLeaf(parquet.Types.FixedLenByteArray, 2, schema.Float16LogicalType{})}
	for i, v := range []struct {
		bits uint16
		f    float32
	}{{0xc000, -2}, {0xb800, -0.5}, {0x4700, 7}, {0x6400, 1024}} {
		half.values[i] = driftValue{parquet.FixedLenByteArray(binary.LittleEndian.AppendUint16(nil, v.bits)), v.f, v.f}
	}
	dates := driftType{name: "date", sql: "DATE", node: driftLeaf(parquet.Types.Int32, -1, schema.DateLogicalType{})}
	for i, v := range []string{"1969-12-31", "2000-01-01", "2024-02-29", "9999-12-31"} {
		at := value(time.Parse(time.DateOnly, v))
		dates.values[i] = driftValue{int32(math.Floor(float64(at.Unix()) / 86400)), map[string]string{"time": v + "T00:00:00Z"}, v}
	}
	times := driftType{name: "time", sql: "TIME", node: driftLeaf(parquet.Types.Int64, -1, schema.NewTimeLogicalType(false, schema.TimeUnitMicros))}
	for i, v := range []string{"00:00:00.000000", "07:00:00.000000", "12:34:56.789012", "23:59:59.999999"} {
		at := value(time.Parse("15:04:05.000000", v))
		times.values[i] = driftValue{at.Sub(at.Truncate(24 * time.Hour)).Microseconds(), v, v}
	}
	intervals := driftType{name: "interval", sql: "INTERVAL", node: func(name string) schema.Node {
		return value(schema.NewPrimitiveNodeConverted(name, parquet.Repetitions.Optional, parquet.Types.FixedLenByteArray, schema.ConvertedTypes.Interval, 12, 0, 0, -1))
	}}
	for i, v := range []struct {
		months, days, millis uint32
		text                 string
	}{{0, 0, 0, "PT0S"}, {1, 0, 0, "P1M"}, {0, 40, 0, "P40D"}, {14, 3, 4005, "P1Y2M3DT4.005S"}} {
		b := binary.LittleEndian.AppendUint32(nil, v.months)
		b = binary.LittleEndian.AppendUint32(b, v.days)
		intervals.values[i] = driftValue{parquet.FixedLenByteArray(binary.LittleEndian.AppendUint32(b, v.millis)), v.text, v.text}
	}
	uuids := driftType{name: "uuid", sql: "UUID", node: driftLeaf(parquet.Types.FixedLenByteArray, 16, schema.UUIDLogicalType{})}
	for i, first := range []byte{0x00, 0x07, 0x7f, 0xff} {
		b := []byte{first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		s := hexDigits(b)
		s = s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
		uuids.values[i] = driftValue{parquet.FixedLenByteArray(b), s, s}
	}
	lists := driftType{name: "list", sql: "LIST", node: func(name string) schema.Node { return listNode(name, integers) }}
	for i, v := range []driftList{{int32(1)}, {}, {nil, int32(7)}, {int32(math.MaxInt32)}} {
		lists.values[i] = driftValue{v, map[string]any{"json": []any(v)}, []any(v)}
	}
	maps := driftType{name: "map", sql: "MAP", node: func(name string) schema.Node { return mapNode(name, integers) }}
	for i, v := range []driftMap{{{"k", int32(1)}}, {}, {{"7", nil}}, {{"k", int32(5)}}} {
		maps.values[i] = driftValue{v, map[string]any{"json": v.object()}, v.object()}
	}
	structs := driftType{name: "struct", sql: "STRUCT", node: func(name string) schema.Node { return structNode(name, integers("a"), text("b")) }}
	for i, v := range []driftStruct{{int32(1), "q"}, {nil, nil}, {int32(7), ""}, {int32(2), "7"}} {
		written := slices.Clone(v)
		if s, ok := v[1].(string); ok {
			written[1] = parquet.ByteArray(s)
		}
		structs.values[i] = driftValue{written, nil, map[string]any{"a": v[0], "b": v[1]}}
	}
	return []driftType{
		same("boolean", "BOOLEAN", driftLeaf(parquet.Types.Boolean, -1, nil), false, true, false, true),
		same("tinyint", "TINYINT", integer(8, true), int32(math.MinInt8), int32(-1), int32(7), int32(math.MaxInt8)),
		same("smallint", "SMALLINT", integer(16, true), int32(math.MinInt16), int32(-1), int32(300), int32(math.MaxInt16)),
		same("integer", "INTEGER", integers, int32(math.MinInt32), int32(7), int32(16777217), int32(math.MaxInt32)),
		same("bigint", "BIGINT", driftLeaf(parquet.Types.Int64, -1, nil), int64(math.MinInt64), int64(7), int64(1<<53+1), int64(math.MaxInt64)),
		same("utinyint", "UTINYINT", integer(8, false), int32(0), int32(7), int32(200), int32(255)),
		same("usmallint", "USMALLINT", integer(16, false), int32(0), int32(7), int32(60000), int32(65535)),
		unsigned(same("uinteger", "UINTEGER", integer(32, false), int32(0), int32(7), int32(-294967296), int32(-1)), 0, 7, 4000000000, uint32(math.MaxUint32)),
		unsigned(same("ubigint", "UBIGINT", integer(64, false), int64(0), int64(7), int64(1<<53+1), int64(-1)), 0, 7, 1<<53+1, uint64(math.MaxUint64)),
		half, floats, doubles,
		decimalTexts("decimal_9_2", 9, 2, "-1.50", "0.10", "7.00", "9999999.99"),
		decimalTexts("decimal_38_10", 38, 10, "-9007199254740993.0000000001", "0.1000000000", "7.0000000000", "9999999999999999999999999999.9999999999"),
		dates, times,
		instants("timestamp", "TIMESTAMP", false, schema.TimeUnitMicros, "1969-12-31T00:00:00", "2000-01-01T00:00:00", "2024-02-29T12:34:56.789012", "9999-12-31T23:59:59.999999"),
		instants("timestamp_ns", "TIMESTAMP", false, schema.TimeUnitNanos, "1969-12-31T00:00:00", "2000-01-01T00:00:00", "2024-02-29T12:34:56.789012345", "2262-04-11T23:47:16.854775807"),
		instants("timestamptz", "TIMESTAMPTZ", true, schema.TimeUnitMillis, "1969-12-31T00:00:00", "2000-01-01T00:00:00", "2024-02-29T12:34:56.789", "9999-12-31T23:59:59.999"),
		intervals, uuids,
		byteTexts("varchar", "VARCHAR", schema.StringLogicalType{}, "", "7", "abc", "true"),
		byteTexts("enum", "ENUM", schema.EnumLogicalType{}, "blue", "7", "green", "red"),
		byteTexts("json", "JSON", schema.JSONLogicalType{}, `{"a":1}`, "7", `"x"`, "true"),
		byteTexts("blob", "BLOB", nil, "", "7", "abc", "~~"),
		nulls("null", "NULL", driftLeaf(parquet.Types.Int32, -1, schema.NullLogicalType{})),
		nulls("nulls", "INTEGER", integers),
		lists, maps, structs,
	}
}

func hexDigits(b []byte) string { return hexOf(b).(map[string]string)["hex"] }

// object is the map as JSON.
func (m driftMap) object() map[string]any {
	out := map[string]any{}
	for _, e := range m {
		out[e[0].(string)] = e[1]
	}
	return out
}

func listNode(name string, element func(string) schema.Node) schema.Node {
	repeated := value(schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element("element")}, -1))
	return value(schema.NewGroupNodeLogical(name, parquet.Repetitions.Optional, schema.FieldList{repeated}, schema.ListLogicalType{}, -1))
}

func mapNode(name string, of func(string) schema.Node) schema.Node {
	key := value(schema.NewPrimitiveNodeLogical("key", parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
	repeated := value(schema.NewGroupNode("key_value", parquet.Repetitions.Repeated, schema.FieldList{key, of("value")}, -1))
	return value(schema.NewGroupNodeLogical(name, parquet.Repetitions.Optional, schema.FieldList{repeated}, schema.MapLogicalType{}, -1))
}

func structNode(name string, fields ...schema.Node) schema.Node {
	return value(schema.NewGroupNode(name, parquet.Repetitions.Optional, fields, -1))
}

// at is the value of a row: -1 is NULL. Row group 2 has only NULLs.
func driftAt(row int) int {
	return []int{0, 0, 1, -1, 2, 3, 3, 2, -1, -1, -1, -1, 1, 2, 0, 3}[row%driftRows]
}

func (t driftType) at(row int) *driftValue {
	if i := driftAt(row); i >= 0 && t.values[0].written != nil {
		return &t.values[i]
	}
	return nil
}

func (v *driftValue) write() any {
	if v == nil {
		return nil
	}
	return v.written
}

func (v *driftValue) within() any {
	if v == nil {
		return nil
	}
	return v.inner
}

// driftRow is a row as it is written.
func driftRow(t driftType, row int) []any {
	x, next := t.at(row), t.at(row+1)
	out := []any{int32(row), x.write(), x.write(), nil, nil, nil}
	if row%5 == 3 {
		out[3] = driftList{}
	} else if row%5 != 4 {
		out[3] = driftList{x.write(), nil, next.write()}
	}
	if row%7 != 6 {
		out[4] = driftStruct{x.write()}
	}
	if row%5 != 2 {
		out[5] = driftMap{{"a", x.write()}, {"b", next.write()}}
	}
	return out
}

// leafBuffer is a leaf's values and levels.
type leafBuffer struct {
	values    []any
	def, reps []int16
}

// shredder divides rows into leaves (Dremel's algorithm).
type shredder struct{ leaves []*leafBuffer }

// node shreds a value of a node, whose first leaf is at; it returns the leaf behind the last.
func (s *shredder) node(n schema.Node, v any, at int, rep, def, depth int16) int {
	switch n.RepetitionType() {
	case parquet.Repetitions.Optional:
		if v == nil {
			return s.null(n, at, rep, def)
		}
		def++
	case parquet.Repetitions.Repeated:
		return s.repeated(n, v, at, rep, def, depth)
	}
	return s.present(n, v, at, rep, def, depth)
}

// present shreds a value that is there.
func (s *shredder) present(n schema.Node, v any, at int, rep, def, depth int16) int {
	group, ok := n.(*schema.GroupNode)
	if !ok {
		b := s.leaves[at]
		b.values, b.def, b.reps = append(b.values, v), append(b.def, def), append(b.reps, rep)
		return at + 1
	}
	for i := range group.NumFields() {
		child := v
		if fields, ok := v.(driftStruct); ok {
			child = fields[i]
		}
		if entry, ok := v.([2]any); ok {
			child = entry[i]
		}
		at = s.node(group.Field(i), child, at, rep, def, depth)
	}
	return at
}

func (s *shredder) repeated(n schema.Node, v any, at int, rep, def, depth int16) int {
	var elements []any
	switch v := v.(type) {
	case driftList:
		for _, e := range v {
			elements = append(elements, driftStruct{e})
		}
	case driftMap:
		for _, e := range v {
			elements = append(elements, [2]any{parquet.ByteArray(e[0].(string)), e[1]})
		}
	}
	if len(elements) == 0 {
		return s.null(n, at, rep, def)
	}
	past := at
	for _, e := range elements {
		past = s.present(n, e, at, rep, def+1, depth+1)
		rep = depth + 1
	}
	return past
}

func (s *shredder) null(n schema.Node, at int, rep, def int16) int {
	group, ok := n.(*schema.GroupNode)
	if !ok {
		b := s.leaves[at]
		b.def, b.reps = append(b.def, def), append(b.reps, rep)
		return at + 1
	}
	for i := range group.NumFields() {
		at = s.null(group.Field(i), at, rep, def)
	}
	return at
}

func driftFile(t driftType) []byte {
	id := value(schema.NewPrimitiveNode("id", parquet.Repetitions.Required, parquet.Types.Int32, -1, -1))
	root := value(schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{
		id, t.node("x"), t.node("d"), listNode("l", t.node), structNode("s", t.node("v")), mapNode("m", t.node),
	}, -1))
	leaves := schema.NewSchema(root).NumColumns()
	options := []parquet.WriterProperty{
		parquet.WithBatchSize(2), parquet.WithDataPageSize(1), parquet.WithPageIndexEnabled(true), parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithDictionaryDefault(false), parquet.WithMaxBloomFilterBytes(64),
	}
	for i := range leaves {
		path := schema.NewSchema(root).Column(i).ColumnPath()
		switch {
		case path[0] == "d":
			options = append(options, parquet.WithDictionaryPath(path, true))
		case path[0] == "x" && t.name != "boolean":
			options = append(options, parquet.WithBloomFilterEnabledPath(path, true))
		}
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	for first := 0; first < driftRows; first += driftGroup {
		s := &shredder{}
		for range leaves {
			s.leaves = append(s.leaves, &leafBuffer{})
		}
		for row := first; row < first+driftGroup; row++ {
			at := 0
			for i, v := range driftRow(t, row) {
				at = s.node(root.Field(i), v, at, 0, 0, 0)
			}
		}
		group := value(w.AppendRowGroupChecked())
		for _, b := range s.leaves {
			b.write(value(group.NextColumn()))
		}
		must(group.Close())
	}
	must(w.Close())
	return out.Bytes()
}

func (b *leafBuffer) write(w file.ColumnChunkWriter) {
	switch w := w.(type) {
	case *file.BooleanColumnChunkWriter:
		value(w.WriteBatch(valuesOf[bool](b), b.def, b.reps))
	case *file.Int32ColumnChunkWriter:
		value(w.WriteBatch(valuesOf[int32](b), b.def, b.reps))
	case *file.Int64ColumnChunkWriter:
		value(w.WriteBatch(valuesOf[int64](b), b.def, b.reps))
	case *file.Float32ColumnChunkWriter:
		value(w.WriteBatch(valuesOf[float32](b), b.def, b.reps))
	case *file.Float64ColumnChunkWriter:
		value(w.WriteBatch(valuesOf[float64](b), b.def, b.reps))
	case *file.ByteArrayColumnChunkWriter:
		value(w.WriteBatch(valuesOf[parquet.ByteArray](b), b.def, b.reps))
	case *file.FixedLenByteArrayColumnChunkWriter:
		value(w.WriteBatch(valuesOf[parquet.FixedLenByteArray](b), b.def, b.reps))
	}
	must(w.Close())
}

func valuesOf[T any](b *leafBuffer) []T {
	out := make([]T, len(b.values))
	for i, v := range b.values {
		out[i] = v.(T)
	}
	return out
}

// driftAnswer is what SELECT * gives: a STRUCT is its fields.
func driftAnswer(t driftType) *answer {
	a := &answer{columns: []column{{"id", "INTEGER", false}}}
	add := func(name string) {
		if t.sql != "STRUCT" {
			a.columns = append(a.columns, column{name, t.sql, true})
			return
		}
		a.columns = append(a.columns, column{name + ".a", "INTEGER", true}, column{name + ".b", "VARCHAR", true})
	}
	add("x")
	add("d")
	a.columns = append(a.columns, column{"l", "LIST", true})
	add("s.v")
	a.columns = append(a.columns, column{"m", "MAP", true})
	for row := range driftRows {
		x, next := t.at(row), t.at(row+1)
		flat := func(there bool) []any {
			switch {
			case t.sql == "STRUCT" && (x == nil || !there):
				return []any{nil, nil}
			case t.sql == "STRUCT":
				fields := x.inner.(map[string]any)
				return []any{fields["a"], fields["b"]}
			case x == nil || !there:
				return []any{nil}
			}
			return []any{x.answer}
		}
		out := append([]any{row}, flat(true)...)
		out = append(out, flat(true)...)
		var list, object any
		if row%5 == 3 {
			list = map[string]any{"json": []any{}}
		} else if row%5 != 4 {
			list = map[string]any{"json": []any{x.within(), nil, next.within()}}
		}
		if row%5 != 2 {
			object = map[string]any{"json": map[string]any{"a": x.within(), "b": next.within()}}
		}
		out = append(append(out, list), flat(row%7 != 6)...)
		a.rows = append(a.rows, append(out, object))
	}
	return a
}

package fileformat

import (
	"testing"
)

// leafFile is a file of one leaf column with the given element fields.
func leafFile(fields ...tf) []byte {
	leaf := ts{{3, int32(0)}, {4, "c"}}.with(fields...)
	return testFile(tf{2, structs(ts{{4, "schema"}, {5, int32(1)}}, leaf)}, tf{3, int64(0)}, tf{4, structs[ts]()})
}

// TestLogicalTypes has each annotation of LogicalTypes.md in both spellings.
func TestLogicalTypes(t *testing.T) {
	typ := func(p PhysicalType) tf { return tf{1, int32(p)} }
	fixed := func(n int32) []tf { return []tf{typ(FixedLenByteArray), {2, n}} }
	logical := func(id int, parameters ts) tf { return tf{10, ts{{id, parameters}}} }
	converted := func(c ConvertedType) tf { return tf{6, int32(c)} }
	unit := func(id int) ts { return ts{{id, ts{}}} }
	text := LogicalType{Kind: LogicalString}
	for _, c := range []struct {
		name   string
		fields []tf
		want   LogicalType
	}{
		{"nothing", []tf{typ(Int32)}, LogicalType{}},
		{"STRING", []tf{typ(ByteArray), logical(1, nil)}, text},
		{"UTF8", []tf{typ(ByteArray), converted(ConvertedUTF8)}, text},
		{"both agree", []tf{typ(ByteArray), logical(1, nil), converted(ConvertedUTF8)}, text},
		{"both differ", []tf{typ(ByteArray), logical(12, nil), converted(ConvertedUTF8)}, LogicalType{Kind: LogicalJSON}},
		{"ENUM", []tf{typ(ByteArray), logical(4, nil)}, LogicalType{Kind: LogicalEnum}},
		{"DECIMAL", []tf{typ(Int64), logical(5, ts{{1, int32(2)}, {2, int32(18)}})}, LogicalType{Kind: LogicalDecimal, Precision: 18, Scale: 2}},
		{"legacy DECIMAL", append(fixed(5), converted(ConvertedDecimal), tf{7, int32(3)}, tf{8, int32(10)}), LogicalType{Kind: LogicalDecimal, Precision: 10, Scale: 3}},
		{"legacy DECIMAL without scale", append(fixed(5), converted(ConvertedDecimal), tf{8, int32(10)}), LogicalType{Kind: LogicalDecimal, Precision: 10}},
		{"DATE", []tf{typ(Int32), logical(6, nil)}, LogicalType{Kind: LogicalDate}},
		{"TIME", []tf{typ(Int64), logical(7, ts{{1, false}, {2, unit(3)}})}, LogicalType{Kind: LogicalTime, Unit: Nanos}},
		{"TIME_MILLIS", []tf{typ(Int32), converted(ConvertedTimeMillis)}, LogicalType{Kind: LogicalTime, Unit: Millis, UTC: true}},
		{"TIMESTAMP", []tf{typ(Int64), logical(8, ts{{1, true}, {2, unit(2)}})}, LogicalType{Kind: LogicalTimestamp, Unit: Micros, UTC: true}},
		{"TIMESTAMP_MICROS", []tf{typ(Int64), converted(ConvertedTimestampMicros)}, LogicalType{Kind: LogicalTimestamp, Unit: Micros, UTC: true}},
		{"INT(8, signed)", []tf{typ(Int32), logical(10, ts{{1, int8(8)}, {2, true}})}, LogicalType{Kind: LogicalInteger, BitWidth: 8, Signed: true}},
		{"UINT_64", []tf{typ(Int64), converted(ConvertedUint64)}, LogicalType{Kind: LogicalInteger, BitWidth: 64}},
		{"INT_16", []tf{typ(Int32), converted(ConvertedInt16)}, LogicalType{Kind: LogicalInteger, BitWidth: 16, Signed: true}},
		{"UNKNOWN", []tf{typ(Boolean), logical(11, nil)}, LogicalType{Kind: LogicalUnknown}},
		{"BSON", []tf{typ(ByteArray), converted(ConvertedBSON)}, LogicalType{Kind: LogicalBSON}},
		{"UUID", append(fixed(16), logical(14, nil)), LogicalType{Kind: LogicalUUID}},
		{"FLOAT16", append(fixed(2), logical(15, nil)), LogicalType{Kind: LogicalFloat16}},
		{"INTERVAL", append(fixed(12), converted(ConvertedInterval)), LogicalType{Kind: LogicalInterval}},
		{"GEOMETRY", []tf{typ(ByteArray), logical(17, ts{{1, "EPSG:4326"}})}, LogicalType{Kind: LogicalGeometry, CRS: "EPSG:4326"}},
		{"GEOGRAPHY", []tf{typ(ByteArray), logical(18, nil)}, LogicalType{Kind: LogicalGeography, Algorithm: "SPHERICAL"}},
		{"GEOGRAPHY, KARNEY", []tf{typ(ByteArray), logical(18, ts{{2, int32(4)}})}, LogicalType{Kind: LogicalGeography, Algorithm: "KARNEY"}},
		{"a type of the future", []tf{typ(ByteArray), logical(99, ts{{1, "x"}}), converted(ConvertedUTF8)}, LogicalType{Kind: LogicalUnknownFuture}},
		{"an empty union", []tf{typ(ByteArray), {10, ts{}}, converted(ConvertedUTF8)}, text},

		// An annotation that does not fit the physical type is ignored.
		{"STRING of INT32", []tf{typ(Int32), logical(1, nil)}, LogicalType{}},
		{"UUID of 15 bytes", append(fixed(15), logical(14, nil)), LogicalType{}},
		{"TIMESTAMP of INT96", []tf{typ(Int96Type), converted(ConvertedTimestampMillis)}, LogicalType{}},
		{"TIMESTAMP of an unknown unit", []tf{typ(Int64), logical(8, ts{{1, true}, {2, unit(4)}})}, LogicalType{}},
		{"INT(24)", []tf{typ(Int32), logical(10, ts{{1, int8(24)}, {2, true}})}, LogicalType{}},
		{"LIST of a leaf", []tf{typ(Int32), converted(ConvertedList)}, LogicalType{}},
		{"an unknown converted type", []tf{typ(Int32), converted(99)}, LogicalType{}},
	} {
		f, err := openBytes(leafFile(c.fields...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := f.Schema.Leaves[0].Logical; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestLevels has the schema of the Dremel paper, whose maximum levels are published.
func TestLevels(t *testing.T) {
	group := func(name string, repetition, children int32) ts {
		return ts{{3, repetition}, {4, name}, {5, children}}
	}
	leaf := func(name string, repetition int32) ts { return ts{{1, int32(2)}, {3, repetition}, {4, name}} }
	f := mustOpen(t, testFile(tf{3, int64(0)}, tf{4, structs[ts]()}, tf{2, structs(
		ts{{4, "Document"}, {5, int32(3)}},
		leaf("DocId", 0),
		group("Links", 1, 2), leaf("Backward", 2), leaf("Forward", 2),
		group("Name", 2, 2), group("Language", 2, 2), leaf("Code", 0), leaf("Country", 1), leaf("Url", 1),
	)}))
	for i, want := range []struct {
		path     string
		def, rep int
	}{
		{"DocId", 0, 0}, {"Links.Backward", 2, 1}, {"Links.Forward", 2, 1},
		{"Name.Language.Code", 2, 2}, {"Name.Language.Country", 3, 2}, {"Name.Url", 2, 1},
	} {
		l := f.Schema.Leaves[i]
		if l.Dotted() != want.path || l.MaxDef != want.def || l.MaxRep != want.rep || l.Leaf != i || !l.IsLeaf() {
			t.Errorf("leaf %d: %s, levels %d and %d", i, l.Dotted(), l.MaxDef, l.MaxRep)
		}
	}
	if len(f.Schema.Root.Children) != 3 || f.Schema.Leaves[3].Parent.Parent.Parent != f.Schema.Root {
		t.Error("the tree's links")
	}
}

func TestWriter(t *testing.T) {
	for text, want := range map[string]Writer{
		"":        {},
		"Skyhook": {Application: "skyhook"},
		"impala version 1.3.0-INTERNAL (build 8a48d)": {Application: "impala", Major: 1, Minor: 3, HasVersion: true, Suffix: "-INTERNAL", Build: "8a48d"},
		"DuckDB version v1.0.0 (build 1f98600c2c)":    {Application: "duckdb", Major: 1, HasVersion: true, Build: "1f98600c2c"},
		"parquet-cpp-arrow version 14.0.2":            {Application: "parquet-cpp-arrow", Major: 14, Patch: 2, HasVersion: true},
		"parquet-mr version 1.5.0-cdh5.5.0 (build x":  {Application: "parquet-mr", Major: 1, Minor: 5, HasVersion: true, Suffix: "-cdh5.5.0", Build: "x"},
		"a version 99999999999999999999.1":            {Application: "a", Suffix: "99999999999999999999.1"},
		"a version 2":                                 {Application: "a", Major: 2, HasVersion: true},
		"a version 1.2.3.4":                           {Application: "a", Major: 1, Minor: 2, Patch: 3, HasVersion: true, Suffix: ".4"},
	} {
		if got := parseWriter(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"": true, "Skyhook": true, "parquet-mr": true, "parquet-mr version": true, "parquet-mr version (build x)": true,
		"parquet-mr version 1.7.0 (build 1)": true, "parquet-mr version 1.5.0-cdh5.5.0": true,
		"parquet-mr version 1.8.0 (build 1)": false, "parquet-mr version 1.10.1": false, "impala version 1.3.0": false, "a version x": false,
	} {
		m := FileMetaData{CreatedBy: text, Writer: parseWriter(text)}
		if m.ContinuesPrefixes() != want {
			t.Errorf("%q: ContinuesPrefixes is not %t", text, want)
		}
	}
	w := parseWriter("x version 1.10.0")
	if w.Before(1, 9, 9) || !w.Before(1, 10, 1) || !w.Before(2, 0, 0) || (Writer{}).Before(9, 9, 9) {
		t.Error("Before")
	}
}

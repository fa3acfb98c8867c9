package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/vector"
)

func TestUnion(t *testing.T) {
	f := func(name string, physical int, optional bool) scantest.Field {
		return scantest.Field{Name: name, Physical: physical, Converted: -1, Optional: optional}
	}
	unsigned32 := scantest.Field{Name: "b", Physical: 1, Converted: 13}
	fsys := scantest.FS(map[string][]byte{
		"wide/1.parquet":  scantest.File([]scantest.Field{scantest.Int32("a"), f("b", 4, false), f("c", 6, true)}),
		"wide/2.parquet":  scantest.File([]scantest.Field{scantest.Text("d"), f("b", 5, false), scantest.Int64("a")}),
		"twice/1.parquet": scantest.File([]scantest.Field{scantest.Int32("a"), scantest.Text("a")}),
		"twice/2.parquet": scantest.File([]scantest.Field{scantest.Int64("a"), scantest.Text("a")}),
		"clash/1.parquet": scantest.File([]scantest.Field{scantest.Int32("a"), scantest.Int32("b")}),
		"clash/2.parquet": scantest.File([]scantest.Field{scantest.Int32("a"), {Name: "b", Physical: 1, Converted: 6}}),
		"case/1.parquet":  scantest.File([]scantest.Field{scantest.Int32("A")}),
		"case/2.parquet":  scantest.File([]scantest.Field{scantest.Int32("a"), unsigned32}),
	})
	s := snapshot(t, open(t, Config{FS: fsys, Path: "."}))
	wide := table(t, s, "wide")
	if got := columns(wide); got != "a BIGINT, b DOUBLE, c BLOB?, d VARCHAR?" {
		t.Errorf("wide: %s", got)
	}
	if c, ok := columnsOf(t, wide.Files[0]).Column(0); !ok || c.Type.Kind != vector.Integer {
		t.Errorf("the first file's own type of a is %v", c.Type)
	}
	if _, ok := columnsOf(t, wide.Files[1]).Column(2); ok {
		t.Error("the second file has no c")
	}
	if c, ok := columnsOf(t, wide.Files[1]).Column(3); !ok || c.Name != "d" || c.Leaves[0] != 0 {
		t.Errorf("the second file's d is %+v", c)
	}
	if got := columns(table(t, s, "twice")); got != "a BIGINT, a VARCHAR" {
		t.Errorf("twice: %s", got)
	}
	clash := table(t, s, "clash")
	if got := columns(clash); got != "a INTEGER, b NULL" || clash.Columns[1].Conflict != nil { // the files have no rows
		t.Errorf("clash: %s, %v", got, clash.Columns[1].Conflict)
	}
	if got := columns(table(t, s, "case")); !strings.HasPrefix(got, "A INTEGER, b ") {
		t.Errorf("case: %s", got)
	}
}

// TestWiden checks the rules of docs/contract.md, and that the order of two or three
// types does not matter.
func TestWiden(t *testing.T) {
	of := vector.Of
	decimal, timestamp := vector.DecimalType, vector.TimestampType
	list := func(e vector.Type) vector.Type { return vector.ListOf(vector.Field{Name: "item", Type: e}) }
	row := func(fields ...vector.Field) vector.Type { return vector.Type{Kind: vector.Struct, Fields: fields} }
	a, b := vector.Field{Name: "a", Type: of(vector.Integer)}, vector.Field{Name: "b", Type: of(vector.Integer)}
	ab := row(vector.Field{Name: "a", Type: of(vector.Integer), Nullable: true}, vector.Field{Name: "b", Type: of(vector.Integer), Nullable: true})
	none := vector.Type{Kind: 255}
	cases := []struct{ a, b, want vector.Type }{
		{of(vector.Integer), of(vector.BigInt), of(vector.BigInt)},
		{of(vector.UTinyInt), of(vector.TinyInt), of(vector.SmallInt)},
		{of(vector.UTinyInt), of(vector.Integer), of(vector.Integer)},
		{of(vector.UInteger), of(vector.TinyInt), of(vector.BigInt)},
		{of(vector.USmallInt), of(vector.UBigInt), of(vector.UBigInt)},
		{of(vector.UBigInt), of(vector.BigInt), decimal(20, 0)},
		{of(vector.UBigInt), of(vector.TinyInt), decimal(20, 0)},
		{of(vector.Boolean), of(vector.UTinyInt), of(vector.UTinyInt)},
		{of(vector.Boolean), of(vector.BigInt), of(vector.BigInt)},
		{of(vector.Boolean), of(vector.Half), of(vector.Half)},
		{of(vector.Boolean), decimal(2, 2), decimal(3, 2)},
		{of(vector.Boolean), of(vector.Date), none},
		{of(vector.Half), of(vector.Float), of(vector.Float)},
		{of(vector.Float), of(vector.Double), of(vector.Double)},
		{of(vector.Float), of(vector.Integer), of(vector.Double)},
		{of(vector.BigInt), of(vector.Double), of(vector.Double)},
		{vector.GeometryType("EPSG:3857"), vector.GeometryType(""), vector.GeometryType("EPSG:3857")},
		{vector.GeometryType("EPSG:4326"), vector.GeometryType("OGC:CRS84"), vector.GeometryType("OGC:CRS84")},
		{vector.GeometryType("EPSG:3857"), vector.GeometryType("EPSG:4326"), none},
		{vector.GeometryType("EPSG:4326"), vector.GeographyType("EPSG:4326", "SPHERICAL"), none},
		{vector.GeographyType("EPSG:4326", "KARNEY"), vector.GeographyType("EPSG:4326", "SPHERICAL"), none},
		{vector.GeometryType("EPSG:3857"), of(vector.Blob), of(vector.Blob)},
		{vector.GeometryType("EPSG:3857"), of(vector.Varchar), none},
		{of(vector.UBigInt), of(vector.Half), of(vector.Double)},
		{of(vector.Half), of(vector.TinyInt), of(vector.Double)},
		{decimal(10, 2), decimal(12, 2), decimal(12, 2)},
		{decimal(10, 2), decimal(10, 6), decimal(14, 6)},
		{decimal(10, 2), of(vector.Integer), decimal(12, 2)},
		{decimal(9, 2), of(vector.TinyInt), decimal(9, 2)},
		{decimal(4, 3), of(vector.USmallInt), decimal(8, 3)},
		{decimal(9, 2), of(vector.BigInt), decimal(21, 2)},
		{decimal(9, 2), of(vector.UBigInt), decimal(22, 2)},
		{decimal(38, 38), of(vector.BigInt), decimal(57, 38)},
		{decimal(38, 2), of(vector.Double), of(vector.Double)},
		{decimal(9, 2), of(vector.Float), of(vector.Double)},
		{decimal(1<<31-1, 1<<31-1), of(vector.Integer), none},
		{decimal(1<<31-1, 1<<31-1), decimal(5, 5), none},
		{decimal(1<<31-1, 0), of(vector.Integer), decimal(1<<31-1, 0)},
		{timestamp(vector.Millis, false), timestamp(vector.Micros, true), timestamp(vector.Micros, true)},
		{timestamp(vector.Millis, false), timestamp(vector.Nanos, false), timestamp(vector.Wide, false)},
		{timestamp(vector.Wide, false), timestamp(vector.Micros, true), timestamp(vector.Wide, true)},
		{of(vector.Date), timestamp(vector.Millis, false), timestamp(vector.Millis, false)},
		{of(vector.Date), timestamp(vector.Micros, true), timestamp(vector.Micros, true)},
		{of(vector.Date), timestamp(vector.Nanos, true), timestamp(vector.Wide, true)},
		{of(vector.Date), timestamp(vector.Wide, false), timestamp(vector.Wide, false)},
		{of(vector.Date), vector.TimeType(vector.Micros), none},
		{of(vector.Date), of(vector.Integer), none},
		{vector.TimeType(vector.Millis), vector.TimeType(vector.Nanos), vector.TimeType(vector.Nanos)},
		{of(vector.Blob), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.Enum), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.JSON), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.BSON), of(vector.Varchar), none},
		{of(vector.Null), of(vector.UUID), of(vector.UUID)},
		{of(vector.UUID), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.UUID), of(vector.Blob), none},
		{of(vector.Integer), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.Boolean), of(vector.Enum), of(vector.Varchar)},
		{of(vector.Double), of(vector.JSON), of(vector.JSON)},
		{of(vector.Interval), of(vector.Varchar), of(vector.Varchar)},
		{of(vector.Integer), of(vector.Blob), none},
		{list(of(vector.Integer)), of(vector.Varchar), none},
		{list(of(vector.Integer)), of(vector.JSON), none},
		{list(of(vector.Null)), row(a), none},
		{list(of(vector.Integer)), list(of(vector.BigInt)), list(of(vector.BigInt))},
		{list(of(vector.Integer)), list(of(vector.Date)), none},
		{list(of(vector.Null)), list(row(a)), list(row(a))},
		{row(vector.Field{Name: "a", Type: of(vector.Null)}), row(vector.Field{Name: "a", Type: list(row(b))}), row(vector.Field{Name: "a", Type: list(row(b))})},
		{row(a), row(b), ab},
	}
	var types []vector.Type
	for _, c := range cases {
		got, ok := widenAll([]vector.Type{c.a, c.b})
		if ok != (c.want.Kind != none.Kind) || ok && !got.Equal(c.want) {
			t.Errorf("widenAll(%v, %v) = %v, %v; want %v", c.a, c.b, got, ok, c.want)
		}
		types = append(types, c.a, c.b)
	}
	for _, x := range types {
		for _, y := range types {
			for _, z := range types {
				checkOrder(t, x, y, z)
			}
		}
	}
}

func checkOrder(t *testing.T, x, y, z vector.Type) {
	t.Helper()
	fold := func(types ...vector.Type) (vector.Type, bool) {
		return widenAll(types)
	}
	l, ok1 := fold(x, y, z)
	r, ok2 := fold(z, y, x)
	sortFields(&l)
	sortFields(&r)
	if ok1 != ok2 || ok1 && !l.Equal(r) {
		t.Fatalf("%v, %v, %v: %v %v in one order, %v %v in the other", x, y, z, l, ok1, r, ok2)
	}
}

func sortFields(t *vector.Type) {
	if t.Kind == vector.Struct {
		t.Fields = slices.SortedFunc(slices.Values(t.Fields), func(a, b vector.Field) int { return strings.Compare(a.Name, b.Name) })
	}
}

// TestGlobBelow: which folders may have files that match.
func TestGlobBelow(t *testing.T) {
	for _, c := range []struct {
		pattern, folder string
		want            bool
	}{
		{"t/*/*.parquet", "t", true}, {"t/*/*.parquet", "t/x", true}, {"t/*/*.parquet", "t/x/y", false}, {"t/*/*.parquet", "u", false},
		{"t/y=[12]/*", "t/y=1", true}, {"t/y=[12]/*", "t/y=3", false}, {"*.parquet", "t", false},
		{"**/a.parquet", "t/u/v", true}, {"t/**", "t/u", true}, {"t/**", "u/t", false}, {"t/**/u/*", "t/v/w", true},
	} {
		g, err := newGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.matchesBelow(c.folder); got != c.want {
			t.Errorf("%s below %s: %t", c.pattern, c.folder, got)
		}
	}
}

func TestGlobMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.parquet", "a.parquet", true},
		{"*.parquet", "d/a.parquet", false},
		{"**/*.parquet", "a.parquet", true},
		{"**/*.parquet", "x/y/a.parquet", true},
		{"x/**/b/**/c.pq", "x/b/c.pq", true},
		{"x/**/b/**/c.pq", "x/1/b/2/b/3/c.pq", true},
		{"x/**/b/**/c.pq", "x/1/2/c.pq", false},
		{"**", "x/y.pq", true},
		{"**", "x/y.txt", true},
		{"x/**", "x/y/000000_0", true},
		{"x/*", "x/000000_0", true},
		{"x/*", "x/y/000000_0", false},
		{"x/*.txt", "x/y.txt", true},
		{"a?[0-9]", "ab7", true},
		{"a?[!0-9]", "ab7", false},
	} {
		g, err := newGlob(c.pattern)
		if err != nil || g.match(c.name) != c.want {
			t.Errorf("%q matches %q: %v, %v", c.pattern, c.name, !c.want, err)
		}
	}
	// A hostile pattern must not take exponential time.
	g, _ := newGlob(strings.Repeat("**/a/", 200) + "b")
	if g.match(strings.Repeat("a/", 5000) + "c") {
		t.Error("matched")
	}
}

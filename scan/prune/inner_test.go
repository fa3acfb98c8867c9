package prune

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// elementColumn is INT32 elements of an optional list, optional themselves.
func elementColumn(t *testing.T) *Column {
	t.Helper()
	n := &fileformat.Node{Name: "element", Path: []string{"xs", "list", "element"}, Physical: fileformat.Int32, Repetition: fileformat.Optional, MaxDef: 3, MaxRep: 1}
	c, err := NewInner(nested.Column{Name: "xs", Node: n, Type: vector.Of(vector.Integer), Nullable: true, Leaves: []int{0}}, nested.Options{}, vector.Of(vector.BigInt))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestInnerPages tests pages of 10 rows of a list's elements. With any counts, an
// element may be NULL and a list may be empty; a page of NULLs has at least as many
// NULLs as rows.
func TestInnerPages(t *testing.T) {
	c := elementColumn(t)
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	isNull := probe.New(t.Context(), expr.NewIsNull(x, false))
	above, err := expr.NewCompare(expr.OpGt, x, expr.NewConst(vector.IntScalar(5)))
	if err != nil {
		t.Fatal(err)
	}
	aboveFive := probe.New(t.Context(), above)
	for _, k := range []struct {
		name          string
		null          bool
		nulls         []int64
		min, max      []byte
		above, isNull probe.Verdict
	}{
		{"below", false, []int64{0}, int32s(1), int32s(5), probe.None, probe.Some},
		{"below, empty lists", false, []int64{30}, int32s(1), int32s(5), probe.None, probe.Some},
		{"below, as many NULLs as rows", false, []int64{10}, int32s(1), int32s(5), probe.None, probe.Some},
		{"above", false, []int64{0}, int32s(6), int32s(7), probe.Some, probe.Some},
		{"above, as many NULLs as rows", false, []int64{10}, int32s(6), int32s(7), probe.Some, probe.Some},
		{"no bounds", false, []int64{10}, nil, nil, probe.Some, probe.Some},
		{"no counts", false, nil, int32s(1), int32s(5), probe.None, probe.Some},
		{"NULLs", true, []int64{10}, nil, nil, probe.None, probe.All},
		{"more NULLs than rows", true, []int64{35}, nil, nil, probe.None, probe.All},
		{"NULLs without counts", true, nil, []byte{}, []byte{}, probe.None, probe.All},
		{"NULLs, but fewer than rows", true, []int64{9}, nil, nil, probe.Some, probe.Some},
	} {
		index := &fileformat.ColumnIndex{Order: fileformat.OrderType, NullPages: []bool{k.null}, NullCounts: k.nulls, Min: [][]byte{k.min}, Max: [][]byte{k.max}}
		s := c.page(index, 0, 10, pageTrust{bounds: true, nulls: true, nullPages: true})
		get := func(int) *probe.Summary { return s }
		if got := aboveFive.Test(get); got != k.above {
			t.Errorf("%s: x > 5 is %v: %+v", k.name, got, s)
		}
		if got := isNull.Test(get); got != k.isNull {
			t.Errorf("%s: x IS NULL is %v: %+v", k.name, got, s)
		}
	}
}

// TestInnerWithoutLeaf: a column of several leaves has no statistics.
func TestInnerWithoutLeaf(t *testing.T) {
	group := &fileformat.Node{Name: "g", Path: []string{"g"}, Leaf: -1, Physical: -1, MaxDef: 2, MaxRep: 1}
	list := vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Integer)})
	c, err := NewInner(nested.Column{Name: "g", Node: group, Type: list, Nullable: true}, nested.Options{}, vector.Of(vector.BigInt))
	if err != nil {
		t.Fatal(err)
	}
	s := c.Chunk(&fileformat.RowGroup{NumRows: 10})
	if c.Leaf() >= 0 || s.Nulls != -1 || s.Min != nil || s.Max != nil || !s.MayHaveNaN {
		t.Errorf("leaf %d: %+v", c.Leaf(), s)
	}
}

// TestInnerDistrusted: arrow-go's bounds hold where no NULL can be between the
// list and the value.
func TestInnerDistrusted(t *testing.T) {
	list := &fileformat.Node{Name: "list", Repetition: fileformat.Repeated}
	optional := &fileformat.Node{Name: "element", Repetition: fileformat.Optional, Parent: list}
	required := &fileformat.Node{Name: "element", Parent: list}
	within := &fileformat.Node{Name: "field", Parent: optional}
	arrowGo, arrow := fileformat.Writer{Application: "parquet-go", HasVersion: true, Major: 18}, fileformat.Writer{Application: "parquet-cpp-arrow", HasVersion: true, Major: 18}
	for _, k := range []struct {
		name   string
		node   *fileformat.Node
		writer fileformat.Writer
		inner  bool
		want   bool
	}{
		{"optional element", optional, arrowGo, true, true},
		{"field of an optional element", within, arrowGo, true, true},
		{"required element", required, arrowGo, true, false},
		{"bytes", &fileformat.Node{Physical: fileformat.FixedLenByteArray, Parent: list}, arrowGo, true, true},
		{"another writer", optional, arrow, true, false},
		{"no list", &fileformat.Node{Repetition: fileformat.Optional}, arrowGo, false, false},
	} {
		c := &Column{Column: mapping.Converted(nested.Column{Node: k.node}, nested.Options{}, nil), inner: k.inner}
		if c.distrustedInner(k.writer) != k.want {
			t.Errorf("%s: distrusted %v", k.name, !k.want)
		}
	}
}

// TestSplitsRecords: the offset index of a repeated column is used only if the writer
// is known not to split records.
func TestSplitsRecords(t *testing.T) {
	for _, k := range []struct {
		application  string
		major, minor int
		want         bool
	}{
		{"parquet-mr", 1, 12, false}, {"parquet-cpp-arrow", 14, 0, false},
		{"parquet-go", 18, 8, false}, {"parquet-go", 18, 7, true},
		{"github.com/parquet-go/parquet-go", 0, 32, false},
		{"parquet-rs", 53, 2, false}, {"parquet-rs", 20, 0, true},
		{"hyparquet", 1, 0, true}, {"", 0, 0, true},
	} {
		w := fileformat.Writer{Application: k.application, HasVersion: true, Major: k.major, Minor: k.minor}
		if got := splitsRecords(w); got != k.want {
			t.Errorf("%+v: %v", w, got)
		}
	}
}

package logical

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSet compares sets of columns with maps.
func TestSet(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	random := func() (Set, map[ColumnID]bool) {
		var s Set
		m := map[ColumnID]bool{}
		least, n := r.IntN(2)*r.IntN(1000), 1+r.IntN(300)
		for range r.IntN(20) {
			id := ColumnID(1 + least + r.IntN(n))
			s.Add(id)
			m[id] = true
		}
		return s, m
	}
	same := func(what string, s Set, m map[ColumnID]bool) {
		t.Helper()
		want := slices.Sorted(maps.Keys(m))
		if got := slices.Collect(s.All()); !slices.Equal(got, want) || s.Len() != len(m) || s.Empty() != (len(m) == 0) {
			t.Fatalf("seed %d: %s is %v, want %v", seed, what, got, want)
		}
	}
	for range 500 {
		a, am := random()
		b, bm := random()
		union, both, less := map[ColumnID]bool{}, map[ColumnID]bool{}, map[ColumnID]bool{}
		contains := true
		for id := range am {
			union[id] = true
			if bm[id] {
				both[id] = true
			} else {
				less[id] = true
			}
		}
		for id := range bm {
			union[id] = true
			contains = contains && am[id]
		}
		same("a", a, am)
		same("the union", a.Union(b), union)
		same("the intersection", a.Intersect(b), both)
		same("the difference", a.Minus(b), less)
		same("a afterwards", a, am)
		if a.Contains(b) != contains {
			t.Fatalf("seed %d: %v contains %v: %v", seed, am, bm, !contains)
		}
		for id := range ColumnID(1400) {
			if a.Has(id) != am[id] {
				t.Fatalf("seed %d: Has(%d) is %v", seed, id, !am[id])
			}
		}
	}
	var s Set
	s.Add(0, -5)
	if !s.Empty() || s.Has(-5) || s.Has(0) {
		t.Error("0 and less are no columns")
	}
}

var testTable = &scan.Table{Name: "t", Columns: []scan.Column{
	{Name: "a", Type: vector.Of(vector.BigInt)}, {Name: "b", Type: vector.Of(vector.Varchar), Nullable: true},
	{Name: "l", Type: vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Double)})},
}}

func equals(a, b Column) expr.Expr {
	e, err := expr.NewCompare(expr.OpEq, a.Ref(), b.Ref())
	if err != nil {
		panic(err)
	}
	return e
}

func rowNumber() *window.Call {
	c, err := window.New("row_number", nil, window.Options{})
	if err != nil {
		panic(err)
	}
	return c
}

func less(a, b Column) expr.Expr {
	e, err := expr.NewCompare(expr.OpLt, a.Ref(), b.Ref())
	if err != nil {
		panic(err)
	}
	return e
}

// nodes is one of each kind that has an input; the first one is the scan.
func nodes(ids *IDs) (*Scan, []Node) {
	s := NewScan(ids, testTable)
	a, b, l := s.Columns()[0], s.Columns()[1], s.Columns()[2]
	keys := []expr.SortKey{{Expr: a.Ref()}}
	right := NewScan(ids, testTable)
	equal := []expr.Expr{equals(a, right.Columns()[0])}
	common := ids.NewCommon()
	return s, []Node{
		&Filter{In: s, Conjuncts: []expr.Expr{expr.NewIsNull(b.Ref(), false)}},
		&Project{In: s, Items: []Computed{HandOn(a), {Column: Column{ID: ids.New(), Name: "x", Type: b.Type}, Expr: b.Ref()}}},
		&Aggregate{In: s, Groups: []Computed{HandOn(a)}},
		&GroupingSets{
			In: s, Keys: []Computed{{Column: Column{ID: ids.New(), Name: "a", Type: a.Type}, Expr: a.Ref()}}, Sets: []Grouping{0, 1}, Number: NewNumber(ids),
		},
		&Sort{In: s, Keys: keys},
		&TopN{In: s, Keys: keys, Offset: 1, Limit: 2},
		&Limit{In: s, Offset: 1, Limit: 2},
		&Portion{In: s, Percent: 10, Offset: 1},
		&Sample{In: s, Size: 1},
		NewUnnest(ids, s, l, true),
		&MetaAggregate{In: s},
		&Join{Kind: FullJoin, L: s, R: right, On: equal},
		&Join{Kind: MarkJoin, L: s, R: right, On: equal, Mark: Column{ID: ids.New(), Name: "mark", Type: vector.Of(vector.Boolean)}, Test: expr.NewIsNull(b.Ref(), false)},
		NewAsOfJoin(LeftJoin, s, right, append(equal, less(right.Columns()[0], a))),
		&PositionalJoin{L: s, R: right},
		&Apply{Join{Kind: SingleJoin, L: s, R: &Filter{In: right, Conjuncts: equal}}},
		&With{ID: common, Name: "w", Def: s, Body: NewReuse(ids, common, "w", s.Columns()[:2])},
		&Recursive{ID: common, Init: s, Step: right, Output: Columns{{ID: ids.New(), Name: "a", Type: a.Type}}, From: [2][]ColumnID{{a.ID}, {right.Columns()[0].ID}}},
		NewUnion(ids, s, right),
		&Window{In: s, Partition: []expr.Expr{b.Ref()}, OrderBy: keys, Calls: []WindowCall{{Column: Column{ID: ids.New(), Name: "n", Type: vector.Of(vector.BigInt)}, Call: rowNumber()}}},
	}
}

// TestNodes: nodes has every kind, so that the tests of all nodes try it.
func TestNodes(t *testing.T) {
	_, list := nodes(&IDs{})
	tried := map[string]bool{"*Scan": true, "*Values": true, "*OneRow": true, "*Reuse": true} // TestWithInputs has these
	for _, n := range list {
		tried[strings.Replace(fmt.Sprintf("%T", n), "logical.", "", 1)] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	narrow := regexp.MustCompile(`(?m)^func \((?:\w+ )?(\*?\w+)\) Narrow\(`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range narrow.FindAllStringSubmatch(string(text), -1) {
			if found++; !tried[m[1]] {
				t.Errorf("%s: the node %s is not tested: add one to nodes in logical_test.go", file, m[1])
			}
		}
	}
	if found != len(tried) {
		t.Errorf("%d nodes in the files, %d are tested", found, len(tried))
	}
}

func TestWithInputs(t *testing.T) {
	ids := &IDs{}
	s, list := nodes(ids)
	other := *s
	for _, n := range list {
		if err := Check(n, Set{}); err != nil {
			t.Errorf("%T: %v", n, err)
		}
		inputs := slices.Clone(n.Inputs())
		same, err := WithInputs(n, inputs)
		if err != nil || same != n {
			t.Errorf("%T over its own input: %v %v", n, same, err)
		}
		inputs[0] = &other
		moved, err := WithInputs(n, inputs)
		if err != nil || moved == n || !slices.Equal(moved.Inputs(), inputs) || n.Inputs()[0] != Node(s) {
			t.Errorf("%T over another input: %v %v", n, moved, err)
			continue
		}
		if got, want := moved.Columns(), n.Columns(); !slices.EqualFunc(got, want, func(a, b Column) bool { return a.ID == b.ID && a.Name == b.Name }) {
			t.Errorf("%T: columns %v, want %v", n, got, want)
		}
		for _, wrong := range [][]Node{nil, {s, s, s}, make([]Node, len(inputs))} {
			if _, err := WithInputs(n, wrong); err == nil {
				t.Errorf("%T takes %d inputs, %v", n, len(wrong), wrong)
			}
		}
	}
	for _, leaf := range []Node{s, &Values{}, &OneRow{}, &Reuse{}} {
		if n, err := WithInputs(leaf, nil); err != nil || n != leaf {
			t.Errorf("%T: %v %v", leaf, n, err)
		}
		if _, err := WithInputs(leaf, []Node{s}); err == nil {
			t.Errorf("%T takes an input", leaf)
		}
	}
	if _, err := WithInputs(nil, nil); err == nil {
		t.Error("no node takes inputs")
	}
	if _, err := WithInputs(&MetaAggregate{In: s}, []Node{&OneRow{}}); err == nil || !strings.Contains(err.Error(), "OneRow") {
		t.Errorf("an aggregate from metadata over one row: %v", err)
	}
}

// TestNarrow: a node keeps what is needed, and asks its input for that and for
// what it reads itself.
func TestNarrow(t *testing.T) {
	ids := &IDs{}
	s, list := nodes(ids)
	a := s.Columns()[0].ID
	for _, n := range list {
		narrow := n.Narrow(SetOf(a))
		if n.Columns().Position(a) >= 0 && narrow.Columns().Position(a) < 0 {
			t.Errorf("%T drops a column that is needed", n)
		}
		want := ReadBy(narrow.Exprs()...).Intersect(s.Columns().IDs())
		if narrow.Columns().Position(a) >= 0 {
			want.Add(a)
		}
		needs := Needs(narrow, SetOf(a))
		if len(needs) != len(n.Inputs()) || !needs[0].Contains(want) {
			t.Errorf("%T needs %v, want %v", n, needs, want)
		}
	}
	if got := s.Narrow(SetOf(a)).Columns(); len(got) != 1 || got[0].ID != a {
		t.Errorf("the scan reads %v", got)
	}
	v := &Values{Output: s.Columns()[:2], Batches: []*vector.Batch{{Len: 1, Cols: []*vector.Vector{
		vector.NewConstant(vector.IntScalar(1), 1), vector.NewConstant(vector.StringScalar("x"), 1),
	}}}}
	if got := v.Narrow(SetOf(v.Output[1].ID)).(*Values); len(got.Output) != 1 || got.Batches[0].Cols[0].Get(0).Str != "x" {
		t.Errorf("%+v", got)
	}
}

// TestCheck: what a broken rule might do is found.
func TestCheck(t *testing.T) {
	ids := &IDs{}
	s := NewScan(ids, testTable)
	a := s.Columns()[0]
	wrong := a
	wrong.Type = vector.Of(vector.Varchar)
	for what, n := range map[string]Node{
		"which no input produces": &Limit{In: &Filter{In: s.Narrow(Set{}), Conjuncts: []expr.Expr{expr.NewIsNull(NewScan(ids, testTable).Columns()[0].Ref(), false)}}},
		"as VARCHAR, it is":       &Sort{In: s, Keys: []expr.SortKey{{Expr: wrong.Ref()}}},
		"twice":                   &Project{In: s, Items: []Computed{HandOn(a), HandOn(a)}},
		"without an ID":           &Project{In: s, Items: []Computed{{Expr: a.Ref()}}},
	} {
		if err := Check(n, Set{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %s", err, what)
		}
	}
}

// TestColumnsStay: the columns of a node are not those that a node above makes of them.
func TestColumnsStay(t *testing.T) {
	ids := &IDs{}
	s := NewScan(ids, testTable)
	right := NewScan(ids, testTable)
	for _, n := range []Node{
		&Join{Kind: FullJoin, L: s, R: right},
		&Join{Kind: FullJoin, L: &Filter{In: s}, R: &Filter{In: right}},
		&Join{Kind: FullJoin, L: &Limit{In: s}, R: &Sort{In: right}},
	} {
		for _, c := range n.Columns() {
			if !c.Nullable {
				t.Errorf("%s of %T is not nullable", c.Name, n)
			}
		}
	}
	for _, in := range []*Scan{s, right} {
		for i, c := range in.Columns() {
			if c.Nullable != testTable.Columns[i].Nullable {
				t.Errorf("the join has made %s of its input nullable: %v", c.Name, c.Nullable)
			}
		}
	}
}

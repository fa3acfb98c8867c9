package exec_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

var (
	point = vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "x", Type: vector.Of(vector.BigInt), Nullable: true},
		{Name: "in", Nullable: true, Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{
			{Name: "y", Type: vector.Of(vector.Varchar), Nullable: true},
		}}},
	}}
	nestedSchema = vector.Schema{
		{Name: "id", Type: vector.Of(vector.BigInt)},
		{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true},
		{Name: "xs", Type: vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.BigInt), Nullable: true}), Nullable: true},
		{Name: "ps", Type: vector.ListOf(vector.Field{Name: "element", Type: point, Nullable: true}), Nullable: true},
		{Name: "m", Nullable: true, Type: vector.Type{Kind: vector.Map, Fields: []vector.Field{
			{Name: "key", Type: vector.Of(vector.Varchar)}, {Name: "value", Type: vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.BigInt)}), Nullable: true},
		}}},
	}
)

func nestedRows(r *rand.Rand, n int) []exectest.Row {
	rows := make([]exectest.Row, n)
	for i := range rows {
		for at, c := range nestedSchema {
			longest := 12
			if n == 7 && i == 3 && at == 2 {
				longest = 3 * vector.BatchSize // fills batches on its own
			}
			v := exectest.RandomValue(r, c.Type, longest)
			for n%2 == 0 && at == 2 && v.Null { // no list is NULL
				v = exectest.RandomValue(r, c.Type, longest)
			}
			rows[i] = append(rows[i], v)
		}
		rows[i][0].I64 = int64(i)
	}
	return rows
}

// unnestRow is the reference for one parent.
func unnestRow(row exectest.Row, u exec.Unnest, cols []vector.ElementColumn, keep func(exectest.Row) bool) []exectest.Row {
	var out []exectest.Row
	make1 := func(element func(c vector.Column) vector.Scalar, pos vector.Scalar) exectest.Row {
		var o exectest.Row
		for _, k := range u.Keep {
			o = append(o, row[k])
		}
		for _, f := range u.Fields {
			o = append(o, element(cols[f].Column))
		}
		if u.Pos {
			o = append(o, pos)
		}
		return o
	}
	if list := row[u.Column]; !list.Null {
		n := list.Nested.Children[0].Len
		for e := range n {
			o := make1(func(c vector.Column) vector.Scalar { return field(list, c, e) }, vector.IntScalar(int64(e)))
			if keep == nil || keep(o) {
				out = append(out, o)
			}
		}
	}
	if len(out) == 0 && u.Outer {
		null := func(c vector.Column) vector.Scalar { return vector.NullOf(c.Type) }
		out = append(out, make1(null, vector.NullOf(vector.Of(vector.BigInt))))
	}
	return out
}

// field is a column of element e by its name.
func field(list vector.Scalar, c vector.Column, e int) vector.Scalar {
	switch c.Name {
	case "item", "key":
		return list.Nested.Children[0].Get(e)
	case "value":
		return list.Nested.Children[1].Get(e)
	}
	at := list.Nested.Children[0].Get(e)
	if c.Name == "in.y" && !at.Null {
		at = at.Nested.Children[1].Get(0)
	}
	if at.Null {
		return vector.NullOf(c.Type)
	}
	if c.Name == "in" {
		return at.Nested.Children[1].Get(0)
	}
	return at.Nested.Children[0].Get(0)
}

func TestUnnest(t *testing.T) {
	atLeast50 := exectest.Must(t)(expr.NewCompare(expr.OpGe, expr.NewColumn(1, "item", vector.Of(vector.BigInt)), expr.NewConst(vector.IntScalar(50))))
	cases := map[string]exec.Unnest{
		"scalars":       {Column: 2, Keep: []int{1, 0}, Fields: []int{0}, Pos: true},
		"scalars outer": {Column: 2, Keep: []int{0, 1}, Fields: []int{0}, Pos: true, Outer: true},
		"on":            {Column: 2, Keep: []int{0}, Fields: []int{0}, On: atLeast50},
		"on outer":      {Column: 2, Keep: []int{0}, Fields: []int{0}, On: atLeast50, Outer: true},
		"structs":       {Column: 3, Keep: []int{0, 3}, Fields: []int{0, 1, 2, 3}},
		"map outer":     {Column: 4, Keep: []int{0, 3}, Fields: []int{1, 0}, Pos: true, Outer: true},
		"nothing else":  {Column: 4, Fields: nil},
		"elements":      {Column: 2, Fields: []int{0}},
		"only counted":  {Column: 2},
	}
	for name, u := range cases {
		t.Run(name, func(t *testing.T) {
			cols := vector.ElementColumns(nestedSchema[u.Column].Type)
			var keep func(exectest.Row) bool
			if u.On != nil {
				keep = func(r exectest.Row) bool { return !r[1].Null && r[1].I64 >= 50 }
			}
			exectest.Run(t, exectest.Case{
				Schema: nestedSchema, Rows: nestedRows, OneInput: true, Most: 50, Ordered: true,
				Build: func(in []exec.Operator) exec.Operator { return exec.NewUnnest(exec.Env{}, in[0], u) },
				Want: func(rows []exectest.Row) (out []exectest.Row) {
					for _, row := range rows {
						out = append(out, unnestRow(row, u, cols, keep)...)
					}
					return out
				},
			})
		})
	}
}

// TestUnnestThroughGather checks that the parts of a batch that may be kept do
// not change: Gather shares dictionaries.
func TestUnnestThroughGather(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := nestedRows(r, 200)
	u := exec.Unnest{Column: 2, Keep: []int{0, 1}, Fields: []int{0}}
	var in []exec.Operator
	for w := range 2 {
		in = append(in, exec.NewUnnest(exec.Env{}, exectest.NewSource(nestedSchema, rows[w*100:][:100], 7, rand.New(rand.NewPCG(uint64(w), 0))), u))
	}
	op := exec.NewGather(in)
	defer op.Close()
	got, err := exectest.Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err)
	}
	var want []exectest.Row
	for _, row := range rows {
		want = append(want, unnestRow(row, u, vector.ElementColumns(nestedSchema[2].Type), nil)...)
	}
	exectest.Compare(t, want, got, false)
}

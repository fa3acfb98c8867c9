package exec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

type term struct {
	col              int
	desc, nullsFirst bool
}

func sortKeys(terms []term) []expr.SortKey {
	var keys []expr.SortKey
	for _, k := range terms {
		keys = append(keys, expr.SortKey{Expr: col(k.col), Desc: k.desc, NullsFirst: k.nullsFirst})
	}
	return keys
}

// sorted is the reference: a stable sort by comparing values.
func sorted(rows []exectest.Row, terms []term) []exectest.Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b exectest.Row) int {
		for _, k := range terms {
			x, y := a[k.col], b[k.col]
			c := 0
			switch {
			case x.Null && y.Null:
			case x.Null || y.Null:
				if c = 1; x.Null == k.nullsFirst {
					c = -1
				}
			default:
				if c = compareScalars(x, y); k.desc {
					c = -c
				}
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	return rows
}

var sortCases = [][]term{
	{{cTiny, false, false}, {cID, false, false}},
	{{cBig, true, false}, {cID, true, false}},
	{{cStr, false, false}, {cID, false, false}},
	{{cStr, true, true}, {cF64, false, true}, {cID, false, false}},
	{{cF64, true, true}, {cF32, false, false}, {cID, false, false}},
	{{cU64, false, true}, {cID, false, false}},
	{{cDec38, true, false}, {cDec, false, false}, {cID, false, false}},
	{{cInterval, false, true}, {cBool, true, false}, {cID, true, false}},
	{{cID, false, false}, {cStr, false, false}},
	{{cBool, false, false}, {cTiny, false, false}, {cStr, true, false}, {cID, true, false}},
}

func TestSort(t *testing.T) {
	for _, terms := range sortCases {
		t.Run(fmt.Sprint(terms), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: wide, Rows: wideRows, Ordered: true,
				Build: func(in []exec.Operator) exec.Operator {
					return exec.NewSort(in, sortKeys(terms), nil, "")
				},
				Want: func(rows []exectest.Row) []exectest.Row { return sorted(rows, terms) },
			})
		})
	}
}

func TestTopN(t *testing.T) {
	for i, terms := range sortCases {
		for _, n := range [][2]int64{{0, 1}, {0, 10}, {5, 50}, {280, 100}, {0, 0}} {
			if i > 1 && (n[0] == 0 || i%2 == 0) {
				continue
			}
			t.Run(fmt.Sprint(terms, n), func(t *testing.T) {
				exectest.Run(t, exectest.Case{
					Schema: wide, Rows: wideRows, Ordered: true,
					Build: func(in []exec.Operator) exec.Operator {
						return exec.NewTopN(in, sortKeys(terms), n[0], n[1], nil, nil)
					},
					Want: func(rows []exectest.Row) []exectest.Row {
						rows = sorted(rows, terms)
						rows = rows[min(int(n[0]), len(rows)):]
						return rows[:min(int(n[1]), len(rows))]
					},
				})
			})
		}
	}
}

// TestTopNBound checks that the bound only ever improves and is never better
// than the truth.
func TestTopNBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := wideRows(r, 5000)
	var bounds []int64
	terms := []term{{cBig, false, false}}
	op := exec.NewTopN([]exec.Operator{exectest.NewSource(wide, rows, 100, r)}, sortKeys(terms), 0, 20, nil,
		func(s vector.Scalar) { bounds = append(bounds, s.I64) })
	if _, err := exectest.Drain(context.Background(), op); err != nil {
		t.Fatal(err)
	}
	want := sorted(rows, terms)[19][cBig].I64
	if len(bounds) == 0 || bounds[len(bounds)-1] != want || !slices.IsSortedFunc(bounds, func(a, b int64) int { return int(min(max(b-a, -1), 1)) }) {
		t.Errorf("bounds %d, the last should be %d", bounds, want)
	}
}

// TestSortSpills sorts with less memory than the rows need, so little that runs
// on disk must be merged more than once, nested columns included.
func TestSortSpills(t *testing.T) {
	schema := append(slices.Clone(wide), vector.Column{Name: "xs", Type: vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true}), Nullable: true})
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	n := 8000
	if vector.BatchSize < 100 {
		n = 400
	}
	rows := wideRows(r, n)
	for i := range rows {
		rows[i] = append(rows[i], randomList(r, schema[len(wide)].Type))
		if r.IntN(5) == 0 {
			rows[i][cStr] = vector.NullOf(wide[cStr].Type)
		}
	}
	terms := []term{{cStr, true, true}, {cDec38, false, false}, {cID, false, false}}
	want := sorted(rows, terms)
	for _, limit := range []int64{1, int64(n) * 100, int64(n) * 250, int64(n) * 400, 1 << 40} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			leaktest.Check(t)
			in := []exec.Operator{
				exectest.NewSource(schema, rows[:n/3], vector.BatchSize, rand.New(rand.NewPCG(seed, 1))),
				exectest.NewSource(schema, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(seed, 2))),
			}
			budget := membudget.New(limit)
			op := exec.NewSort(in, sortKeys(terms), budget, leaktest.Folder(t))
			got, err := exectest.Drain(context.Background(), op)
			if err != nil {
				t.Fatal(err)
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
			if budget.Used() != 0 {
				t.Errorf("%d bytes are still reserved after Close", budget.Used())
			}
			if len(got) != len(want) {
				t.Fatalf("%d rows, want %d, seed %d", len(got), len(want), seed)
			}
			for i := range got {
				if got[i].String() != want[i].String() {
					t.Fatalf("row %d is %s, want %s, seed %d", i, got[i], want[i], seed)
				}
			}
		})
	}
}

func randomList(r *rand.Rand, typ vector.Type) vector.Scalar {
	if r.IntN(4) == 0 {
		return vector.NullOf(typ)
	}
	items := vector.New(typ.Fields[0].Type, r.IntN(4))
	for i := range items.Len {
		items.Str[i] = fmt.Sprint("item", r.IntN(1000))
		if r.IntN(4) == 0 {
			items.SetNull(i)
		}
	}
	v := vector.New(typ, 1)
	v.Offsets, v.Children = []int32{0, int32(items.Len)}, []*vector.Vector{items}
	return vector.Scalar{Type: typ, Nested: v}
}

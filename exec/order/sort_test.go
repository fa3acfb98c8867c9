package order_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

type term struct {
	col              int
	desc, nullsFirst bool
}

func sortKeys(terms []term) []expr.SortKey {
	var keys []expr.SortKey
	for _, k := range terms {
		keys = append(keys, expr.SortKey{Expr: exectest.Col(k.col), Desc: k.desc, NullsFirst: k.nullsFirst})
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
				if c = exectest.CompareScalars(x, y); k.desc {
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
	{{exectest.Tiny, false, false}, {exectest.ID, false, false}},
	{{exectest.Big, true, false}, {exectest.ID, true, false}},
	{{exectest.Str, false, false}, {exectest.ID, false, false}},
	{{exectest.Str, true, true}, {exectest.F64, false, true}, {exectest.ID, false, false}},
	{{exectest.F64, true, true}, {exectest.F32, false, false}, {exectest.ID, false, false}},
	{{exectest.U64, false, true}, {exectest.ID, false, false}},
	{{exectest.Dec38, true, false}, {exectest.Dec, false, false}, {exectest.ID, false, false}},
	{{exectest.Interval, false, true}, {exectest.Bool, true, false}, {exectest.ID, true, false}},
	{{exectest.ID, false, false}, {exectest.Str, false, false}},
	{{exectest.Bool, false, false}, {exectest.Tiny, false, false}, {exectest.Str, true, false}, {exectest.ID, true, false}},
}

func TestSort(t *testing.T) {
	for _, terms := range sortCases {
		t.Run(fmt.Sprint(terms), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true,
				Build: func(in []exec.Operator) exec.Operator {
					return order.NewSort(exec.Env{}, in, sortKeys(terms))
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
					Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true,
					Build: func(in []exec.Operator) exec.Operator {
						return order.NewTopN(exec.Env{}, in, order.TopN{Keys: sortKeys(terms), Offset: n[0], Limit: n[1]})
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
	rows := exectest.WideRows(r, 5000)
	var bounds []int64
	terms := []term{{exectest.Big, false, false}}
	op := order.NewTopN(exec.Env{}, []exec.Operator{exectest.NewSource(exectest.Wide, rows, 100, r)}, order.TopN{
		Keys: sortKeys(terms), Limit: 20, Bound: func(s vector.Scalar) { bounds = append(bounds, s.I64) },
	})
	if _, err := exectest.Drain(context.Background(), op); err != nil {
		t.Fatal(err)
	}
	want := sorted(rows, terms)[19][exectest.Big].I64
	if len(bounds) == 0 || bounds[len(bounds)-1] != want || !slices.IsSortedFunc(bounds, func(a, b int64) int { return int(min(max(b-a, -1), 1)) }) {
		t.Errorf("bounds %d, the last should be %d", bounds, want)
	}
}

// TestSortSpills sorts with less memory than the rows need, so little that runs
// on disk must be merged more than once, nested columns included.
func TestSortSpills(t *testing.T) {
	schema := append(slices.Clone(exectest.Wide), vector.Column{Name: "xs", Type: vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true}), Nullable: true})
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	n := 8000
	if vector.BatchSize < 100 {
		n = 400
	}
	rows := exectest.WideRows(r, n)
	for i := range rows {
		rows[i] = append(rows[i], exectest.RandomList(r, schema[len(exectest.Wide)].Type))
		if r.IntN(5) == 0 {
			rows[i][exectest.Str] = vector.NullOf(exectest.Wide[exectest.Str].Type)
		}
	}
	terms := []term{{exectest.Str, true, true}, {exectest.Dec38, false, false}, {exectest.ID, false, false}}
	want := sorted(rows, terms)
	for _, limit := range []int64{1, int64(n) * 100, int64(n) * 250, int64(n) * 400, 1 << 40} {
		skip := []int{0, 0, 1, n / 3, n - 1, n, n + 7}[r.IntN(7)]
		t.Run(fmt.Sprint(limit, " after ", skip), func(t *testing.T) {
			leaktest.Check(t)
			want := want[min(skip, n):]
			in := []exec.Operator{
				exectest.NewSource(schema, rows[:n/3], vector.BatchSize, rand.New(rand.NewPCG(seed, 1))),
				exectest.NewSource(schema, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(seed, 2))),
			}
			budget := quota.New(limit)
			op := order.NewSort(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, sortKeys(terms))
			if !order.Skip(op, int64(skip)) || order.Skip(exectest.NewSource(schema, nil, vector.BatchSize, r), 1) {
				t.Error("a sort skips rows, and another operator does not")
			}
			if known := order.Rows(op); known != 0 {
				t.Errorf("%d rows are known before the first", known)
			}
			got, err := exectest.Drain(context.Background(), op)
			if err != nil {
				t.Fatal(err)
			}
			if total := order.Total(op)(); total != int64(n) {
				t.Errorf("there are %d rows, not %d", total, n)
			}
			if known := order.Rows(op); known != n && (known != 0 || limit == 1<<40) {
				t.Errorf("%d rows are known of %d", known, n)
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

// TestTopNSpills: with less memory than the first rows need they are on disk, and what is
// known of the last of them still rules out others.
func TestTopNSpills(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	n := 6000
	if vector.BatchSize < 100 {
		n = 400
	}
	rows := exectest.WideRows(r, n)
	terms := []term{{exectest.Str, true, true}, {exectest.ID, false, false}}
	want := sorted(rows, terms)
	for _, limit := range []int{3, n / 4, n - 10, 2 * n} {
		for _, memory := range []int64{1, int64(n) * 10, int64(n) * 40, int64(n) * 150} {
			leaktest.Check(t)
			in := []exec.Operator{
				exectest.NewSource(exectest.Wide, rows[:n/3], vector.BatchSize, rand.New(rand.NewPCG(seed, 1))),
				exectest.NewSource(exectest.Wide, rows[n/3:], vector.BatchSize, rand.New(rand.NewPCG(seed, 2))),
			}
			budget := quota.New(memory)
			top := order.TopN{Keys: sortKeys(terms), Offset: 2, Limit: int64(limit)}
			op := order.NewTopN(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, top)
			got, err := exectest.Drain(context.Background(), op)
			if err != nil {
				t.Fatal(err)
			}
			if err := op.Close(); err != nil || budget.Used() != 0 {
				t.Errorf("Close %v, %d bytes reserved", err, budget.Used())
			}
			first := want[2:min(2+limit, n)]
			if len(got) != len(first) {
				t.Fatalf("limit %d, memory %d: %d rows, want %d, seed %d", limit, memory, len(got), len(first), seed)
			}
			for i := range got {
				if got[i].String() != first[i].String() {
					t.Fatalf("limit %d, memory %d: row %d is %s, want %s, seed %d", limit, memory, i, got[i], first[i], seed)
				}
			}
		}
	}
}

// TestLongRows: rows that are longer than the memory of many of them are sorted, and one
// that does not fit is an error that says so.
func TestLongRows(t *testing.T) {
	const n, length = 30, 512 << 10
	schema := vector.Schema{{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true}}
	batch := &vector.Batch{Len: n, Cols: []*vector.Vector{vector.New(schema[0].Type, n)}}
	for i := range n {
		batch.Cols[0].Str[i] = strings.Repeat(string(rune('A'+(i*7)%n)), length)
	}
	keys := []expr.SortKey{{Expr: expr.NewColumn(0, "s", schema[0].Type)}}
	for _, top := range []bool{false, true} {
		for _, memory := range []int64{600 << 10, 8 << 20} {
			leaktest.Check(t)
			budget := quota.New(memory)
			env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
			in := []exec.Operator{exec.NewValues(schema, []*vector.Batch{batch})}
			op := order.NewSort(env, in, keys)
			if top {
				op = order.NewTopN(env, in, order.TopN{Keys: keys, Limit: n / 2})
			}
			got, err := exectest.Drain(context.Background(), op)
			switch {
			case memory < 2*length:
				if !errors.Is(err, errs.ErrMemoryLimit) || !strings.Contains(err.Error(), "row of 524288 bytes") {
					t.Errorf("top-n %v: %v", top, err)
				}
			case err != nil || len(got) == 0:
				t.Errorf("top-n %v: %d rows, %v", top, len(got), err)
			}
			for i, row := range got {
				if s := row[0].Str; len(s) != length || s[0] != byte('A'+i) {
					t.Fatalf("top-n %v: row %d begins with %q", top, i, s[:1])
				}
			}
			if budget.Peak() > memory {
				t.Errorf("top-n %v: %d bytes of %d", top, budget.Peak(), memory)
			}
			if err := op.Close(); err != nil || budget.Used() != 0 {
				t.Errorf("Close %v, %d bytes reserved", err, budget.Used())
			}
		}
	}
}

// TestLongBlocks: blocks of long rows are written without a copy of them, so that where two of them and what is read of
// them fit, the rows are sorted. Where they do not, that is an error that says so.
func TestLongBlocks(t *testing.T) {
	const n, length = 3, 14 << 20
	schema := vector.Schema{
		{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true}, {Name: "n", Type: vector.Of(vector.BigInt), Nullable: true},
		{Name: "t", Type: vector.Of(vector.Varchar), Nullable: true},
	}
	batch := &vector.Batch{Len: n}
	for _, c := range schema {
		batch.Cols = append(batch.Cols, vector.New(c.Type, n))
	}
	for i := range n {
		batch.Cols[0].Str[i] = strings.Repeat(string(rune('C'-i)), length)
		batch.Cols[1].I64[i], batch.Cols[2].Str[i] = int64(i), strings.Repeat(string(rune('a'+i)), 100_000)
	}
	batch.Cols[1].Valid = vector.NewValidity(n)
	batch.Cols[1].Valid.Clear(1)
	for _, memory := range []int64{32 << 20, 96 << 20} {
		leaktest.Check(t)
		env := exec.Env{Budget: quota.New(memory), TempDir: leaktest.Folder(t)}
		op := order.NewSort(env, []exec.Operator{exec.NewValues(schema, []*vector.Batch{batch})}, []expr.SortKey{{Expr: expr.NewColumn(0, "s", schema[0].Type)}})
		got, err := exectest.Drain(context.Background(), op)
		switch {
		case memory < 4*length:
			if !errors.Is(err, errs.ErrMemoryLimit) || !strings.Contains(err.Error(), "sorting rows that have") {
				t.Error(err)
			}
		case err != nil || len(got) != n || env.Budget.Spilled() == 0:
			t.Fatalf("%d rows, %d bytes on disk, %v", len(got), env.Budget.Spilled(), err)
		default:
			for i, row := range got {
				at := n - 1 - i
				if row[0].Str != batch.Cols[0].Str[at] || row[1].Null != (at == 1) || at != 1 && row[1].I64 != int64(at) || row[2].Str != batch.Cols[2].Str[at] {
					t.Errorf("row %d is another one", i)
				}
			}
		}
		if err := op.Close(); err != nil || env.Budget.Used() != 0 {
			t.Errorf("Close %v, %d bytes reserved", err, env.Budget.Used())
		}
	}
}

// TestLife: see exectest.RunLife.
func TestLife(t *testing.T) {
	keys := []expr.SortKey{{Expr: expr.NewColumn(0, "x", vector.Of(vector.BigInt)), Desc: true}}
	env := exec.Env{Budget: quota.New(4 << 20), TempDir: leaktest.Folder(t)}
	t.Run("sort", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator { return order.NewSort(env, in, keys) })
	})
	t.Run("topn", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return order.NewTopN(exec.Env{}, in, order.TopN{Keys: keys, Limit: 10})
		})
	})
}

// TestForgets: what a sort has in memory goes when it is closed, whatever consumers keep of the
// batches that they had.
func TestForgets(t *testing.T) {
	leaktest.Check(t)
	key := expr.SortKey{Expr: expr.NewColumn(0, "k", exectest.LongTexts[0].Type), Desc: true}
	op := order.NewSort(exec.Env{}, []exec.Operator{exectest.NewLongTexts(2*vector.BatchSize + 7)}, []expr.SortKey{key})
	exectest.Forgets(t, []exec.Operator{op}, op.Close)
}

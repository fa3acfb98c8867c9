package common_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// grow is a step: twice the number plus one where it is below limit, by some workers.
func grow(t *testing.T, workers int, limit int64) func(*common.Rows) ([]exec.Operator, error) {
	step := grownOf(t, limit)
	return func(before *common.Rows) ([]exec.Operator, error) {
		ops := before.Readers([]int{0}, workers, exectest.OneColumn)
		for i := range ops {
			ops[i] = step(ops[i])
		}
		return ops, nil
	}
}

// growEach is grow for all rounds.
func growEach(t *testing.T, limit int64) func(*common.Queue) ([]exec.Operator, error) {
	step := grownOf(t, limit)
	return func(before *common.Queue) ([]exec.Operator, error) {
		return []exec.Operator{step(before.Reader([]int{0}, exectest.OneColumn))}, nil
	}
}

func grownOf(t *testing.T, limit int64) func(exec.Operator) exec.Operator {
	must := exectest.Must(t)
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	condition := must(expr.NewCompare(expr.OpLt, x, expr.NewConst(vector.IntScalar(limit))))
	next := must(expr.NewArith(expr.OpAdd, must(expr.NewArith(expr.OpAdd, x, x)), expr.NewConst(vector.IntScalar(1))))
	return func(in exec.Operator) exec.Operator {
		return exec.NewProject(exec.Env{}, exec.NewFilter(exec.Env{}, in, condition), []expr.Expr{next}, exectest.OneColumn)
	}
}

// ids makes the column id of Wide the only one.
func ids(in []exec.Operator) []exec.Operator {
	out := make([]exec.Operator, len(in))
	for i := range in {
		out[i] = exec.NewProject(exec.Env{}, in[i], []expr.Expr{exectest.Col(exectest.ID)}, exectest.OneColumn)
	}
	return out
}

func TestRecursive(t *testing.T) {
	type variant struct{ all, once bool }
	for _, v := range []variant{{true, false}, {true, true}, {false, false}, {false, true}} {
		for _, limit := range []int64{0, 1} {
			all := v.all
			t.Run(fmt.Sprint(v, limit), func(t *testing.T) {
				exectest.Run(t, exectest.Case{
					Schema: exectest.Wide, Rows: exectest.WideRows,
					Build: func(in []exec.Operator) exec.Operator {
						env := exec.Env{Budget: quota.New(limit), TempDir: leaktest.Folder(t)}
						init := exec.NewUnion([][]exec.Operator{ids(in), {one(1)}, {one(1)}}, 2, exectest.OneColumn)
						r := common.Recursion{Init: init, Step: grow(t, 2, 300), Schema: exectest.OneColumn, All: all}
						if v.once {
							r.Each = growEach(t, 300)
						}
						return common.NewRecursive(env, r)
					},
					Want: func(rows []exectest.Row) []exectest.Row {
						return grown(len(rows), 300, all)
					},
				})
			})
		}
	}
}

// one is one row.
func one(x int64) exec.Operator {
	return exec.NewValues(exectest.OneColumn, []*vector.Batch{{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.IntScalar(x), 1)}}})
}

// grown is 0 to n-1 and 1 twice, with what grows of them.
func grown(n int, limit int64, all bool) (out []exectest.Row) {
	seen := map[int64]bool{}
	var add func(x int64)
	add = func(x int64) {
		if seen[x] && !all {
			return
		}
		seen[x] = true
		out = append(out, exectest.Row{vector.IntScalar(x)})
		if x < limit {
			add(2*x + 1)
		}
	}
	for i := range n {
		add(int64(i))
	}
	add(1)
	add(1)
	return out
}

// TestRecursiveLife: see exectest.RunLife.
func TestRecursiveLife(t *testing.T) {
	released := 0
	release := func() error { released++; return nil }
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return common.NewRecursive(exec.Env{}, common.Recursion{
			Init: in, Step: grow(t, 1, 10), Schema: exectest.OneColumn, All: true, Keep: []func() error{release},
		})
	})
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		return common.NewRecursive(exec.Env{}, common.Recursion{
			Init: in, Step: grow(t, 1, 10), Each: growEach(t, 10), Schema: exectest.OneColumn, Keep: []func() error{release},
		})
	})
	if released != 8 {
		t.Errorf("released %d times", released)
	}
}

// TestQueueOfMany: a round of many rows has operators of its own, and the few of the rounds before and after
// it share theirs. Rows come round by round.
func TestQueueOfMany(t *testing.T) {
	const most = 6 * vector.BatchSize
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	must := exectest.Must(t)
	step := func(in exec.Operator) exec.Operator { // x, of even ones x/2; of 0 many
		even := exec.NewFilter(exec.Env{}, in, must(expr.NewCompare(expr.OpEq, must(expr.NewArith(expr.OpMod, x, expr.NewConst(vector.IntScalar(2)))), expr.NewConst(vector.IntScalar(0)))))
		half := must(expr.NewArith(expr.OpIntDiv, x, expr.NewConst(vector.IntScalar(2))))
		return exec.NewProject(exec.Env{}, even, []expr.Expr{half}, exectest.OneColumn)
	}
	for _, all := range []bool{true, false} {
		var steps, queues int
		numbers := exectest.NewEndless(most/vector.BatchSize, func(context.Context) error { return nil })
		op := common.NewRecursive(exec.Env{}, common.Recursion{
			Init: []exec.Operator{numbers}, Schema: exectest.OneColumn, All: all,
			Step: func(before *common.Rows) ([]exec.Operator, error) {
				steps++
				return []exec.Operator{step(before.Readers([]int{0}, 1, exectest.OneColumn)[0])}, nil
			},
			Each: func(before *common.Queue) ([]exec.Operator, error) {
				queues++
				return []exec.Operator{step(before.Reader([]int{0}, exectest.OneColumn))}, nil
			},
		})
		got, err := exectest.Drain(context.Background(), op)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		// Numbers from BatchSize on, without 0.
		want := map[int64]int{}
		for n := int64(vector.BatchSize); n < vector.BatchSize+most; n++ {
			for k := n; ; k /= 2 {
				if want[k]++; !all {
					want[k] = 1
				}
				if k%2 != 0 {
					break
				}
			}
		}
		for _, row := range got {
			want[row[0].I64]--
		}
		for n, k := range want {
			if k != 0 {
				t.Errorf("all=%v: %d is missing %d times", all, n, k)
			}
		}
		if steps == 0 || queues != 1 {
			t.Errorf("all=%v: %d rounds by themselves, %d together", all, steps, queues)
		}
	}
}

// TestEndlessRecursion ends with its context, and with the limit of memory: all rows
// that there were are kept to find equal ones.
func TestEndlessRecursion(t *testing.T) {
	leaktest.Check(t)
	must := exectest.Must(t)
	next := must(expr.NewArith(expr.OpAdd, expr.NewColumn(0, "x", vector.Of(vector.BigInt)), expr.NewConst(vector.IntScalar(1))))
	for _, all := range []bool{true, false} {
		for _, rows := range []bool{true, false} {
			ctx, cancel := context.WithCancel(context.Background())
			budget := quota.New(1 << 20)
			round := 0
			op := common.NewRecursive(exec.Env{Budget: budget}, common.Recursion{
				Init: []exec.Operator{one(1)}, Schema: exectest.OneColumn, All: all,
				Step: func(before *common.Rows) ([]exec.Operator, error) {
					if round++; round == 500 {
						cancel()
					}
					return []exec.Operator{exec.NewProject(exec.Env{}, before.Readers([]int{0}, 1, exectest.OneColumn)[0], []expr.Expr{next}, exectest.OneColumn)}, nil
				},
			})
			for range 100 {
				if b, err := op.Next(ctx); b == nil || err != nil {
					t.Fatal(b, err)
				}
			}
			if rows {
				_, err := exectest.Drain(ctx, op)
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
			if budget.Used() != 0 {
				t.Errorf("%d bytes are still reserved", budget.Used())
			}
			cancel()
		}
	}
}

// TestRecursionSpills: UNION keeps all rows that there were, on disk where memory does not
// suffice. Each step makes a row that was there before and a new one, of texts and NULLs too. Of wide rows
// in less memory, what is in a partition is divided again.
func TestRecursionSpills(t *testing.T) {
	leaktest.Check(t)
	t.Run("narrow", func(t *testing.T) { testRecursionSpills(t, 20*2048, 2<<20, 0) })
	t.Run("wide", func(t *testing.T) {
		if testing.Short() {
			t.Skip("half a minute with the race detector")
		}
		testRecursionSpills(t, 5*2048, 512<<10, 100)
	})
}

// testRecursionSpills: rows have so many columns more.
func testRecursionSpills(t *testing.T, rows, limit int64, more int) {
	must := exectest.Must(t)
	schema := vector.Schema{{Name: "x", Type: vector.Of(vector.BigInt)}, {Name: "s", Type: vector.Of(vector.Varchar)}}
	for i := range more {
		schema = append(schema, vector.Column{Name: fmt.Sprint("x", i), Type: vector.Of(vector.BigInt)})
	}
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	number := func(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }
	less := must(expr.NewCompare(expr.OpLt, x, number(2*rows)))
	further := must(expr.NewArith(expr.OpAdd, x, number(rows/2)))
	withText := func(x expr.Expr) []expr.Expr {
		some := must(expr.NewCompare(expr.OpNe, must(expr.NewArith(expr.OpMod, x, number(10))), number(3)))
		text := must(expr.NewCast(x, vector.Of(vector.Varchar), false))
		return append([]expr.Expr{x, must(expr.NewCase(nil, []expr.Expr{some}, []expr.Expr{text}, nil))}, slices.Repeat([]expr.Expr{x}, more)...)
	}
	all := make([]int, len(schema))
	for i := range all {
		all[i] = i
	}
	budget := quota.New(limit)
	env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
	numbers := exectest.NewEndless(int(rows/vector.BatchSize), func(context.Context) error { return nil })
	op := common.NewRecursive(env, common.Recursion{
		Init: []exec.Operator{exec.NewProject(env, numbers, withText(x), schema)}, Schema: schema,
		Step: func(before *common.Rows) ([]exec.Operator, error) {
			ops := before.Readers(all, 2, schema)
			for i := range ops {
				ops[i] = exec.NewProject(env, exec.NewFilter(env, ops[i], less), withText(further), schema)
			}
			return ops, nil
		},
	})
	got, err := exectest.Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err)
	}
	// The first numbers, and then half as many further on, until 2*rows is passed.
	want := map[int64]bool{}
	for n := range rows {
		for n += vector.BatchSize; !want[n]; n += rows / 2 {
			want[n] = true
			if n >= 2*rows {
				break
			}
		}
	}
	for _, row := range got {
		n := row[0].I64
		if !want[n] || row[1].Null != (n%10 == 3) || !row[1].Null && row[1].Str != fmt.Sprint(n) {
			t.Fatalf("%v is there twice or wrong", row)
		}
		delete(want, n)
	}
	if len(want) > 0 {
		t.Errorf("%d rows are missing", len(want))
	}
	if budget.Spilled() == 0 || budget.Peak() > limit {
		t.Errorf("%d bytes on disk, %d in memory", budget.Spilled(), budget.Peak())
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if budget.Used() != 0 {
		t.Errorf("%d bytes are still reserved", budget.Used())
	}
}

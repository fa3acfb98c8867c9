package expr_test

import (
	"runtime"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestManyOperands: AND and OR of so many operands that not all keep their memory. x + i = 3i
// for some i is TRUE where x is even.
func TestManyOperands(t *testing.T) {
	const operands = 4000
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	equal, unequal := make([]expr.Expr, operands), make([]expr.Expr, operands)
	for i := range equal {
		sum, err := expr.NewArith(expr.OpAdd, x, expr.NewConst(vector.IntScalar(int64(i))))
		if err != nil {
			t.Fatal(err)
		}
		triple := expr.NewConst(vector.IntScalar(int64(3 * i)))
		if equal[i], err = expr.NewCompare(expr.OpEq, sum, triple); err != nil {
			t.Fatal(err)
		}
		if unequal[i], err = expr.NewCompare(expr.OpNe, sum, triple); err != nil {
			t.Fatal(err)
		}
	}
	column := vector.New(x.Type(), vector.BatchSize)
	column.Valid = make(vector.Validity, (vector.BatchSize+63)/64)
	for i := range column.I64 {
		column.I64[i] = int64(i)
		if i%5 != 0 {
			column.Valid.Set(i)
		}
	}
	for name, c := range map[string]struct {
		make   func(...expr.Expr) (expr.Expr, error)
		args   []expr.Expr
		parity int
	}{"OR": {expr.NewOr, equal, 0}, "AND": {expr.NewAnd, unequal, 1}} {
		e, err := c.make(c.args...)
		if err != nil {
			t.Fatal(err)
		}
		ev, filter := expr.NewEvaluator(e), expr.NewFilter(e)
		before := live()
		for range 2 {
			batch := vector.Batch{Len: vector.BatchSize, Cols: []*vector.Vector{column}}
			v, err := ev.Eval(&batch)
			if err != nil {
				t.Fatal(err)
			}
			if err := filter.Apply(&batch); err != nil {
				t.Fatal(err)
			}
			selected := map[int32]bool{}
			for _, i := range batch.Sel {
				selected[i] = true
			}
			for i := range vector.BatchSize {
				valid, want := i%5 != 0, i%2 == c.parity
				if v.IsNull(i) == valid || valid && v.Bool[i] != want || selected[int32(i)] != (valid && want) {
					t.Errorf("%s of row %d: NULL %t, %t, selected %t", name, i, v.IsNull(i), v.Bool[i], selected[int32(i)])
				}
			}
		}
		const each = 3 * 8 * vector.BatchSize // of two sums, and what lists rows
		if kept := live() - before; kept > operands/2*each+4<<20 {
			t.Errorf("%s keeps %d bytes", name, kept)
		}
		runtime.KeepAlive(ev)
		runtime.KeepAlive(filter)
	}
}

// live is the bytes of the heap that are in use.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

package expr_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestConstantColumn: a column that is constant in each batch, but not the same in all
// of them, beside a column whose dictionary stays.
func TestConstantColumn(t *testing.T) {
	text := vector.Of(vector.Varchar)
	dict := vector.New(text, 2)
	dict.Str = []string{"b", "d"}
	a, b := expr.NewColumn(0, "a", text), expr.NewColumn(1, "b", text)
	less, err := expr.NewCompare(expr.OpLt, a, b)
	if err != nil {
		t.Fatal(err)
	}
	both, err := expr.NewConcat(a, b)
	if err != nil {
		t.Fatal(err)
	}
	filter, value := expr.NewFilter(less), expr.NewEvaluator(both)
	for _, c := range []struct {
		constant string
		passes   int
	}{{"c", 1}, {"c", 1}, {"e", 2}, {"a", 0}, {"c", 1}} {
		codes := &vector.Vector{Type: text, Form: vector.Dictionary, Len: 4, Codes: []int32{0, 1, 1, 0}, Dict: dict}
		batch := &vector.Batch{Len: 4, Cols: []*vector.Vector{codes, vector.NewConstant(vector.StringScalar(c.constant), 4)}}
		v, err := value.Eval(batch)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Get(1).Str; got != "d"+c.constant {
			t.Errorf("a || b is %q, b is %q", got, c.constant)
		}
		if err := filter.Apply(batch); err != nil {
			t.Fatal(err)
		}
		if batch.Rows() != 2*c.passes {
			t.Errorf("%d rows have a < %q, want %d", batch.Rows(), c.constant, 2*c.passes)
		}
	}
}

package expr_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// ending is a context that ends after so many looks at it.
type ending struct {
	context.Context
	looks, at int
}

func (e *ending) Err() error {
	if e.looks++; e.looks > e.at {
		return context.Canceled
	}
	return nil
}

// TestCompilingEnds: an expression with very many operands is not compiled to its end
// after the context has ended, neither as a value nor as a condition, and nobody gets a
// value of what is missing.
func TestCompilingEnds(t *testing.T) {
	const operands = 10_000
	column := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	list := make([]expr.Expr, operands)
	for i := range list {
		var err error
		if list[i], err = expr.NewArith(expr.OpAdd, column, expr.NewConst(vector.IntScalar(int64(i)))); err != nil {
			t.Fatal(err)
		}
	}
	first, err := expr.NewCoalesce(list...)
	if err != nil {
		t.Fatal(err)
	}
	positive, err := expr.NewCompare(expr.OpGt, first, expr.NewConst(vector.IntScalar(0)))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 1, 100, 1 << 30} {
		for name, eval := range map[string]func(*quota.Meter) error{
			"value": func(m *quota.Meter) error {
				ev := expr.NewEvaluator(first)
				ev.Meter = m
				_, err := ev.Eval(&vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.IntScalar(5), 1)}})
				return err
			},
			"condition": func(m *quota.Meter) error {
				return expr.NewFilter(positive).Within(m).Apply(&vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.IntScalar(5), 1)}})
			},
		} {
			ctx := &ending{Context: t.Context(), at: at}
			switch err := eval(quota.NewMeter(ctx, nil)); {
			case at > operands:
				if err != nil || ctx.looks < 3*operands/16 {
					t.Errorf("%s: %d looks, %v", name, ctx.looks, err)
				}
			case !errors.Is(err, context.Canceled) || ctx.looks != at+1:
				t.Errorf("%s: it ended at look %d of %d: %v", name, at+1, ctx.looks, err)
			}
		}
	}
}

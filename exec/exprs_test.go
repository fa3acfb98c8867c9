package exec_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// lookedAt is a context that counts how often somebody asks whether it has ended.
type lookedAt struct {
	context.Context
	looks, end int
}

func (l *lookedAt) Err() error {
	if l.looks++; l.looks > l.end {
		return context.Canceled
	}
	return nil
}

// TestExprSetCancelled: making ready very many expressions ends with the context, and
// evaluating them is its error.
func TestExprSetCancelled(t *testing.T) {
	ctx := &lookedAt{Context: context.Background(), end: 2}
	set := exec.NewExprSet(exec.Env{Context: ctx})
	for i := range 1000 {
		e, err := expr.NewArith(expr.OpAdd, exectest.Col(exectest.ID), expr.NewConst(vector.IntScalar(int64(i))))
		if err != nil {
			t.Fatal(err)
		}
		set.Add(e)
	}
	if ctx.looks != 3 {
		t.Errorf("%d looks at the context", ctx.looks)
	}
	if _, err := set.Eval(&vector.Batch{Len: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

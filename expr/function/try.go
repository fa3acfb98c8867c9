package function

import (
	"errors"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// newTry builds TRY(x): x, and NULL for the rows for which it fails.
func newTry(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if expr.IsVolatile(args[0]) {
		return nil, errors.New("TRY takes no function that may have another value at each call")
	}
	return expr.NewCall(call, args, args[0].Type(), &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &tryNode{x: by.Nodes(args)[0], typ: args[0].Type()}
	}}), nil
}

// tryNode evaluates a batch as a whole, and row by row if that fails.
type tryNode struct {
	x   kernel.Node
	typ vector.Type

	flat, out kernel.Result
}

func (t *tryNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := t.x.Eval(f, rows)
	if err == nil || !kernel.OfValue(err) {
		return v, err
	}
	t.out.Begin(t.typ, f)
	row := make([]int32, 1)
	for _, i := range kernel.Listed(rows, f.N) {
		row[0] = i
		v, err := t.x.Eval(f, row)
		if err != nil && !kernel.OfValue(err) {
			return nil, err
		}
		if err != nil {
			t.out.Null(int(i))
			continue
		}
		if v.Form == vector.Dictionary {
			v = kernel.FlattenRows(v, &t.flat, row, f.N)
		}
		if err := t.out.CopyRows(v, row); err != nil {
			return nil, err
		}
	}
	return &t.out.Vector, nil
}

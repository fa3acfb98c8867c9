package record

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// MapFunctions make MAPs.
var MapFunctions = []expr.Function{
	{Name: "MAP", Help: "a MAP of a list of keys and a list of values", Example: "MAP(['a', 'b'], [1, 2]) → {\"a\":1,\"b\":2}",
		Binding: define.Overloaded(
			define.Custom(func(expr.Callee, []expr.Expr) (expr.Expr, error) {
				return emptyMap()
			}, "→ MAP"),
			define.Custom(newMap, "LIST(K), LIST(V) → MAP(K, V)"))},
}

func emptyMap() (expr.Expr, error) {
	null := vector.Of(vector.Null)
	none := vector.New(expr.MapType(null, null), 0)
	none.EndRow()
	return expr.NewConst(vector.Scalar{Type: none.Type, Nested: none}), nil
}

func newMap(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	for _, a := range args {
		if k := a.Type().Kind; k != vector.List && k != vector.Null {
			return nil, fmt.Errorf("%s takes a LIST of keys and a LIST of values, not %s", call.Name, a.Type())
		}
	}
	keys, values := args[0].Type(), args[1].Type()
	if keys.Kind == vector.Null || values.Kind == vector.Null {
		return expr.NewConst(vector.NullOf(expr.MapType(vector.Of(vector.Null), vector.Of(vector.Null)))), nil
	}
	t := expr.MapType(keys.Fields[0].Type, values.Fields[0].Type)
	return define.Strict(call, args, t, func() kernel.Func { return mapOf }, true)
}

// mapOf makes the MAPs of keys and values at the same positions.
func mapOf(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	keys, values := kernel.ListsOf(args[0]), kernel.ListsOf(args[1])
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		k, v := keys.At(i), values.At(i)
		if k.Len() != v.Len() {
			return fmt.Errorf("MAP: there are %d keys and %d values", k.Len(), v.Len())
		}
		if err := checkKeys(keys.Elements, k, out.Meter.Work); err != nil {
			return err
		}
		b.Start(i)
		for e := range k.Len() {
			b.Add(0, k.From+e)
			b.Add(1, v.From+e)
		}
	}
	return b.Finish(keys.Elements, values.Elements)
}

var errNullKey = errors.New("a key of a MAP cannot be NULL")

// checkKeys looks for NULLs among the keys of a MAP, and for one that comes twice.
func checkKeys(keys *vector.Vector, r kernel.Range, work func(n int) error) error {
	for e := r.From; e < r.To; e++ {
		if keys.IsNull(int(e)) {
			return errNullKey
		}
	}
	switch twice, err := repeated(keys, r, work); {
	case err != nil:
		return err
	case twice >= 0:
		return fmt.Errorf("the keys of a MAP differ, but %s comes twice", kernel.LiteralText(keys.Get(int(twice))))
	}
	return nil
}

// repeated is an element that is equal to an earlier one of the range, -1 if all differ.
func repeated(v *vector.Vector, r kernel.Range, work func(n int) error) (int32, error) {
	order := make([]int32, 0, r.Len())
	for e := r.From; e < r.To; e++ {
		order = append(order, e)
	}
	if err := kernel.SortRows(order, work, func(a, b int32) int { return kernel.CompareElements(v, a, v, b) }); err != nil {
		return -1, err
	}
	twice := int32(-1)
	for i := 1; i < len(order); i++ {
		if e := order[i]; kernel.CompareElements(v, order[i-1], v, e) == 0 && (twice < 0 || e < twice) {
			twice = e
		}
	}
	return twice, nil
}

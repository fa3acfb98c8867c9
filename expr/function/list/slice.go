package list

import (
	"errors"
	"math"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// SliceFunctions take a part of a LIST or a text. Positions count from 1, or from the end
// if negative; both bounds belong to the part.
var SliceFunctions = []expr.Function{
	{Name: "LIST_SLICE", Aliases: []string{"ARRAY_SLICE"}, Help: "the elements from one position to another, each step-th of them; x[from:to:step] is the same",
		Example: "LIST_SLICE([1, 2, 3, 4], 2, 3) → [2,3]",
		Binding: define.Overloaded(
			define.Custom(newSlice, "LIST(T), BIGINT, BIGINT → LIST(T)", "VARCHAR, BIGINT, BIGINT → VARCHAR"),
			define.Custom(newSlice, "LIST(T), BIGINT, BIGINT, BIGINT → LIST(T)"))},
}

var (
	errStepZero = errors.New("the step of a slice cannot be 0")
	errTextStep = errors.New("a slice of a text has no step")
)

func newSlice(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x := args[0]
	list := []expr.Expr{x}
	for _, a := range args[1:] {
		if t := a.Type(); t.IsNumeric() && !t.IsInteger() { // rounded, as in DuckDB
			var err error
			if a, err = expr.NewCast(a, define.TypeInt, false); err != nil {
				return nil, err
			}
		}
		n, err := define.WantInt.Bind(call.Name, a)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	switch t := x.Type(); {
	case t.Kind == vector.Null:
		return expr.NewConst(vector.NullOf(t)), nil
	case t.Kind == vector.List:
		return define.Strict(call, list, t, func() kernel.Func { return sliceLists }, true)
	case len(args) > 3:
		return nil, errTextStep
	}
	var err error
	if list[0], err = expr.TextOperand(call.Name, x); err != nil {
		return nil, err
	}
	return define.Strict(call, list, define.TypeText, kernel.Map3(sliceText), false)
}

// slicePart is the positions, from 0, of a slice of n values: first, first+step and so on,
// count of them. The greatest bounds, which no value has, stand for absent ones.
func slicePart(from, to, step, n int64) (first, count int64) {
	if step < 0 && from == math.MinInt64 {
		from = n
	}
	if step < 0 && to == math.MaxInt64 {
		to = 1
	}
	place := func(p int64) int64 {
		if p < 0 {
			p = max(p, -n-1) + n + 1
		}
		return p
	}
	if from, to = place(from), place(to); step < 0 {
		from, to = min(from, n), max(to, 1)
		if from < to {
			return 0, 0
		}
		return from - 1, (from-to)/-max(step, -math.MaxInt64) + 1 // the least step has no opposite
	}
	from, to = max(from, 1), min(to, n)
	if from > to {
		return 0, 0
	}
	return from - 1, (to-from)/step + 1
}

func sliceLists(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	lists := kernel.ListsOf(args[0])
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		step := int64(1)
		if len(args) > 3 {
			if step = kernel.Cell[int64](args[3], i); step == 0 {
				return errStepZero
			}
		}
		r := lists.At(i)
		at, count := slicePart(kernel.Cell[int64](args[1], i), kernel.Cell[int64](args[2], i), step, int64(r.Len()))
		b.Start(i)
		for ; count > 0; count-- {
			b.Add(0, r.From+int32(at))
			at += step
		}
	}
	return b.Finish(lists.Elements)
}

func sliceText(s string, from, to int64) string {
	first, count := slicePart(from, to, 1, int64(utf8.RuneCountInString(s)))
	start, end := len(s), len(s)
	for i := range s {
		if first == 0 && start == len(s) {
			start = i
		}
		if first == -count {
			end = i
			break
		}
		first--
	}
	return s[min(start, end):end]
}

package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// SortFunctions order the elements of a LIST, and look for equal ones.
var SortFunctions = []expr.Function{
	{Name: "LIST_SORT", Aliases: []string{"ARRAY_SORT"}, Help: "the elements in order, 'ASC' or 'DESC'; NULLs come last, or first with 'NULLS FIRST'", Example: "LIST_SORT([3, 1, 2], 'DESC') → [3,2,1]",
		Binding: sorting("LIST(T)", func(options []string) (order, error) { return orderOf(options) })},
	{Name: "LIST_REVERSE_SORT", Aliases: []string{"ARRAY_REVERSE_SORT"}, Help: "the elements from the greatest to the least; NULLs come last, or first with 'NULLS FIRST'", Example: "LIST_REVERSE_SORT([3, 1, 2]) → [3,2,1]",
		Binding: define.Overloaded(
			define.Custom(sorted(reverseOrder, false), "LIST(T) → LIST(T)"),
			define.Custom(sorted(reverseOrder, false), "LIST(T), 'nulls' → LIST(T)"))},
	{Name: "LIST_GRADE_UP", Aliases: []string{"ARRAY_GRADE_UP", "GRADE_UP"}, Help: "the positions of the elements in their order", Example: "LIST_GRADE_UP([3, 1, 2]) → [2,3,1]",
		Binding: define.Overloaded(
			define.Custom(sorted(orderOf, true), "LIST(T) → LIST(BIGINT)"),
			define.Custom(sorted(orderOf, true), "LIST(T), 'order' → LIST(BIGINT)"),
			define.Custom(sorted(orderOf, true), "LIST(T), 'order', 'nulls' → LIST(BIGINT)"))},
	{Name: "LIST_DISTINCT", Aliases: []string{"ARRAY_DISTINCT"}, Help: "the different elements, in the order of their first place; without NULL", Example: "LIST_DISTINCT([2, 1, 2, NULL]) → [2,1]",
		Binding: define.Custom(simple(distinct), "LIST(T) → LIST(T)")},
	{Name: "LIST_UNIQUE", Aliases: []string{"ARRAY_UNIQUE"}, Help: "the number of different elements other than NULL", Example: "LIST_UNIQUE([2, 1, 2]) → 2", Binding: define.Custom(unique, "LIST(T) → BIGINT")},
}

// order is how elements are sorted.
type order struct{ desc, nullsFirst bool }

func sorting(result string, options func([]string) (order, error)) expr.Binding {
	return define.Overloaded(
		define.Custom(sorted(options, false), "LIST(T) → "+result),
		define.Custom(sorted(options, false), "LIST(T), 'order' → "+result),
		define.Custom(sorted(options, false), "LIST(T), 'order', 'nulls' → "+result))
}

// orderOf reads 'ASC' or 'DESC' and 'NULLS FIRST' or 'NULLS LAST'.
func orderOf(options []string) (o order, err error) {
	if len(options) > 0 {
		switch strings.ToUpper(options[0]) {
		case "ASC", "DEFAULT":
		case "DESC":
			o.desc = true
		default:
			return o, fmt.Errorf("the order of a LIST is 'ASC' or 'DESC', not '%s'", options[0])
		}
		options = options[1:]
	}
	o.nullsFirst, err = nullsFirst(options)
	return o, err
}

// reverseOrder reads 'NULLS FIRST' or 'NULLS LAST'.
func reverseOrder(options []string) (o order, err error) {
	first, err := nullsFirst(options)
	return order{desc: true, nullsFirst: first}, err
}

func nullsFirst(options []string) (bool, error) {
	if len(options) == 0 {
		return false, nil
	}
	switch strings.ToUpper(options[0]) {
	case "NULLS FIRST":
		return true, nil
	case "NULLS LAST", "DEFAULT":
		return false, nil
	}
	return false, fmt.Errorf("NULLs of a LIST come 'NULLS FIRST' or 'NULLS LAST', not '%s'", options[0])
}

// sorted is the elements in order, or their positions.
func sorted(read func([]string) (order, error), positions bool) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := wantList(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		var options []string
		for _, a := range args[1:] {
			s, err := define.ConstantText(call.Name, "order", a)
			if err != nil {
				return nil, err
			}
			options = append(options, s)
		}
		o, err := read(options)
		if err != nil {
			return nil, err
		}
		t := x.Type()
		if positions {
			t = expr.ListType(define.TypeInt)
		}
		impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Careful: true, Make: func() kernel.Func {
			memory := &kernel.Result{}
			return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
				lists := kernel.ListsOf(args[0])
				lists.Elements = spelled(lists.Elements, memory)
				return o.rows(lists, rows, n, out, positions)
			}
		}}}
		return expr.NewCall(call, append([]expr.Expr{x}, args[1:]...), t, impl), nil
	}
}

func (o order) rows(lists kernel.Lists, rows []int32, n int, out *kernel.Result, positions bool) error {
	if all := lists.Elements; !positions && all.Form == vector.Flat && all.Len < manySorted {
		switch all.Type.Storage() {
		case vector.StoreInt64:
			return sortedValues[int64](o, lists, rows, n, out)
		case vector.StoreString:
			return sortedValues[string](o, lists, rows, n, out)
		}
	}
	b := kernel.NewListBuilder(out)
	var numbers []int64
	var places []int32
	for _, i := range kernel.Listed(rows, n) {
		b.Start(i)
		r := lists.At(i)
		places = places[:0]
		for e := r.From; e < r.To; e++ {
			places = append(places, e)
		}
		if err := kernel.SortRows(places, out.Meter.Work, func(x, y int32) int { return o.compare(lists.Elements, x, y) }); err != nil {
			return err
		}
		for _, e := range places {
			if b.Add(0, e); positions {
				numbers = append(numbers, int64(e-r.From)+1)
			}
		}
	}
	if !positions {
		return b.Finish(lists.Elements)
	}
	b.Whole(&vector.Vector{Type: out.Type.Fields[0].Type, Len: len(numbers), I64: numbers})
	return nil
}

// manySorted is how many elements of a batch are sorted without a look at the context between them.
const manySorted = 256 << 10

// sortedValues is the elements in order where equal ones are the same.
func sortedValues[T int64 | string](o order, lists kernel.Lists, rows []int32, n int, out *kernel.Result) error {
	b, made, v := kernel.NewListBuilder(out), vector.New(out.Type.Fields[0].Type, 0), lists.Elements
	from, to, nulls := *vector.Slice[T](v), vector.Slice[T](made), []int(nil)
	for _, i := range kernel.Listed(rows, n) {
		b.Start(i)
		r := lists.At(i)
		if err := b.Need(int64(r.Len())); err != nil {
			return err
		}
		if err := out.Meter.Work(quota.CompareWork * int(r.Len())); err != nil {
			return err
		}
		start := len(*to)
		*to = append(*to, from[r.From:r.To]...)
		list := (*to)[start:]
		if v.Valid != nil {
			k := 0
			for e, value := range list {
				if list[k] = value; v.Valid.Get(int(r.From) + e) {
					k++
				}
			}
			at := start + k // of the NULLs
			values := list[:k]
			if none := len(list) - k; none > 0 && o.nullsFirst {
				at, values = start, list[none:]
				copy(values, list[:k])
			}
			for e := range len(list) - k {
				nulls = append(nulls, at+e)
			}
			list = values
		}
		if slices.Sort(list); o.desc {
			slices.Reverse(list)
		}
		b.Made(int(r.Len()))
	}
	made.Len = len(*to)
	var none T
	for _, e := range nulls {
		(*to)[e] = none
		made.SetNull(e)
	}
	b.Whole(made)
	return nil
}

func (o order) compare(v *vector.Vector, x, y int32) int {
	a, b := v.IsNull(int(x)), v.IsNull(int(y))
	switch {
	case a && b:
		return 0
	case a != b:
		if a == o.nullsFirst {
			return -1
		}
		return 1
	}
	c := vector.Compare(v, int(x), v, int(y))
	if o.desc {
		return -c
	}
	return c
}

func distinct(m *quota.Meter, b *kernel.ListBuilder, v *vector.Vector, r kernel.Range) error {
	return eachDistinct(m, v, r, func(e int32) { b.Add(0, e) })
}

// elementWork is what putting an element into a table or a state takes, in bytes of simpler
// work.
const elementWork = 32

// elementMade is about what an element takes in such a table.
const elementMade = 64

// eachDistinct calls f with the first of equal elements that are not NULL.
func eachDistinct(m *quota.Meter, v *vector.Vector, r kernel.Range, f func(e int32)) error {
	m.Made(elementMade * int64(r.Len()))
	seen := make(map[string]struct{}, r.Len())
	var key []byte
	for e := r.From; e < r.To; e++ {
		if v.IsNull(int(e)) {
			continue
		}
		key = keyOf(key, v, e)
		if err := m.Work(elementWork + len(key)); err != nil {
			return err
		}
		if _, ok := seen[string(key)]; !ok {
			seen[string(key)] = struct{}{}
			f(e)
		}
	}
	return nil
}

func unique(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantList(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	return define.Strict(call, []expr.Expr{x}, define.TypeInt, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			lists := kernel.ListsOf(args[0])
			for _, i := range kernel.Listed(rows, n) {
				out.I64[i] = 0
				if err := eachDistinct(out.Meter, lists.Elements, lists.At(i), func(int32) { out.I64[i]++ }); err != nil {
					return err
				}
			}
			return nil
		}
	}, true)
}

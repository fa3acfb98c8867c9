package list

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// CombineFunctions make a LIST of LISTs and elements. A NULL LIST counts as an empty one,
// but for the operator.
var CombineFunctions = []expr.Function{
	{Name: "LIST_CONCAT", Aliases: []string{"LIST_CAT", "ARRAY_CONCAT", "ARRAY_CAT"}, Help: "the elements of all LISTs; a NULL among them counts as an empty LIST",
		Example: "LIST_CONCAT([1], [2, 3]) → [1,2,3]", Binding: define.Custom(concat, "LIST(T), ... → LIST(T)")},
	{Name: "||", Help: "the elements of both LISTs", Example: "[1] || [2, 3] → [1,2,3]", Binding: define.Custom(concatStrict, "LIST(T), LIST(T) → LIST(T)")},
	{Name: "LIST_APPEND", Aliases: []string{"ARRAY_APPEND", "ARRAY_PUSH_BACK"}, Help: "the LIST with a further element at its end",
		Example: "LIST_APPEND([1], 2) → [1,2]", Binding: define.Custom(appendTo, "LIST(T), T → LIST(T)")},
	{Name: "LIST_PREPEND", Aliases: []string{"ARRAY_PREPEND"}, Help: "the LIST with a further element at its beginning",
		Example: "LIST_PREPEND(1, [2]) → [1,2]", Binding: define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) { return prepend(call, args, 0) }, "T, LIST(T) → LIST(T)")},
	{Name: "ARRAY_PUSH_FRONT", Help: "the LIST with a further element at its beginning",
		Example: "ARRAY_PUSH_FRONT([2], 1) → [1,2]", Binding: define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) { return prepend(call, args, 1) }, "LIST(T), T → LIST(T)")},
	{Name: "ARRAY_POP_BACK", Help: "the LIST without its last element", Example: "ARRAY_POP_BACK([1, 2]) → [1]", Binding: define.Custom(pop(0, 1), "LIST(T) → LIST(T)")},
	{Name: "ARRAY_POP_FRONT", Help: "the LIST without its first element", Example: "ARRAY_POP_FRONT([1, 2]) → [2]", Binding: define.Custom(pop(1, 0), "LIST(T) → LIST(T)")},
	{Name: "LIST_REVERSE", Aliases: []string{"ARRAY_REVERSE"}, Help: "the elements from the last one to the first", Example: "LIST_REVERSE([1, 2]) → [2,1]",
		Binding: define.Custom(simple(reversed), "LIST(T) → LIST(T)")},
	{Name: "FLATTEN", Help: "the elements of the LISTs in a LIST; NULL LISTs are left out", Example: "FLATTEN([[1], [2, 3]]) → [1,2,3]", Binding: define.Custom(flatten, "LIST(LIST(T)) → LIST(T)")},
	{Name: "LIST_RESIZE", Aliases: []string{"ARRAY_RESIZE"}, Help: "the LIST cut, or filled with a value, to a number of elements", Example: "LIST_RESIZE([1, 2], 3, 0) → [1,2,0]",
		Binding: define.Overloaded(define.Custom(resize, "LIST(T), BIGINT → LIST(T)"), define.Custom(resize, "LIST(T), BIGINT, T → LIST(T)"))},
	{Name: "LIST_ZIP", Aliases: []string{"ARRAY_ZIP"}, Help: "a LIST of STRUCTs of the elements at the same place, as long as the longest LIST, or as the shortest one if the last argument is true",
		Example: "LIST_ZIP([1, 2], ['a', 'b']) → [[1,\"a\"],[2,\"b\"]]", Binding: define.Custom(zip, "LIST(T), ... → LIST")},
}

// simple is a function of one LIST, which lists the elements of its result.
func simple(pick func(m *quota.Meter, b *kernel.ListBuilder, v *vector.Vector, r kernel.Range) error) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := wantList(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		return define.Strict(call, []expr.Expr{x}, x.Type(), func() kernel.Func {
			return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
				lists, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
				for _, i := range kernel.Listed(rows, n) {
					b.Start(i)
					if err := pick(out.Meter, b, lists.Elements, lists.At(i)); err != nil {
						return err
					}
				}
				return b.Finish(lists.Elements)
			}
		}, true)
	}
}

func reversed(_ *quota.Meter, b *kernel.ListBuilder, _ *vector.Vector, r kernel.Range) error {
	for e := r.To - 1; e >= r.From; e-- {
		b.Add(0, e)
	}
	return nil
}

// pop leaves out elements at both ends.
func pop(front, back int32) define.Binder {
	return simple(func(_ *quota.Meter, b *kernel.ListBuilder, _ *vector.Vector, r kernel.Range) error {
		b.AddRange(0, kernel.Range{From: min(r.From+front, r.To), To: max(r.To-back, r.From)})
		return nil
	})
}

func concat(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, t, err := wantLists(call.Name, args)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(args, func(a expr.Expr) bool { return a.Type().Kind != vector.Null }) {
		return expr.NewConst(vector.NullOf(t)), nil
	}
	return Lenient(call, list, t, concatRows)
}

func concatStrict(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, t, err := wantLists(call.Name, args)
	if err != nil {
		return nil, err
	}
	return define.Strict(call, list, t, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			return concatRows(args, rows, n, out)
		}
	}, true)
}

// concatRows concatenates LISTs; NULLs among them are left out.
func concatRows(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	parts := make([]part, len(args))
	for k, a := range args {
		parts[k] = part{v: a}
	}
	if done, err := join(parts, rows, n, out); done || err != nil {
		return err
	}
	children, lists := make([]*vector.Vector, len(args)), make([]kernel.Lists, len(args))
	for k, a := range args {
		lists[k] = kernel.ListsOf(a)
		children[k] = lists[k].Elements
	}
	all, from, err := Together(out.Type.Fields[0].Type, children...)
	if err != nil {
		return err
	}
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		b.Start(i)
		for k, a := range args {
			if !a.IsNull(int(i)) {
				r := lists[k].At(i)
				b.AddRange(0, kernel.Range{From: r.From + from[k], To: r.To + from[k]})
			}
		}
	}
	return b.Finish(all)
}

func appendTo(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, x, err := withElement(call.Name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	return Lenient(call, []expr.Expr{list, x}, list.Type(), func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		return addElement(args[0], args[1], rows, n, out, false)
	})
}

// prepend is a call whose LIST is not the argument at, which is the element.
func prepend(call expr.Callee, args []expr.Expr, at int) (expr.Expr, error) {
	list, x, err := withElement(call.Name, args[1-at], args[at])
	if err != nil {
		return nil, err
	}
	bound := []expr.Expr{x, list}
	if at == 1 {
		bound = []expr.Expr{list, x}
	}
	return Lenient(call, bound, list.Type(), func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		return addElement(args[1-at], args[at], rows, n, out, true)
	})
}

func addElement(list, x *vector.Vector, rows []int32, n int, out *kernel.Result, first bool) error {
	parts := []part{{v: list}, {v: x, element: true}}
	if first {
		slices.Reverse(parts)
	}
	if done, err := join(parts, rows, n, out); done || err != nil {
		return err
	}
	lists := kernel.ListsOf(list)
	all, from, err := Together(out.Type.Fields[0].Type, lists.Elements, x)
	if err != nil {
		return err
	}
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		if b.Start(i); first {
			b.Add(0, from[1]+i)
		}
		if !list.IsNull(int(i)) {
			b.AddRange(0, lists.At(i))
		}
		if !first {
			b.Add(0, from[1]+i)
		}
	}
	return b.Finish(all)
}

func flatten(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantList(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	t := x.Type().Fields[0].Type
	if t.Kind == vector.Null {
		t = expr.ListType(t)
		if x, err = expr.ImplicitCast(x, expr.ListType(t)); err != nil {
			return nil, err
		}
	}
	if t.Kind != vector.List {
		return nil, fmt.Errorf("%s takes a LIST of LISTs, not %s", call.Name, x.Type())
	}
	return define.Strict(call, []expr.Expr{x}, t, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			outer, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
			inner, err := outer.Elements.Flatten(nil)
			if err != nil {
				return err
			}
			if args[0].Form == vector.Flat && inner.Form == vector.Flat && !inner.MayHaveNulls() { // the elements stay where they are
				offsets := make([]int32, n+1)
				for i, at := range args[0].Offsets[:n+1] {
					offsets[i] = inner.Offsets[at]
				}
				out.Offsets, out.Children = offsets, inner.Children
				return nil
			}
			lists := kernel.ListsOf(inner)
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				for e, r := outer.At(i).From, outer.At(i); e < r.To; e++ {
					if !inner.IsNull(int(e)) {
						b.AddRange(0, lists.At(e))
					}
				}
			}
			return b.Finish(lists.Elements)
		}
	}, true)
}

func resize(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	filler := expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
	if len(args) > 2 {
		filler = args[2]
	}
	list, x, err := filled(call.Name, args[0], filler)
	if err != nil {
		return nil, err
	}
	size, err := define.WantInt.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	bound := []expr.Expr{list, size, x}
	return Lenient(call, bound[:len(args):len(args)], list.Type(), resizeRows)
}

// filled casts what fills a LIST to its type, as DuckDB does, unless it has none.
func filled(name string, list, x expr.Expr) (expr.Expr, expr.Expr, error) {
	if t := list.Type(); t.Kind != vector.List || t.Fields[0].Type.Kind == vector.Null {
		return withElement(name, list, x)
	}
	x, err := expr.NewCast(x, list.Type().Fields[0].Type, false)
	return list, x, err
}

func resizeRows(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	lists := kernel.ListsOf(args[0])
	filler := vector.NewConstant(vector.NullOf(out.Type.Fields[0].Type), n)
	if len(args) > 2 {
		filler = args[2]
	}
	all, from, err := Together(out.Type.Fields[0].Type, lists.Elements, filler)
	if err != nil {
		return err
	}
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		if b.Start(i); args[0].IsNull(int(i)) {
			out.Null(int(i))
			continue
		}
		size := int64(0)
		if !args[1].IsNull(int(i)) {
			size = kernel.Cell[int64](args[1], i)
		}
		if size < 0 {
			return fmt.Errorf("a LIST cannot be resized to %d elements", size)
		}
		if err := b.Need(size); err != nil {
			return fmt.Errorf("a LIST cannot be resized to %d elements: %w", size, err)
		}
		r := lists.At(i)
		b.AddRange(0, kernel.Range{From: r.From, To: r.From + int32(min(size, int64(r.Len())))})
		for k := int64(r.Len()); k < size; k++ {
			if err := out.Meter.Work(8); err != nil {
				return err
			}
			b.Add(0, from[1]+i)
		}
	}
	return b.Finish(all)
}

func zip(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	var lists []expr.Expr
	for _, a := range args {
		if a.Type().Kind == vector.Boolean && len(lists) == len(args)-1 && len(lists) > 0 {
			break
		}
		x, err := wantList(call.Name, a)
		if err != nil {
			return nil, err
		}
		lists = append(lists, x)
	}
	row := vector.Of(vector.Struct)
	for _, x := range lists {
		row.Fields = append(row.Fields, vector.Field{Type: x.Type().Fields[0].Type, Nullable: true})
	}
	bound := append(lists[:len(lists):len(lists)], args[len(lists):]...)
	k := len(lists)
	return Lenient(call, bound, expr.ListType(row), func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		return zipRows(args[:k], args[k:], rows, n, out)
	})
}

// zipRows makes the STRUCTs; short, if given, says that the shortest LIST counts.
func zipRows(args, short []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	fields, lists, few := make([][]vector.Pick, len(args)), make([]kernel.Lists, len(args)), 0 // source 0 is NULL
	for k, a := range args {
		if few = max(few, kernel.FewElements(a, rows)); len(a.Children) > 0 {
			lists[k] = kernel.ListsOf(a)
		}
	}
	for k := range fields {
		fields[k] = make([]vector.Pick, 0, few)
	}
	ranges := make([]kernel.Range, len(args))
	next, total := int32(0), int32(0)
	for _, i := range kernel.Listed(rows, n) {
		for ; next <= i; next++ {
			out.Offsets[next] = total
		}
		clear(ranges)
		least, most := int32(1<<30), int32(0)
		for k, a := range args {
			if !a.IsNull(int(i)) {
				ranges[k] = lists[k].At(i)
			}
			least, most = min(least, ranges[k].Len()), max(most, ranges[k].Len())
		}
		if len(short) > 0 && !short[0].IsNull(int(i)) && kernel.Cell[bool](short[0], i) {
			most = least
		}
		for k, r := range ranges {
			for e := range most {
				p := vector.Pick{}
				if e < r.Len() {
					p = vector.Pick{Source: 1, Row: r.From + e}
				}
				fields[k] = append(fields[k], p)
			}
		}
		total += most
	}
	for ; int(next) <= n; next++ {
		out.Offsets[next] = total
	}
	row := &vector.Vector{Type: out.Type.Fields[0].Type, Len: int(total), Children: make([]*vector.Vector, len(args))}
	for k, a := range args {
		t := row.Type.Fields[k].Type
		row.Children[k] = &vector.Vector{}
		if err := row.Children[k].Pick(t, []*vector.Vector{vector.NewConstant(vector.NullOf(t), 1), a.Children[0]}, fields[k]); err != nil {
			return err
		}
		if err := out.Meter.Work(int(total)); err != nil {
			return err
		}
	}
	out.Children[0] = row
	return nil
}

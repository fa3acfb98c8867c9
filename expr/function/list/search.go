package list

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// SearchFunctions look for elements, and choose some.
var SearchFunctions = []expr.Function{
	{Name: "LIST_POSITION", Aliases: []string{"LIST_INDEXOF", "ARRAY_POSITION", "ARRAY_INDEXOF"}, Help: "the position of the first element that equals a value, from 1; NULL if there is none",
		Example: "LIST_POSITION(['a', 'b'], 'b') → 2", Binding: define.Custom(positionOf, "LIST(T), T → BIGINT")},
	{Name: "LIST_HAS_ANY", Aliases: []string{"ARRAY_HAS_ANY"}, Help: "whether the LISTs have an element in common, other than NULL", Example: "LIST_HAS_ANY([1, 2], [2, 3]) → true",
		Binding: HasAny},
	{Name: "LIST_HAS_ALL", Aliases: []string{"ARRAY_HAS_ALL", "@>"}, Help: "whether the first LIST has all elements of the second one, other than NULL", Example: "LIST_HAS_ALL([1, 2], [2]) → true",
		Binding: define.Custom(overlap(true, false), "LIST(T), LIST(T) → BOOLEAN")},
	{Name: "<@", Help: "whether the second LIST has all elements of the first one, other than NULL", Example: "\"<@\"([2], [1, 2]) → true",
		Binding: define.Custom(overlap(true, true), "LIST(T), LIST(T) → BOOLEAN")},
	{Name: "LIST_INTERSECT", Aliases: []string{"ARRAY_INTERSECT"}, Help: "the different elements of the first LIST that the second one has too, without NULL", Example: "LIST_INTERSECT([1, 2, 3], [3, 2]) → [2,3]",
		Binding: define.Custom(intersect, "LIST(T), LIST(T) → LIST(T)")},
	{Name: "LIST_WHERE", Aliases: []string{"ARRAY_WHERE"}, Help: "the elements at whose place the second LIST is true", Example: "LIST_WHERE([1, 2, 3], [true, false, true]) → [1,3]",
		Binding: define.Custom(where, "LIST(T), LIST(BOOLEAN) → LIST(T)")},
	{Name: "LIST_SELECT", Aliases: []string{"ARRAY_SELECT"}, Help: "the elements at the positions of the second LIST, NULL where there is none", Example: "LIST_SELECT([10, 20, 30], [3, 1]) → [30,10]",
		Binding: define.Custom(selected, "LIST(T), LIST(BIGINT) → LIST(T)")},
}

// HasAny is whether two LISTs have an element in common.
var HasAny = define.Custom(overlap(false, false), "LIST(T), LIST(T) → BOOLEAN")

// elementsPerLook is how many elements are compared, or copied, between two looks at the context.
const elementsPerLook = quota.BytesPerLook / 8

func positionOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, x, err := withElement(call.Name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	return Lenient(call, []expr.Expr{list, x}, define.TypeInt, func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		lists := kernel.ListsOf(args[0])
		first := firstIn(lists.Elements)
		for _, i := range kernel.Listed(rows, n) {
			at := int64(0)
			if !args[0].IsNull(int(i)) {
				r := lists.At(i)
				for from := r.From; from < r.To && at == 0; {
					piece := kernel.Range{From: from, To: from + min(r.To-from, elementsPerLook)}
					if err := out.Meter.Work(8 * int(piece.Len())); err != nil {
						return err
					}
					if found := first(piece, args[1], i); found >= from {
						at = int64(found-r.From) + 1
					}
					from = piece.To
				}
			}
			if out.I64[i] = at; at == 0 {
				out.Null(int(i))
			}
		}
		return nil
	})
}

// firstIn returns what finds the first element in a range that is row i of a key, the one before the range if
// there is none. NULL is one like others.
func firstIn(list *vector.Vector) func(r kernel.Range, key *vector.Vector, i int32) int32 {
	slow := func(r kernel.Range, key *vector.Vector, i int32) int32 {
		for e := r.From; e < r.To; e++ {
			if kernel.CompareElements(list, e, key, i) == 0 {
				return e
			}
		}
		return r.From - 1
	}
	switch list.Type.Storage() {
	case vector.StoreInt64:
		return firstEqual[int64](list, slow)
	case vector.StoreString:
		return firstEqual[string](list, slow)
	}
	return slow
}

// firstEqual is firstIn for values that are equal where == says so; slow is for the key NULL.
func firstEqual[T int64 | string](list *vector.Vector, slow func(kernel.Range, *vector.Vector, int32) int32) func(kernel.Range, *vector.Vector, int32) int32 {
	values := *vector.Slice[T](list)
	var entries []T
	if list.Form == vector.Dictionary {
		entries = *vector.Slice[T](list.Dict)
	}
	return func(r kernel.Range, key *vector.Vector, i int32) int32 {
		if key.IsNull(int(i)) {
			return slow(r, key, i)
		}
		want := kernel.Cell[T](key, i)
		switch list.Form {
		case vector.Dictionary:
			for e, code := range list.Codes[r.From:r.To] {
				if entries[code] == want && !list.IsNull(int(r.From)+e) {
					return r.From + int32(e)
				}
			}
			return r.From - 1
		case vector.Constant:
			for e := r.From; e < r.To; e++ {
				if kernel.Cell[T](list, e) == want && !list.IsNull(int(e)) {
					return e
				}
			}
			return r.From - 1
		}
		for e, v := range values[r.From:r.To] {
			if v == want && !list.IsNull(int(r.From)+e) {
				return r.From + int32(e)
			}
		}
		return r.From - 1
	}
}

// elementSet is the elements of a LIST other than NULL.
func elementSet(m *quota.Meter, v *vector.Vector, r kernel.Range) (map[string]bool, error) {
	set := make(map[string]bool, r.Len())
	return set, eachDistinct(m, v, r, func(e int32) { set[string(keyOf(nil, v, e))] = true })
}

// overlap is whether the first LIST has any, or all, elements of the second; swapped, whether
// the second has those of the first.
func overlap(all, swapped bool) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, _, err := wantLists(call.Name, args)
		if err != nil {
			return nil, err
		}
		return define.Strict(call, list, define.TypeBoolean, func() kernel.Func {
			var memory [2]kernel.Result
			return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
				a, b := kernel.ListsOf(args[0]), kernel.ListsOf(args[1])
				a.Elements, b.Elements = spelled(a.Elements, &memory[0]), spelled(b.Elements, &memory[1])
				if swapped {
					a, b = b, a
				}
				for _, i := range kernel.Listed(rows, n) {
					x, y := a.At(i), b.At(i)
					if pairs := int64(x.Len()) * int64(y.Len()); pairs <= fewPairs(a.Elements, b.Elements, x, y) {
						if err := out.Meter.Work(8 + 4*int(pairs)); err != nil {
							return err
						}
						out.Bool[i] = compared(a.Elements, x, b.Elements, y, all)
						continue
					}
					has, err := elementSet(out.Meter, a.Elements, a.At(i))
					if err != nil {
						return err
					}
					any, every := false, true
					if err := eachDistinct(out.Meter, b.Elements, b.At(i), func(e int32) {
						found := has[string(keyOf(nil, b.Elements, e))]
						any, every = any || found, every && found
					}); err != nil {
						return err
					}
					if out.Bool[i] = any; all {
						out.Bool[i] = every
					}
				}
				return nil
			}
		}, true)
	}
}

func intersect(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, t, err := wantLists(call.Name, args)
	if err != nil {
		return nil, err
	}
	// A NULL as the second LIST is an empty one, as in DuckDB.
	none, err := expr.NewList()
	if err != nil {
		return nil, err
	}
	if none, err = expr.ImplicitCast(none, t); err != nil {
		return nil, err
	}
	if list[1], err = expr.NewCoalesce(list[1], none); err != nil {
		return nil, err
	}
	return define.Strict(call, list, t, func() kernel.Func {
		var memory [2]kernel.Result
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			x, y, b := kernel.ListsOf(args[0]), kernel.ListsOf(args[1]), kernel.NewListBuilder(out)
			x.Elements, y.Elements = spelled(x.Elements, &memory[0]), spelled(y.Elements, &memory[1])
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				if r, o := x.At(i), y.At(i); int64(r.Len())*int64(max(r.Len(), o.Len())) <= fewPairs(x.Elements, y.Elements, r, o) {
					if err := out.Meter.Work(8 + 4*int(r.Len()*o.Len())); err != nil {
						return err
					}
					if addShared(b, x.Elements, r, y.Elements, o) {
						continue
					}
				}
				other, err := elementSet(out.Meter, y.Elements, y.At(i))
				if err != nil {
					return err
				}
				if err := eachDistinct(out.Meter, x.Elements, x.At(i), func(e int32) {
					if other[string(keyOf(nil, x.Elements, e))] {
						b.Add(0, e)
					}
				}); err != nil {
					return err
				}
			}
			return b.Finish(x.Elements)
		}
	}, true)
}

func where(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return chosen(call, args, define.TypeBoolean, func(picks *vector.Vector, r, p kernel.Range, add func(e int32)) {
		for k := range p.Len() {
			if kernel.Cell[bool](picks, p.From+k) {
				e := r.From + k
				if k >= r.Len() {
					e = -1
				}
				add(e)
			}
		}
	})
}

func selected(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return chosen(call, args, define.TypeInt, func(picks *vector.Vector, r, p kernel.Range, add func(e int32)) {
		for k := p.From; k < p.To; k++ {
			at := kernel.Cell[int64](picks, k)
			if at < 1 || at > int64(r.Len()) {
				add(-1)
				continue
			}
			add(r.From + int32(at) - 1)
		}
	})
}

// chosen is elements of the first LIST that the second one, of type t, chooses. choose adds
// -1 for an element that does not exist.
func chosen(call expr.Callee, args []expr.Expr, t vector.Type, choose func(picks *vector.Vector, r, p kernel.Range, add func(e int32))) (expr.Expr, error) {
	x, err := wantList(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	picks, err := wantList(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	if picks, err = expr.ImplicitCast(picks, expr.ListType(t)); err != nil {
		return nil, err
	}
	return define.Strict(call, []expr.Expr{x, picks}, x.Type(), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			lists, picks, b := kernel.ListsOf(args[0]), kernel.ListsOf(args[1]), kernel.NewListBuilder(out)
			element := x.Type().Fields[0].Type
			all, from, err := Together(element, lists.Elements, vector.NewConstant(vector.NullOf(element), 1))
			if err != nil {
				return err
			}
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				p := picks.At(i)
				for e := p.From; e < p.To; e++ {
					if picks.Elements.IsNull(int(e)) {
						return fmt.Errorf("%s: the second LIST has a NULL", call.Name)
					}
				}
				choose(picks.Elements, lists.At(i), p, func(e int32) {
					if e < 0 {
						e = from[1]
					}
					b.Add(0, e)
				})
			}
			return b.Finish(all)
		}
	}, true)
}

// addShared adds the different elements of a that are among those of b, without NULL, if it can compare them.
func addShared(l *kernel.ListBuilder, a *vector.Vector, x kernel.Range, b *vector.Vector, y kernel.Range) bool {
	if a.Form != vector.Flat || b.Form != vector.Flat {
		return false
	}
	switch a.Type.Storage() {
	case vector.StoreInt64:
		addSharedOf(l, a.I64, a, x, b.I64, b, y)
	case vector.StoreString:
		addSharedOf(l, a.Str, a, x, b.Str, b, y)
	default:
		return false
	}
	return true
}

// addSharedOf is addShared for values that are equal where == says so.
func addSharedOf[T comparable](l *kernel.ListBuilder, values []T, a *vector.Vector, x kernel.Range, others []T, b *vector.Vector, y kernel.Range) {
	among := func(values []T, v *vector.Vector, r kernel.Range, want T) bool {
		for e := r.From; e < r.To; e++ {
			if values[e] == want && !v.IsNull(int(e)) {
				return true
			}
		}
		return false
	}
	for e := x.From; e < x.To; e++ {
		if !a.IsNull(int(e)) && among(others, b, y, values[e]) && !among(values, a, kernel.Range{From: x.From, To: e}, values[e]) {
			l.Add(0, e)
		}
	}
}

// spelled is elements as a flat vector in memory, if they are a dictionary of values that are compared by ==.
func spelled(v *vector.Vector, memory *kernel.Result) *vector.Vector {
	if storage := v.Type.Storage(); v.Form != vector.Dictionary || storage != vector.StoreInt64 && storage != vector.StoreString {
		return v
	}
	return kernel.FlattenRows(v, memory, nil, v.Len)
}

// fewPairs is how many pairs of elements of two ranges are compared faster than a set is made.
func fewPairs(a, b *vector.Vector, x, y kernel.Range) int64 {
	const few, each = 64, 32
	if storage := a.Type.Storage(); a.Form == vector.Flat && b.Form == vector.Flat && (storage == vector.StoreInt64 || storage == vector.StoreString) {
		return each * (int64(x.Len()) + int64(y.Len()))
	}
	return few
}

// compared reports whether some, or all, elements of b, other than NULL, are among those of a.
func compared(a *vector.Vector, x kernel.Range, b *vector.Vector, y kernel.Range, all bool) bool {
	if a.Form == vector.Flat && b.Form == vector.Flat {
		switch a.Type.Storage() {
		case vector.StoreInt64:
			return comparedIn(a.I64, a, x, b.I64, b, y, all)
		case vector.StoreString:
			return comparedIn(a.Str, a, x, b.Str, b, y, all)
		}
	}
	for e := y.From; e < y.To; e++ {
		if b.IsNull(int(e)) {
			continue
		}
		found := false
		for k := x.From; k < x.To && !found; k++ {
			found = !a.IsNull(int(k)) && vector.Compare(a, int(k), b, int(e)) == 0
		}
		if found != all {
			return found
		}
	}
	return all
}

// comparedIn is compared for values that are equal where == says so.
func comparedIn[T comparable](values []T, a *vector.Vector, x kernel.Range, others []T, b *vector.Vector, y kernel.Range, all bool) bool {
	for e := y.From; e < y.To; e++ {
		if b.IsNull(int(e)) {
			continue
		}
		found, want := false, others[e]
		for k, v := range values[x.From:x.To] {
			if v == want && !a.IsNull(int(x.From)+k) {
				found = true
				break
			}
		}
		if found != all {
			return found
		}
	}
	return all
}

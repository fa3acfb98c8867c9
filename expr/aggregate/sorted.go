package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Sorted says how the result of an aggregate follows from its rows in an order. Over moving
// frames a data structure then finds the few rows that the result needs.
type Sorted struct {
	// NotNull are the arguments that are not NULL in rows that count.
	NotNull []int
	// Ordering is the order of two rows. Of equal rows the one that came first is before.
	Ordering func(args []*vector.Vector) func(a, b int) int
	// ByValue says that this is the order of the values of the argument By, from the least on, with Desc from the greatest.
	ByValue, Desc bool
	By            int
	// Result is the result of n rows, at least one; row is the k-th of them, from 0.
	// Without rows the result is NULL.
	Result func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error)
}

// Sorted is nil if the aggregate has no such form. With DISTINCT the rows are the first
// ones of each value, whose order is that of all rows.
func (a *Call) Sorted() *Sorted {
	switch {
	case a.sorted == nil || a.distinct && len(a.args) > 1:
		return nil
	case len(a.order) == 0:
		return a.sorted
	}
	s := *a.sorted
	s.ByValue = false
	s.Ordering = func(args []*vector.Vector) func(x, y int) int {
		first := a.sorted.Ordering(args)
		return func(x, y int) int {
			if c := first(x, y); c != 0 {
				return c
			}
			for i, o := range a.order {
				if c := compareForOrder(args[len(a.args)+i], x, args[len(a.args)+i], y, o); c != 0 {
					return c
				}
			}
			return 0
		}
	}
	return &s
}

type resultOfSorted = func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error)

// collectsSorted makes the call collect its arguments, and computes the result from the
// rows in an order.
func (a *Call) collectsSorted(t vector.Type, ordering orderingOf, result resultOfSorted) {
	a.collects(t, func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		compare := ordering(cols)
		if err := expr.SortRows(rows, m.work, func(x, y int32) int { return compare(int(x), int(y)) }); err != nil {
			return vector.Scalar{}, err
		}
		return result(cols, len(rows), func(k int) int { return int(rows[k]) })
	})
	a.sortsBy(ordering, result)
}

// sortsBy says how the result follows from the rows in an order.
func (a *Call) sortsBy(ordering orderingOf, result resultOfSorted) {
	a.sorted = &Sorted{Ordering: ordering, Result: result}
	for i := range a.args {
		a.sorted.NotNull = append(a.sorted.NotNull, i)
	}
}

// collectsByValue is collectsSorted for rows in the order of the only argument: only those are
// sorted that the result asks for. What row returns is valid until the next one.
func (a *Call) collectsByValue(t vector.Type, result resultOfSorted) {
	a.sortsBy(byValue(0, false), result)
	a.sorted.ByValue = true
	value := a.args[0].Type()
	if vector.Sortable(value) {
		a.typ, a.collected = t, true
		a.state = func() State { return &sortableState{value: value, typ: t, result: result} }
		return
	}
	if value.Kind == vector.Varchar {
		a.typ, a.collected = t, true
		a.state = func() State { return &placedTexts{typ: t, result: result} }
		return
	}
	a.collectsRows(t, value.Storage() != vector.StoreNested, func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		c, release := m.chosen(rows, cols[0], m.keys)
		if c == nil {
			if err := m.sortRows(rows, cols[0]); err != nil {
				return vector.Scalar{}, err
			}
			return result(cols, len(rows), func(k int) int { return int(rows[k]) })
		}
		defer release()
		out, err := result(cols, len(rows), func(k int) int { return int(c.at(k).row) })
		if c.err != nil {
			err = c.err
		}
		return out, err
	})
	if vector.MostlySmall(value) {
		wide := a.state
		a.state = func() State {
			return &smallState{sortableState: sortableState{value: value, typ: t, result: result}, newWide: wide}
		}
	}
}

// orderingOf is the order of rows by their arguments.
type orderingOf = func(args []*vector.Vector) func(x, y int) int

// byValue is the order by an argument.
func byValue(argument int, descending bool) orderingOf {
	return func(args []*vector.Vector) func(x, y int) int {
		compare := vector.Ordering(args[argument])
		if descending {
			return func(x, y int) int { return compare(y, x) }
		}
		return compare
	}
}

// inArrival is the order in which rows come.
func inArrival([]*vector.Vector) func(x, y int) int { return func(int, int) int { return 0 } }

// edgeOf is the first argument of the first row, or of the last one.
func edgeOf(last bool) resultOfSorted {
	return func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error) {
		k := 0
		if last {
			k = n - 1
		}
		return args[0].Get(row(k)), nil
	}
}

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
	// Compare is the order of two rows. Of equal rows the one that came first is before.
	Compare func(args []*vector.Vector, a, b int) int
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
	s.Compare = func(args []*vector.Vector, x, y int) int {
		if c := a.sorted.Compare(args, x, y); c != 0 {
			return c
		}
		for i, o := range a.order {
			if c := compareForOrder(args[len(a.args)+i], x, args[len(a.args)+i], y, o); c != 0 {
				return c
			}
		}
		return 0
	}
	return &s
}

type resultOfSorted = func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error)

// collectsSorted makes the call collect its arguments, and computes the result from the
// rows in an order.
func (a *Call) collectsSorted(t vector.Type, compare func(args []*vector.Vector, x, y int) int, result resultOfSorted) {
	a.collects(t, func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		if err := expr.SortRows(rows, m.work, func(x, y int32) int { return compare(cols, int(x), int(y)) }); err != nil {
			return vector.Scalar{}, err
		}
		return result(cols, len(rows), func(k int) int { return int(rows[k]) })
	})
	a.sortsBy(compare, result)
}

// sortsBy says how the result follows from the rows in an order.
func (a *Call) sortsBy(compare func(args []*vector.Vector, x, y int) int, result resultOfSorted) {
	a.sorted = &Sorted{Compare: compare, Result: result}
	for i := range a.args {
		a.sorted.NotNull = append(a.sorted.NotNull, i)
	}
}

// collectsByValue is collectsSorted for rows in the order of the only argument: only those are
// sorted that the result asks for. What row returns is valid until the next one.
func (a *Call) collectsByValue(t vector.Type, result resultOfSorted) {
	a.sortsBy(byValue(0, false), result)
	if value := a.args[0].Type(); vector.Sortable(value) {
		a.typ, a.collected = t, true
		a.state = func() State { return &sortableState{value: value, typ: t, result: result} }
		return
	}
	a.collects(t, func(m *members, rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		c, release := m.chosen(rows, cols[0])
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
}

// byValue is the order by an argument.
func byValue(argument int, descending bool) func(args []*vector.Vector, x, y int) int {
	return func(args []*vector.Vector, x, y int) int {
		if descending {
			x, y = y, x
		}
		return vector.Compare(args[argument], x, args[argument], y)
	}
}

// inArrival is the order in which rows come.
func inArrival([]*vector.Vector, int, int) int { return 0 }

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

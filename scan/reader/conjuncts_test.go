package reader

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/vector"
)

// TestOptionalConjunct: a conjunct that removes few rows is left out for a while if it
// is optional, and only then.
func TestOptionalConjunct(t *testing.T) {
	column := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	member := expr.NewMember(column, set.NewInts(0, 100))
	for _, c := range []struct {
		optional, kept int // conjuncts that are required; rows of 100 that the last one keeps
		evaluated      int // of the first 10 * pauseBatches batches
	}{
		{2, 100, 10 * pauseBatches},
		{1, 80, 10 * pauseBatches},
		{1, 100, 9 * reorderEvery}, // reorderEvery after each pause
		{1, 95, 9 * reorderEvery},
	} {
		o, err := newConjunctOrder(t.Context(), []expr.Expr{expr.NewConst(vector.BoolScalar(true)), member}, c.optional)
		if err != nil {
			t.Fatal(err)
		}
		evaluated, required := 0, 0
		for range 10 * pauseBatches {
			for _, i := range o.Next() {
				if o.Pauses(i) {
					continue
				}
				if i == 0 {
					required++
					o.Note(0, 100, 100, 1)
					continue
				}
				evaluated++
				o.Note(1, 100, c.kept, 1)
			}
		}
		if required != 10*pauseBatches {
			t.Errorf("%+v: the required conjunct was evaluated %d times", c, required)
		}
		if evaluated > c.evaluated || evaluated < c.evaluated*9/10 {
			t.Errorf("%+v: evaluated %d times", c, evaluated)
		}
	}
}

// ending is a context that is cancelled when it was looked at some times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestLongFilterEnds: there is a look at the context for each conjunct.
func TestLongFilterEnds(t *testing.T) {
	filter := make([]expr.Expr, 1000)
	for i := range filter {
		filter[i] = expr.NewMember(expr.NewColumn(i%3, "x", vector.Of(vector.BigInt)), set.NewInts(0, 100))
	}
	each, all, err := conjunctColumns(t.Context(), filter)
	if err != nil || len(each) != len(filter) || !slices.Equal(each[5], []int{2}) || !slices.Equal(all, []int{0, 1, 2}) {
		t.Errorf("%d lists, all %v, %v", len(each), all, err)
	}
	if _, _, err := conjunctColumns(&ending{t.Context(), len(filter) - 1}, filter); !errors.Is(err, context.Canceled) {
		t.Errorf("Columns: %v", err)
	}
	if _, err := newConjunctOrder(&ending{t.Context(), len(filter) - 1}, filter, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("New: %v", err)
	}
}

// TestSafeOrder: a conjunct that may fail stays where it was written, but in row groups for whose rows it does not fail.
func TestSafeOrder(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	sum, err := expr.NewArith(expr.OpAdd, x, x)
	if err != nil {
		t.Fatal(err)
	}
	fails, err := expr.NewCompare(expr.OpEq, sum, x)
	if err != nil {
		t.Fatal(err)
	}
	o, err := newConjunctOrder(t.Context(), []expr.Expr{fails, expr.NewMember(x, set.NewInts(0, 100))}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		safe []bool
		want []int
	}{
		{nil, []int{0, 1}},
		{[]bool{true, false}, []int{1, 0}},
		{[]bool{false, false}, []int{0, 1}},
		{[]bool{true}, []int{1, 0}},
		{nil, []int{0, 1}},
	} {
		o.begin(c.safe)
		if o.Fails(0) != (len(c.safe) == 0 || !c.safe[0]) || o.Fails(1) {
			t.Errorf("%v: %v, %v", c.safe, o.Fails(0), o.Fails(1))
		}
		for range 3 * reorderEvery {
			if got := o.Next(); !slices.Equal(got, c.want) && (o.seen > reorderEvery || c.safe == nil) {
				t.Fatalf("%v: %v, want %v", c.safe, got, c.want)
			}
			o.Note(0, 100, 90, 1000)
			o.Note(1, 90, 10, 10)
		}
	}
}

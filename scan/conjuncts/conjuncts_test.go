package conjuncts

import (
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
		o := New([]expr.Expr{expr.NewConst(vector.BoolScalar(true)), member}, c.optional)
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

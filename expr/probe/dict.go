package probe

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// firstLook is how many entries of a dictionary are evaluated first: they often say that there are rows of both kinds.
const firstLook = 128

// evaluateDictionary evaluates a condition over every value that the column
// may have: the entries of its dictionary and, where rows may be NULL, NULL.
// This is exact for any expression of one column, functions included. It returns
// false if evaluation fails: perhaps no row has the entry that failed.
func evaluateDictionary(ev *expr.Evaluator, column int, s *Summary) (outcomes, bool) {
	o := outcomes(0)
	batch := &vector.Batch{Cols: make([]*vector.Vector, column+1)}
	var scratch vector.Vector
	run := func(v *vector.Vector) bool {
		batch.Len, batch.Cols[column] = v.Len, v
		result, err := ev.Eval(batch)
		if err != nil {
			return false
		}
		flat, err := result.Flatten(&scratch)
		if err != nil {
			return false
		}
		for i := 0; i < v.Len && o != anyOutcome; i++ {
			switch {
			case flat.IsNull(i):
				o |= canNull
			case flat.Bool[i]:
				o |= canTrue
			default:
				o |= canFalse
			}
		}
		return true
	}
	var part vector.Vector
	var rows []int32
	for from, n := 0, firstLook; from < s.Dict.Len; from, n = from+n, vector.BatchSize {
		rows = rows[:0]
		for i := from; i < min(s.Dict.Len, from+n); i++ {
			rows = append(rows, int32(i))
		}
		if part.Gather(s.Dict, rows) != nil || !run(&part) {
			return 0, false
		}
		if o&canTrue != 0 && o&canFalse != 0 { // some rows are kept, whatever the other entries are
			return anyOutcome | canFail, true
		}
	}
	if s.Nulls != 0 && !run(vector.NewConstant(vector.NullOf(s.Dict.Type), 1)) {
		return 0, false
	}
	return o, true
}

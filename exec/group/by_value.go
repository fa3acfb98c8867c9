package group

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// byValue is many FILTERs that compare one column with constants, as PIVOT makes them: the rows of all are found
// in one pass.
type byValue struct {
	column int
	places map[string]int32 // by the text: the place of its rows+1
	states []int            // by number of a filter: the state
	of     []int            // and its place
	rows   [][]int32        // by place
	codes  []int32          // by entry of a dictionary: as places, -1 if nobody has asked
}

// fewFilters is up to how many such FILTERs are asked one by one.
const fewFilters = 8

// newByValue takes those of the filters of texts that most have the same column, which are nil from then on; or it is nil.
func newByValue(states []statePlan) *byValue {
	counts, best := map[int]int{}, -1
	for _, s := range states {
		if column, _, ok := textFilter(s.filter); ok {
			if counts[column]++; best < 0 || counts[column] > counts[best] {
				best = column
			}
		}
	}
	if best < 0 || counts[best] <= fewFilters {
		return nil
	}
	v := &byValue{column: best, places: map[string]int32{}}
	for i, s := range states {
		column, text, ok := textFilter(s.filter)
		if !ok || column != best {
			continue
		}
		if v.places[text] == 0 {
			v.rows = append(v.rows, []int32{}) // a nil selection is all rows
			v.places[text] = int32(len(v.rows))
		}
		v.states, v.of = append(v.states, i), append(v.of, int(v.places[text])-1)
	}
	return v
}

// textFilter is the column and the constant of column = constant over texts.
func textFilter(e expr.Expr) (column int, text string, ok bool) {
	compare, ok := e.(*expr.Compare)
	if !ok || compare.Op != expr.OpEq {
		return 0, "", false
	}
	l, r := compare.L, compare.R
	if _, constant := l.(*expr.Const); constant {
		l, r = r, l
	}
	c, isColumn := l.(*expr.Column)
	k, isConstant := r.(*expr.Const)
	if !isColumn || !isConstant || k.Value.Null || c.T.Kind != vector.Varchar || k.Value.Type.Kind != vector.Varchar {
		return 0, "", false
	}
	return c.Index, k.Value.Str, true
}

// find finds the rows of all filters.
func (v *byValue) find(b *vector.Batch) {
	for i, rows := range v.rows {
		v.rows[i] = rows[:0]
	}
	column := b.Cols[v.column]
	stored, entries := column, 0 // that several rows have
	switch column.Form {
	case vector.Constant:
		entries = 1
	case vector.Dictionary:
		if stored = column.Dict; stored.Len <= b.Len {
			entries = stored.Len
		}
	}
	v.codes = vector.Resize(v.codes, entries)
	for i := range v.codes {
		v.codes[i] = -1
	}
	nulls := column.MayHaveNulls()
	for i := range b.Rows() {
		row := b.Row(i)
		if nulls && column.IsNull(row) {
			continue
		}
		at := row
		switch column.Form {
		case vector.Constant:
			at = 0
		case vector.Dictionary:
			at = int(column.Codes[row])
		}
		place := v.placeAt(stored, at, entries > 0)
		if place > 0 {
			v.rows[place-1] = append(v.rows[place-1], int32(row))
		}
	}
}

// placeAt is the place+1 of a text, 0 if no filter has it; codes are asked first.
func (v *byValue) placeAt(stored *vector.Vector, at int, codes bool) int32 {
	if codes && v.codes[at] >= 0 {
		return v.codes[at]
	}
	place := v.places[stored.Str[at]]
	if codes {
		v.codes[at] = place
	}
	return place
}

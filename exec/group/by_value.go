package group

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// byValue is many FILTERs that compare one column with constants, as PIVOT makes them: the rows of all are found
// in one pass.
type byValue struct {
	column int
	places map[string]int // of rows, by the text
	states []int          // by number of a filter: the state
	of     []int          // and its place
	rows   [][]int32      // by place
	codes  []int32        // by entry of a dictionary: the place+1, 0 for none, -1 if nobody has asked
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
	v := &byValue{column: best, places: map[string]int{}}
	for i, s := range states {
		column, text, ok := textFilter(s.filter)
		if !ok || column != best {
			continue
		}
		place, known := v.places[text]
		if !known {
			place = len(v.rows)
			v.places[text] = place
			v.rows = append(v.rows, []int32{}) // a nil selection is all rows
		}
		v.states, v.of = append(v.states, i), append(v.of, place)
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
	values := column
	switch column.Form {
	case vector.Dictionary:
		values = column.Dict
		v.codes = vector.Resize(v.codes, values.Len)
		for i := range v.codes {
			v.codes[i] = -1
		}
	case vector.Constant:
		if column.IsNull(0) {
			return
		}
		if place, ok := v.places[column.Str[0]]; ok {
			for i := range b.Rows() {
				v.rows[place] = append(v.rows[place], int32(b.Row(i)))
			}
		}
		return
	}
	nulls := column.MayHaveNulls()
	for i := range b.Rows() {
		row := b.Row(i)
		if nulls && column.IsNull(row) {
			continue
		}
		if column.Form != vector.Dictionary {
			if place, ok := v.places[values.Str[row]]; ok {
				v.rows[place] = append(v.rows[place], int32(row))
			}
			continue
		}
		code := column.Codes[row]
		at := v.codes[code]
		if at < 0 {
			at = 0
			if place, ok := v.places[values.Str[code]]; ok {
				at = int32(place) + 1
			}
			v.codes[code] = at
		}
		if at > 0 {
			v.rows[at-1] = append(v.rows[at-1], int32(row))
		}
	}
}

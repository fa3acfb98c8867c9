package scope

import "github.com/parquetsql/parquetsql/internal/fold"

// folded has the places of columns by their names without regard to case: SELECT * of
// 40,000 columns looks for each of them. It is made when it is first needed, and again
// where columns were added.
type folded struct {
	places map[string][]int
	n      int // columns in places
}

// of returns the places of the columns whose names differ from name only in case.
func (f *folded) of(columns []Column, name string) []int {
	if f.n != len(columns) || f.places == nil {
		f.places, f.n = make(map[string][]int, len(columns)), len(columns)
		for i := range columns {
			key := fold.Name(columns[i].Name)
			f.places[key] = append(f.places[key], i)
		}
	}
	return f.places[fold.Name(name)]
}

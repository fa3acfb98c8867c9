package scope

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// NamesError is an alias t(a, b) with more names than the table has columns.
type NamesError struct {
	Table          string
	Columns, Names int
}

func (e *NamesError) Error() string {
	return fmt.Sprintf("%s has %s, but its alias names %d", e.Table, errs.Count(e.Columns, "column"), e.Names)
}

// Rename gives the visible columns the names of t(a, b).
func (s *Source) Rename(names []string) error {
	s.folded = folded{}
	i := 0
	for j := range s.Columns {
		if i < len(names) && !s.Columns[j].Hidden {
			s.Columns[j].Name = names[i]
			i++
		}
	}
	if i < len(names) {
		return &NamesError{s.Label(), i, len(names)}
	}
	return nil
}

// Distinct gives the columns of a query the names of an alias t(a, b); the rest keep
// theirs. A name that occurs twice gets a number, as in DuckDB: a, a_1.
func Distinct(table string, columns logical.Columns, names []string) ([]Column, error) {
	if len(names) > len(columns) {
		return nil, &NamesError{table, len(columns), len(names)}
	}
	out := make([]Column, len(columns))
	next := map[string]int{} // by name in lower case: the number that its next column tries
	for i, c := range columns {
		if i < len(names) {
			c.Name = names[i]
		}
		name := c.Name
		for n := next[strings.ToLower(name)]; ; n++ {
			if n > 0 {
				c.Name = name + "_" + strconv.Itoa(n)
			}
			if lower := strings.ToLower(c.Name); next[lower] == 0 {
				next[lower] = 1
				next[strings.ToLower(name)] = n + 1
				break
			}
		}
		out[i].Column = c
	}
	return out, nil
}

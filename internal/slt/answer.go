package slt

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// answer is the rows of a query as text.
type answer struct {
	letters []byte
	nulls   []bool // by column: each value is NULL
	rows    [][]string
}

// answerOf runs a record's SQL. The rows of a statement are read and dropped.
func answerOf(ctx context.Context, e Engine, r *record) (answer, error) {
	rows, err := e.DB.QueryContext(ctx, r.sql)
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return answer{}, err
	}
	out := answer{nulls: make([]bool, len(types))}
	for i, c := range types {
		out.letters, out.nulls[i] = append(out.letters, letter(c)), true
	}
	values, targets := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return answer{}, err
		}
		row := make([]string, len(values))
		for i, v := range values {
			out.nulls[i] = out.nulls[i] && v == nil
			if row[i], err = e.valueText(v, types[i]); err != nil {
				return answer{}, err
			}
		}
		out.rows = append(out.rows, row)
	}
	return out, rows.Err()
}

// valueText checks a value and gives its text.
func (e Engine) valueText(v any, c *sql.ColumnType) (string, error) {
	if e.CheckValue != nil {
		if err := e.CheckValue(v, c); err != nil {
			return "", err
		}
	}
	if e.Text != nil && v != nil {
		if s, ok := e.Text(v, c); ok {
			return visible(s), nil
		}
	}
	return text(v, c), nil
}

// checkTypes compares the columns with a query's letters.
func (a answer) checkTypes(letters string) error {
	if len(a.letters) != len(letters) {
		return fmt.Errorf("%d columns, the query has %d letters", len(a.letters), len(letters))
	}
	for i, c := range a.letters {
		if c != letters[i] && !a.nulls[i] {
			return fmt.Errorf("column %d is of type %c, want %c", i+1, c, letters[i])
		}
	}
	return nil
}

// sorted gives the rows in a sort mode; with valuesort they have one value each.
func (a answer) sorted(mode string) [][]string {
	out := slices.Clone(a.rows)
	switch mode {
	case rowSort:
		slices.SortFunc(out, slices.Compare[[]string])
	case valueSort:
		values := slices.Concat(a.rows...)
		slices.Sort(values)
		out = slices.Collect(slices.Chunk(values, 1))
	}
	return out
}

// lines are the rows as a script has them.
func (a answer) lines(r *record) []string {
	var out []string
	for _, row := range a.sorted(r.sort) {
		out = append(out, strings.Join(row, "\t"))
	}
	return out
}

package answer

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	limit     = regexp.MustCompile(`(?is)\s+LIMIT\s+\d+(\s+OFFSET\s+\d+)?\s*$`)
	direction = regexp.MustCompile(`(?i)(\s+(ASC|DESC))?(\s+NULLS\s+(FIRST|LAST))?$`)
)

// Check runs a query on both and says what is wrong with our answer: its rows, or their
// order where the query sorts by its columns. Ties under ORDER BY may fall either way, so
// a query with LIMIT is compared without it, whole; the limited answer must be part of
// the whole, with the values that DuckDB has in the columns of ORDER BY. An error is
// DuckDB's.
func Check(ctx context.Context, ours, duck *sql.DB, text string) (problem string, err error) {
	whole := limit.ReplaceAllString(text, "")
	want, err := Read(ctx, duck, whole)
	if err != nil {
		return "", err
	}
	got, err := Read(ctx, ours, whole)
	if err != nil {
		return err.Error(), nil
	}
	if d := Difference(got, want); d != "" {
		return d, nil
	}
	order := sortColumns(whole, want.Columns)
	if !Same(got, want, order) {
		return "the rows are right, their order is wrong", nil
	}
	if whole == text {
		return "", nil
	}
	if want, err = Read(ctx, duck, text); err != nil {
		return "", err
	}
	part, err := Read(ctx, ours, text)
	if err != nil {
		return err.Error(), nil
	}
	if !Same(part, want, order) {
		return fmt.Sprintf("with LIMIT, %d rows; want %d, or others", len(part.Rows), len(want.Rows)), nil
	}
	lines := got.lines()
	for _, line := range part.lines() {
		if _, ok := slices.BinarySearch(lines, line); !ok {
			return "with LIMIT, this row is not one of the whole answer: " + line, nil
		}
	}
	return "", nil
}

// sortColumns are the positions of the columns that the query sorts by, up to the
// first sort expression that is not one of its columns: the rows of two answers agree
// there in their order, whatever the ties.
func sortColumns(text string, columns []string) []int {
	at := strings.LastIndex(strings.ToUpper(text), "ORDER BY")
	if at < 0 || strings.Count(text[at:], "(") < strings.Count(text[at:], ")") {
		return nil // none, or the one of a subquery
	}
	var positions []int
	for _, item := range strings.Split(text[at+len("ORDER BY"):], ",") {
		name := direction.ReplaceAllString(strings.TrimSpace(item), "")
		name = name[strings.LastIndex(name, ".")+1:]
		i := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(c, name) })
		if i < 0 {
			break
		}
		positions = append(positions, i)
	}
	return positions
}

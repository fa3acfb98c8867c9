package tpc

import (
	"regexp"
	"slices"
	"strings"
)

var (
	limit     = regexp.MustCompile(`(?is)\s+LIMIT\s+\d+\s*$`)
	direction = regexp.MustCompile(`(?i)(\s+(ASC|DESC))?(\s+NULLS\s+(FIRST|LAST))?$`)
)

// WithoutLimit is the query without its last LIMIT. Ties under ORDER BY may fall
// either way at a limit, so the whole answer is compared too.
func WithoutLimit(text string) string { return limit.ReplaceAllString(text, "") }

// SortColumns are the positions of the columns that the query sorts by, up to the
// first sort expression that is not one of its columns: the rows of two answers agree
// there in their order, whatever the ties.
func SortColumns(text string, columns []string) []int {
	text = WithoutLimit(text)
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

package desugar

import (
	"maps"
	"slices"
)

// ViewNames are the names of all views.
func ViewNames() []string {
	return slices.Concat(slices.Collect(maps.Keys(queries)), slices.Collect(maps.Keys(empty)))
}

// ViewQuery is the query of a view.
func ViewQuery(name string) string { return queries[name] }

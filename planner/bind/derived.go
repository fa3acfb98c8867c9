package bind

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// derived binds a query in FROM.
func (b *binder) derived(d *ast.Derived, outer *typer) (logical.Node, *scope, error) {
	node, err := b.query(d.Query, outer)
	if err != nil {
		return nil, nil, err
	}
	src := &source{alias: d.Alias}
	if d.Alias == "" {
		src.alias = "unnamed_subquery" // as DuckDB names it
	}
	src.columns, err = named(src.alias, node.Columns(), d.Columns)
	return node, &scope{sources: []*source{src}}, err
}

// named gives the columns of a query the names of an alias t(a, b); the rest keep
// theirs. A name that occurs twice gets a number, as in DuckDB: a, a_1.
func named(table string, columns logical.Columns, names []string) ([]scopeColumn, error) {
	if len(names) > len(columns) {
		return nil, fmt.Errorf("parquet: %s has %d columns, but its alias names %d", table, len(columns), len(names))
	}
	out := make([]scopeColumn, len(columns))
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

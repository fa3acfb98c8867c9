package nestedtest

import (
	"bytes"
	"cmp"
	"math/big"
	"strings"
	"time"
)

// column is a column: its name in SQL, and the way to its value in a record or element.
type column struct {
	path []string
	n    *node
	get  func(v any) any
}

// sql names the column of the table with the alias.
func (c column) sql(alias string) string {
	return alias + ".`" + strings.Join(c.path, "`.`") + "`"
}

// columnsOf returns the columns of a struct, those of structs within it flattened, and
// apart from them the structs.
func columnsOf(n *node, path []string, get func(any) any) (columns, groups []column) {
	for i, c := range n.children {
		at := column{append(append([]string{}, path...), c.name), c, func(v any) any {
			if s := get(v); s != nil {
				return s.([]any)[i]
			}
			return nil
		}}
		if c.kind != structure {
			columns = append(columns, at)
			continue
		}
		inner, innerGroups := columnsOf(c, at.path, at.get)
		columns, groups = append(columns, inner...), append(append(groups, at), innerGroups...)
	}
	return columns, groups
}

func itself(v any) any { return v }

// elementColumns are the columns of a list or map as a table.
func elementColumns(n *node) []column {
	if n.kind == mapping {
		columns, _ := columnsOf(&node{kind: structure, children: n.children}, nil, itself)
		return columns
	}
	e := n.children[0]
	if e.kind != structure {
		return []column{{[]string{"item"}, e, itself}}
	}
	columns, _ := columnsOf(e, nil, itself)
	return columns
}

// step is a table of the elements of a column of an earlier table.
type step struct {
	parent int
	column
	outer bool
}

// tuple is a row of several tables: the record or element of each, and its position in
// the list. Both are nil where an outer join found none.
type tuple struct {
	values, pos []any
}

// join returns the rows of the steps, or nil where they are more than most.
func join(records [][]any, steps []step, most int) []tuple {
	var rows []tuple
	for _, r := range records {
		rows = append(rows, tuple{values: []any{[]any(r)}, pos: []any{nil}})
	}
	for _, s := range steps {
		var next []tuple
		for _, r := range rows {
			elements, _ := s.get(r.values[s.parent]).([]any)
			if len(elements) == 0 && s.outer {
				next = append(next, r.with(nil, nil))
			}
			for i, e := range elements {
				next = append(next, r.with(e, int64(i)))
			}
			if len(next) > most {
				return nil
			}
		}
		rows = next
	}
	if rows == nil {
		rows = []tuple{}
	}
	return rows
}

func (r tuple) with(value, pos any) tuple {
	return tuple{append(append([]any{}, r.values...), value), append(append([]any{}, r.pos...), pos)}
}

// compare orders two values of a scalar as SQL does, NaN above all numbers.
func compare(a, b any) int {
	switch a := a.(type) {
	case bool:
		if a == b.(bool) {
			return 0
		} else if a {
			return 1
		}
		return -1
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case float32:
		return -cmp.Compare(-a, -b.(float32)) // cmp orders NaN first
	case float64:
		return -cmp.Compare(-a, -b.(float64))
	case *big.Int:
		return a.Cmp(b.(*big.Int))
	case string:
		return bytes.Compare([]byte(a), []byte(b.(string)))
	}
	panic("not a scalar")
}

// argument is a scalar as an argument of a query.
func argument(n *node, v any) any {
	switch n.kind {
	case date:
		return time.Unix(v.(int64)*86400, 0).UTC()
	case timestamp:
		return moment(v.(int64), n.unit)
	case binary, fixed:
		return []byte(v.(string))
	case clock, decimal, uuidText:
		return plain(n, v)
	}
	return v
}

// holds reports whether a condition is TRUE.
func holds(v any, op string, sought any) bool {
	switch op {
	case "IS NULL":
		return v == nil
	case "IS NOT NULL":
		return v != nil
	}
	if v == nil {
		return false
	}
	c := compare(v, sought)
	switch op {
	case "=":
		return c == 0
	case "<>":
		return c != 0
	case "<":
		return c < 0
	}
	return c >= 0
}

package planner

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
)

// nestedOrders is a table with all kinds of lists. It is not read.
func nestedOrders() *catalog.Table {
	of := vector.Of
	list := func(t vector.Type) vector.Type {
		return vector.ListOf(vector.Field{Name: "element", Type: t, Nullable: true})
	}
	point := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "x", Type: of(vector.BigInt)}, {Name: "y", Type: of(vector.BigInt)}}}
	item := vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "sku", Type: of(vector.Varchar)}, {Name: "price", Type: of(vector.BigInt)}, {Name: "at", Type: point}, {Name: "parts", Type: list(of(vector.BigInt))},
	}}
	return &catalog.Table{Table: scan.Table{Name: "t", Columns: []scan.Column{
		{Name: "id", Type: of(vector.BigInt)}, {Name: "items", Type: list(item)}, {Name: "grid", Type: list(list(of(vector.Double)))},
		{Name: "m", Type: vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: of(vector.Varchar)}, {Name: "value", Type: of(vector.BigInt)}}}},
		{Name: "vs", Type: list(of(vector.Variant))},
	}}}
}

// TestUnnestedConditions: which conditions a scan learns, and about which elements.
func TestUnnestedConditions(t *testing.T) {
	for _, c := range []struct{ from, told, inner string }{
		{"t, t.items i WHERE i.price > 5", "items.price > 5", "1 $[*].price"},
		{"t, t.items i WHERE i.price > 5 AND t.id = 1 AND i.price < 9 AND i.at.y = t.id",
			"items.price > 5 AND items.price < 9 AND items.at.y = id", "1 $[*].price, 1 $[*].at.y"},
		{"t, t.items i WHERE t.id = 1", "", ""},
		{"t, t.items i WHERE t.id = 1 OR i.sku LIKE 'a%'", "id = 1 OR items.sku LIKE 'a%'", "1 $[*].sku"},
		{"t, t.items i, i.parts p WHERE p.item = 3 AND i.price = 1", "items.price = 1 AND items.parts.item = 3", "1 $[*].price, 1 $[*].parts[*]"},
		{"t, t.grid g, g.item x WHERE x.item > 0", "grid.item.item > 0.0", "2 $[*][*]"},
		{"t, t.m e WHERE e.key = 'a' AND e.value > 1", "m.key = 'a' AND m.value > 1", "3 $[key], 3 $[value]"},
		{"t JOIN t.items i ON i.price > 5 AND t.id > 1", "items.price > 5 AND id > 1", "1 $[*].price"},
		// One list twice: its elements in a row are two values, not one.
		{"t, t.items a, t.items b WHERE a.price < b.price AND a.sku = 'x' AND b.price > 1",
			"items.sku = 'x' AND items.price < items.price AND items.price > 1", "1 $[*].sku, 1 $[*].price, 1 $[*].price"},
		{"t, t.grid g, g.item x, g.item y WHERE x.item <> y.item", "grid.item.item <> grid.item.item", "2 $[*][*], 2 $[*][*]"},
		// LEFT JOIN: WHERE, which is asked of the row with NULLs too, but not ON.
		{"t LEFT JOIN t.items i ON i.price > 5 WHERE i.price < 9", "items.price < 9", "1 $[*].price"},
		{"t LEFT JOIN t.items i WHERE i.price IS NULL", "items.price IS NULL", "1 $[*].price"},
		{"t JOIN t.items i ON i.price > 5 LEFT JOIN i.parts p ON p.item > 1", "items.price > 5", "1 $[*].price"},
		// Values without statistics.
		{"t, t.items i WHERE i.pos = 0 AND i.pos < i.price", "", ""},
		{"t, t.items i WHERE CARDINALITY(i.parts) > 1", "", ""},
		{"t, t.vs e WHERE e.item IS NULL", "", ""},
	} {
		got := scanOf(t, "SELECT COUNT(*) FROM "+c.from)
		var told, inner []string
		for _, e := range got.Unnested {
			told = append(told, e.String())
		}
		for _, i := range got.Inner {
			inner = append(inner, fmt.Sprint(i.Column, " ", i.Path))
		}
		if strings.Join(told, " AND ") != c.told || strings.Join(inner, ", ") != c.inner {
			t.Errorf("%s:\n told %q of %q\n want %q of %q", c.from, told, inner, c.told, c.inner)
		}
	}
}

// scanOf is the one scan of a query's plan.
func scanOf(t *testing.T, query string) *logical.Scan {
	t.Helper()
	s, err := Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.run(context.Background(), &Session{Pruning: scan.AllPruners}, memory{"t": nestedOrders()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.plan(s.tree.(*ast.Query))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	for {
		if s, ok := n.(*logical.Scan); ok {
			return s
		}
		n = n.Inputs()[0]
	}
}

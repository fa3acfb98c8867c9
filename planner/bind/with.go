package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// maxCopies is how much of a query WITH may repeat, in names and expressions bound,
// before its entries are computed once whatever else speaks for repeating them.
const maxCopies = 2000

// cte is an entry of WITH that names of tables may mean. It is computed once, by a
// With node, or bound again in each place that names it.
type cte struct {
	def    *ast.CTE
	next   *cte // the entries before it and those of the queries around
	outer  *typer
	first  logical.Node  // the entry as bound; used in the first place that names it
	shared *logical.With // nil: bound again
	step   *recursion    // while a recursive entry is bound; else nil
}

// with binds a query with WITH.
func (b *binder) with(q *ast.Query, outer *typer) (logical.Node, error) {
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if err := b.entries(q.With, outer); err != nil {
		return nil, err
	}
	return b.body(q, outer)
}

// entries binds the entries of a WITH, each in view of those before it.
func (b *binder) entries(defs []ast.CTE, outer *typer) error {
	seen := map[string]bool{}
	for i := range defs {
		name := strings.ToLower(defs[i].Name)
		if seen[name] {
			return fmt.Errorf("WITH has two entries named %q", defs[i].Name)
		}
		seen[name] = true
		c, err := b.define(&defs[i], outer)
		if err != nil {
			return err
		}
		b.ctes = c
	}
	return nil
}

// define binds an entry. One that nothing uses is not looked at, as in DuckDB.
func (b *binder) define(def *ast.CTE, outer *typer) (*cte, error) {
	c := &cte{def: def, next: b.ctes, outer: outer}
	uses := b.uses[def].Other
	if uses == 0 {
		return c, nil
	}
	before := b.bound + b.tables
	var err error
	if c.first, err = b.entryQuery(def, outer); err == nil {
		_, err = scope.Distinct(def.Name, c.first.Columns(), def.Columns)
	}
	if err != nil {
		return nil, aboutNames(def, err)
	}
	size := b.bound + b.tables - before
	if outer != nil && !logical.Free(c.first).Empty() {
		return c, nil // it depends on a row of the query around
	}
	share := def.Materialized == ast.MaterializedYes
	share = share || def.Materialized == ast.MaterializedAuto && uses > 1 && !cheap(c.first)
	if share || uses > 1 && uses*size > maxCopies {
		c.shared = &logical.With{ID: b.ids.NewCommon(), Name: def.Name, Def: c.first}
		b.shared = append(b.shared, c.shared)
	}
	return c, nil
}

// cheap reports whether rows should be computed anew for each use: they are read from
// one table, where the conditions of each use can skip rows, and columns are not read.
func cheap(n logical.Node) bool {
	for _, e := range n.Exprs() {
		if expr.IsVolatile(e) {
			return false
		}
	}
	switch n := n.(type) {
	case *logical.Scan, *logical.Values, *logical.OneRow:
		return true
	case *logical.Filter, *logical.Project:
		return cheap(n.Inputs()[0])
	}
	return false
}

// entry finds an entry of WITH by the name of a table.
func (b *binder) entry(name string) *cte {
	for c := b.ctes; c != nil; c = c.next {
		if strings.EqualFold(c.def.Name, name) {
			return c
		}
	}
	return nil
}

// use binds a place in FROM that names an entry of WITH.
func (b *binder) use(c *cte, t *ast.TableName) (logical.Node, *scope.Scope, error) {
	node := c.first
	switch {
	case c.step != nil:
		var err error
		if node, err = c.step.previous(b.ids); err != nil {
			return nil, nil, err
		}
	case c.shared != nil:
		node = logical.NewReuse(b.ids, c.shared.ID, c.def.Name, c.first.Columns())
	case node != nil:
		c.first = nil
	default:
		saved := b.ctes
		b.ctes = c.next
		var err error
		node, err = b.entryQuery(c.def, c.outer)
		b.ctes = saved
		if err != nil {
			return nil, nil, err
		}
	}
	src := &scope.Source{Alias: t.Alias}
	if t.Alias == "" {
		src.Alias = c.def.Name
	}
	var err error
	if src.Columns, err = scope.Distinct(c.def.Name, node.Columns(), c.def.Columns); err != nil {
		return nil, nil, err
	}
	return node, &scope.Scope{Sources: []*scope.Source{src}}, src.Rename(t.Columns)
}

// withShared puts the entries of WITH that were bound since there were n above a plan
// that uses them.
func (b *binder) withShared(body logical.Node, n int) logical.Node {
	for len(b.shared) > n {
		w := *b.shared[len(b.shared)-1]
		b.shared = b.shared[:len(b.shared)-1]
		var used logical.Set
		if logical.Uses(body, w.ID, &used); !used.Empty() {
			w.Body = body
			body = &w
		}
	}
	return body
}

// Package bind gives the tree of a query its meaning: names become columns,
// literals and arguments become typed constants, calls are checked, and the
// clauses become the steps of package logical in the order in which SQL
// evaluates them:
//
//	FROM → WHERE → GROUP BY and aggregates → HAVING → select list
//	     → DISTINCT → ORDER BY → LIMIT
//
// Names are looked up as DuckDB does it:
//
//	WHERE, HAVING, select list   columns of FROM first, then aliases
//	GROUP BY                     columns of FROM first, then aliases, positions
//	ORDER BY                     output names first, then as the select list; positions
//
// Binding happens at each execution: arguments have their types by then.
package bind

import (
	"context"
	"fmt"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Catalog finds tables. A name that stands for nothing is an
// *errs.NotFoundError.
type Catalog interface {
	Table(ctx context.Context, name string) (logical.Table, error)
}

// Env is what a query is bound in.
type Env struct {
	Catalog Catalog
	Arg     func(p *ast.Param) (vector.Scalar, error)
	Now     time.Time // what all clock functions of the query answer
	Version string    // VERSION()
}

// What one query may become once its aliases are put in: aliases that use
// aliases twice each grow without bound.
const (
	maxNodes   = 4_000_000
	maxAliases = 10_000
)

// binder is the state of one query.
type binder struct {
	ctx     context.Context
	env     *Env
	nodes   int
	aliases int
}

// Query binds a query. Its columns may still be nested; see Rendered.
func Query(ctx context.Context, env *Env, q *ast.Query) (logical.Node, error) {
	b := &binder{ctx: ctx, env: env}
	return b.query(q)
}

// Rendered is the node with nested and BSON columns as JSON text, which is how
// results leave the engine.
func Rendered(n logical.Node) logical.Node {
	in := n.Schema()
	exprs := make([]expr.Expr, len(in))
	out := make(vector.Schema, len(in))
	changed := false
	for i, c := range in {
		x := column(i, c)
		exprs[i], out[i] = expr.NewRender(x), c
		out[i].Type = exprs[i].Type()
		changed = changed || exprs[i] != expr.Expr(x)
	}
	if !changed {
		return n
	}
	return &logical.Project{In: n, Exprs: exprs, Output: out}
}

func column(i int, c vector.Column) *expr.Column { return expr.NewColumn(i, c.Name, c.Type) }

// query binds a query expression.
func (b *binder) query(q *ast.Query) (logical.Node, error) {
	if len(q.With) > 0 {
		return nil, errs.Unsupported("WITH")
	}
	switch body := q.Body.(type) {
	case *ast.Select:
		return b.selectNode(q, body)
	case *ast.Query:
		if q.OrderBy == nil && q.Limit == nil && q.Offset == nil {
			return b.query(body)
		}
		return nil, errs.Unsupported("ORDER BY and LIMIT after a query in parentheses")
	case *ast.SetOp:
		return nil, errs.Unsupported("%s", [...]string{ast.Union: "UNION", ast.Intersect: "INTERSECT", ast.Except: "EXCEPT"}[body.Kind])
	case *ast.Values:
		return nil, errs.Unsupported("VALUES")
	}
	return nil, errs.Unsupported("%T", q.Body)
}

// grow counts an expression that is bound, and looks now and then whether
// anybody still waits.
func (b *binder) grow() error {
	b.nodes++
	if b.nodes > maxNodes || b.aliases > maxAliases {
		return fmt.Errorf("parquet: the query has too many expressions once its aliases are put in")
	}
	if b.nodes%1024 == 0 {
		return b.ctx.Err()
	}
	return nil
}

// Table finds a table by the parts of its name, as FROM does.
func Table(ctx context.Context, env *Env, parts []string) (logical.Table, error) {
	b := &binder{ctx: ctx, env: env}
	t, _, err := b.find(parts)
	return t, err
}

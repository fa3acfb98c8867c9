// Package bind turns the tree of a query into a plan: names become columns,
// literals and arguments become typed constants, calls are checked, and the
// clauses become the steps of package logical in the order in which SQL
// evaluates them:
//
//	FROM → WHERE → GROUP BY and aggregates → HAVING → select list
//	     → DISTINCT → ORDER BY → LIMIT
//
// Names are looked up in the order of DuckDB:
//
//	WHERE, HAVING, select list   columns of FROM first, then aliases
//	GROUP BY                     columns of FROM first, then aliases, positions
//	ORDER BY                     output names first, then as the select list; positions
//
// and last in the queries around a subquery, from the innermost outwards. A column
// found there is an outer column: no input of the subquery produces it
// (logical.Free). A subquery is bound by binder.query with the typer of the clause
// that contains it.
//
// Aliases are expressions of the select list that other clauses share; see stage.
//
// A query is bound at each execution, when the types of its arguments are known.
//
// Files:
//
//	bind.go body.go select.go values.go with.go recursive.go subquery.go quantified.go listed.go derived.go  a query and its blocks
//	narrow.go                                        files that partition columns rule out
//	from.go version.go join.go on.go asof.go files.go querytext.go unnest.go outer_element.go sample.go  FROM
//	generate.go series.go histogram.go               range(), generate_series, UNNEST and histogram in FROM
//	expr.go call.go lambda.go slice.go predicate.go size.go window.go window_parts.go aggregate.go key_field.go about.go  expressions
//	literal.go literal_among.go literal_texts.go literal_types.go            literals
//	param.go                                         placeholders, and the types that they take on
//	postgres.go                                      what sessions of PostgreSQL mean otherwise
//	row.go rowwise.go collate.go                     rows (a, b), collations
//	stage.go steps.go having.go order.go limit.go    clauses, and what is computed below them
//	grouping.go sets.go                              GROUP BY: ROLLUP, CUBE, GROUPING SETS
//	setop.go setop_rows.go setop_recursive.go        UNION, INTERSECT, EXCEPT
//	star.go stars.go stars_expand.go                 *, t.*, COLUMNS
//	pivot.go pivot_query.go unpivot.go unpivot_rows.go  PIVOT, UNPIVOT
//	listing.go listing_rows.go listing_functions.go listing_settings.go listing_summarize.go listing_tables.go  SHOW, DESCRIBE, SUMMARIZE
package bind

import (
	"context"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Catalog finds tables. If no table has the name, the error is an
// *errs.NotFoundError.
type Catalog interface {
	Table(ctx context.Context, name string) (logical.Table, error)
	// TableNames lists the tables, sorted.
	TableNames(ctx context.Context) ([]string, error)
	// Files is the files of some paths and globs below the location as one table. hive is
	// "on", "off" or "auto", or "" for what the location says.
	Files(ctx context.Context, paths []string, hive string) (logical.Table, error)
}

// Env is the environment of a query.
type Env struct {
	Catalog Catalog
	Arg     func(p *ast.Param) (vector.Scalar, error)
	// Typed is told the type that a placeholder takes on from what it stands beside, where that is
	// clear; nil: nobody asks.
	Typed   func(p *ast.Param, t vector.Type)
	Now     time.Time // the result of all clock functions of the query
	Version string    // VERSION()

	// PostgreSQL says that x ~ pattern finds the pattern within x, as it does there. Elsewhere it
	// matches all of x, as in DuckDB. And the alias of generate_series(…) n is its column's, too.
	PostgreSQL bool

	User, Database string // CURRENT_USER and CURRENT_DATABASE(); empty: parquet
	// Setting, unless nil, has the values of settings that differ from the driver's.
	Setting func(name string) (value string, ok bool)

	// Strings runs a query of one text column while another is bound, as PIVOT needs for the
	// names of its columns; nil: there is no such query.
	Strings func(ctx context.Context, q *ast.Query) ([]string, error)
	// View is the query that a name stands for which is no table; nil: it stands for none.
	// No View at all: no name does.
	View func(parts []string) *ast.Query
	// Parse reads a query that is in a string; nil: there may be none.
	Parse func(ctx context.Context, text string) (*ast.Query, error)
}

// binder is the state of one query.
type binder struct {
	ctx    context.Context
	env    *Env
	ids    *logical.IDs
	bound  int               // nodes of syntax trees bound so far
	tables int               // tables and their columns bound so far
	ticker quota.Ticker      // of operations, see spend
	sizes  map[expr.Expr]int // see size

	ctes   *cte // the entries of WITH that FROM may name
	uses   map[*ast.CTE]ast.Uses
	shared []*logical.With // entries computed once, without Body, in the order of their definition

	subqueries int                               // bound so far
	texts      map[*ast.TableFunction]*ast.Query // queries in strings
	within     int                               // queries of other texts that are being bound

	instead logical.Table // what the next table of FROM is, see narrowed; nil: what its name says
}

func newBinder(ctx context.Context, env *Env) *binder {
	return &binder{ctx: ctx, env: env, ticker: quota.NewTicker(ctx, quota.NodesPerLook), ids: &logical.IDs{}, sizes: map[expr.Expr]int{}, texts: map[*ast.TableFunction]*ast.Query{}}
}

// Query binds a query. Its columns may still be nested; see logical.Query.Rendered.
func Query(ctx context.Context, env *Env, q *ast.Query) (logical.Query, error) {
	b := newBinder(ctx, env)
	b.uses = ast.CountUses(q, b.called)
	n, err := b.query(q, nil)
	if err != nil {
		return logical.Query{}, err
	}
	return logical.Query{Root: b.withShared(n, 0), IDs: b.ids}, nil
}

// Listing is the query of the rows of a statement that lists: SHOW, DESCRIBE, SUMMARIZE.
func Listing(s ast.Statement) *ast.Query {
	all := &ast.Select{Items: []ast.Item{{Expr: &ast.Star{}}}, From: &ast.Listing{Statement: s}}
	return &ast.Query{Body: all}
}

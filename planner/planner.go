// Package planner turns SQL into operators: it parses text into a tree (dialect),
// resolves names and types (bind), rewrites the plan to read and compute less
// (rewrite), decides how to run it (physical/choose), and makes the operators that
// produce batches (operators).
//
//	text ──dialect──▶ ast ──bind──▶ logical ──rewrite──▶ logical ──choose──▶ physical ──operators──▶ exec
//	                                                                            └──▶ explain
//
// A Statement is parsed once and bound at each execution, because its
// placeholders take their types from the arguments and its tables may have
// changed in between.
//
// Where to begin: a new node, such as a join, in package logical; a new rule in
// package rewrite; a new operator in exec, with its node in package physical; new
// syntax in package dialect and its meaning in package bind. The comment of each
// package says how.
package planner

import (
	"context"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/desugar"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/scan/system"
	"github.com/parquetsql/parquetsql/vector"
)

// Session is the environment of an execution.
type Session struct {
	Snapshot *catalog.Snapshot // its tables know how to read themselves
	Limits   Limits
	Now      func() time.Time // nil: time.Now
	Version  string           // the result of VERSION()

	// The results of functions about the session; empty: those of the driver itself.
	User, Database string
	// Setting, unless nil, has the values of settings that differ from the driver's.
	Setting func(name string) (value string, ok bool)

	// PostgreSQL says that operators mean what they do there: see bind.Env.
	PostgreSQL bool

	// Nested says that values of nested types, and of BSON, leave as they are and not as JSON text.
	Nested bool
}

// Limits is the resources that one query may use.
type Limits = operators.Limits

// Arg is the value of a placeholder.
type Arg struct {
	Name    string // for :name, without the colon
	Ordinal int    // from 1
	Value   vector.Scalar
	Types   []string // to which the value is cast, one after another
}

// Statement is a parsed statement. It is immutable and may be executed by
// several goroutines.
type Statement struct {
	text   string
	tree   ast.Statement
	params dialect.Params
}

// Parse reads one statement. It returns an *errs.SyntaxError if the text is not a
// statement, and an error that wraps errs.ErrReadOnly if the statement would write.
func Parse(ctx context.Context, text string) (*Statement, error) {
	tree, params, err := dialect.Parse(ctx, text)
	if err != nil {
		return nil, errs.InText(err, text)
	}
	return &Statement{text: text, tree: tree, params: params}, nil
}

// Text is the statement as it was given to Parse.
func (s *Statement) Text() string { return s.text }

// NumInput is the number of arguments that the statement takes; -1 if they are
// named.
func (s *Statement) NumInput() int {
	if s.params.Names != nil {
		return -1
	}
	return s.params.Count
}

// Result is a running statement. Root's Close ends it and frees all it holds.
type Result struct{ Root *operators.Plan }

// Query executes the statement. ctx bounds the whole execution, not only the call.
func (s *Statement) Query(ctx context.Context, se *Session, args []Arg) (Result, error) {
	s, err := s.forArguments(ctx, args)
	if err != nil {
		return Result{}, err
	}
	r, err := s.run(ctx, se, tables{se.Snapshot}, args)
	if err != nil {
		return Result{}, err
	}
	result, err := r.result(s.tree)
	if err != nil {
		return result, errs.InText(err, s.text)
	}
	result.Root.OnError(func(err error) error { return errs.InText(err, s.text) })
	return result, nil
}

func (s *Statement) run(ctx context.Context, se *Session, shown bind.Catalog, args []Arg) (*run, error) {
	arg, err := s.arguments(ctx, args)
	if err != nil {
		return nil, errs.InText(err, s.text)
	}
	return s.bindWith(ctx, se, shown, arg), nil
}

// bindWith makes an execution with the given values of placeholders.
func (s *Statement) bindWith(ctx context.Context, se *Session, shown bind.Catalog, arg func(*ast.Param) (vector.Scalar, error)) *run {
	env := &bind.Env{Catalog: shown, Arg: arg, Version: se.Version, Now: time.Now(), View: view, Parse: queryText,
		User: se.User, Database: se.Database, Setting: se.Setting, PostgreSQL: se.PostgreSQL}
	if se.Now != nil {
		env.Now = se.Now()
	}
	if env.Version == "" {
		env.Version = "parquetsql"
	}
	session := *se
	session.Limits.Statement = len(s.text)
	r := &run{ctx: ctx, session: &session, env: env}
	env.Strings = r.strings
	return r
}

// view is the query of a table of a catalog that tools look into.
func view(parts []string) *ast.Query {
	text, ok := desugar.View(parts)
	if !ok {
		return nil
	}
	s, _, err := dialect.Parse(context.Background(), desugar.WithSystemColumn(parts, text))
	if err != nil {
		return nil // a test reads them all
	}
	q, _ := s.(*ast.Query)
	return q
}

// queryText is the query of a string in a statement.
func queryText(ctx context.Context, text string) (*ast.Query, error) {
	s, params, err := dialect.Parse(ctx, text)
	if err != nil {
		return nil, errs.InText(err, text)
	}
	q, ok := s.(*ast.Query)
	if !ok {
		return nil, errs.Unsupported("a statement in query that is no SELECT")
	}
	if params.Count > 0 || params.Names != nil {
		return nil, errs.Unsupported("placeholders in the text of query")
	}
	return q, nil
}

// result executes. A panic becomes an error, as it does later in the operators:
// a driver must not crash its program.
func (r *run) result(s ast.Statement) (result Result, err error) {
	defer errs.Recover(&err)
	root, err := r.statement(s)
	return Result{root}, err
}

// run is one execution.
type run struct {
	ctx     context.Context
	session *Session
	env     *bind.Env
}

func (r *run) statement(s ast.Statement) (*operators.Plan, error) {
	switch s := s.(type) {
	case *ast.Query:
		n, err := r.plan(s)
		if err != nil {
			return nil, err
		}
		return r.start(n)
	case *ast.Explain:
		return r.explain(s)
	case *ast.Show, *ast.Describe, *ast.Summarize, *ast.Set:
		return r.statement(bind.Listing(s))
	}
	return nil, errs.Unsupported("%T", s)
}

// strings runs a query of one text column.
func (r *run) strings(ctx context.Context, q *ast.Query) ([]string, error) {
	n, err := r.plan(q)
	if err != nil {
		return nil, err
	}
	p, err := r.start(n)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out []string
	for {
		b, err := p.Next(ctx)
		if b == nil || err != nil {
			return out, err
		}
		for i := range b.Rows() {
			out = append(out, strings.Clone(b.Cols[0].Get(b.Row(i)).Str))
		}
	}
}

// plan is a query's plan; its results are in the form that leaves the engine.
func (r *run) plan(q *ast.Query) (logical.Node, error) {
	plan, err := r.rewritten(q)
	return plan.Root, err
}

// rewritten is plan with what else is known of the query.
func (r *run) rewritten(q *ast.Query) (logical.Query, error) {
	bound, err := bind.Query(r.ctx, r.env, q)
	if err != nil {
		return bound, err
	}
	if !r.session.Nested {
		bound = bound.Rendered()
	}
	bound.Statistics = tableStatistics(r.ctx)
	bound.SkipsDamage = r.session.Snapshot != nil && r.session.Snapshot.SkipsDamage()
	bound.MemoryLimit = r.session.Limits.MemoryLimit
	return rewrite.Apply(r.ctx, bound)
}

// tableStatistics looks at each table once.
func tableStatistics(ctx context.Context) func(logical.Table) scan.Statistics {
	known := map[logical.Table]scan.Statistics{}
	return func(t logical.Table) scan.Statistics {
		s, looked := known[t]
		if !looked {
			if source, ok := t.(scan.Source); ok {
				s = source.Statistics(ctx)
			}
			known[t] = s
		}
		return s
	}
}

// choose decides how to run a plan within the limits of the session.
func (r *run) choose(n logical.Node) (*physical.Plan, error) {
	l := r.session.Limits
	return choose.Plan(n, choose.Resources{Workers: l.Parallelism, PageRoom: l.PageRoom()})
}

func (r *run) start(n logical.Node) (*operators.Plan, error) {
	p, err := r.choose(n)
	if err != nil {
		return nil, err
	}
	return operators.Build(r.ctx, p, r.session.Limits, nil)
}

// tables is the tables of a snapshot, for the binder.
type tables struct{ snapshot *catalog.Snapshot }

// Table implements bind.Catalog.
func (c tables) Table(ctx context.Context, name string) (logical.Table, error) {
	return system.Table(ctx, c.snapshot, name)
}

// TableAt implements bind.Versions.
func (c tables) TableAt(ctx context.Context, name string, version *int64, ref string, at *time.Time) (logical.Table, error) {
	t, err := c.snapshot.TableAt(ctx, name, version, ref, at)
	if err != nil {
		return nil, err
	}
	return reader.Files{Set: t}, nil
}

// TableNames implements bind.Catalog.
func (c tables) TableNames(ctx context.Context) ([]string, error) { return c.snapshot.TableNames(ctx) }

// SchemaNames implements bind.Schemas.
func (c tables) SchemaNames(ctx context.Context) (out []string, err error) {
	schemas, err := c.snapshot.Schemas(ctx)
	for _, s := range schemas {
		out = append(out, s.Text)
	}
	return out, err
}

// TablesOf implements bind.Schemas.
func (c tables) TablesOf(ctx context.Context, schema string) (out []string, err error) {
	found, err := c.snapshot.SchemaNamed(schema)
	if err != nil {
		return nil, err
	}
	tables, err := c.snapshot.TablesIn(ctx, found)
	for _, t := range tables {
		out = append(out, t.Full)
	}
	return out, err
}

// LeftOut says what bind lists as SHOW WARNINGS.
func (c tables) LeftOut(ctx context.Context) (string, error) { return c.snapshot.LeftOut(ctx) }

// Files implements bind.Catalog.
func (c tables) Files(ctx context.Context, paths []string, hive string) (logical.Table, error) {
	t, err := c.snapshot.Files(ctx, paths, hive)
	if err != nil {
		return nil, err
	}
	return reader.Files{Set: t}, nil
}

// Listed implements bind.Lister.
func (c tables) Listed(ctx context.Context, name string) (bind.Listed, error) {
	if system.Named(name) {
		return nil, nil
	}
	return listed(c.snapshot.Listed(ctx, name))
}

// ListedFiles implements bind.Lister.
func (c tables) ListedFiles(ctx context.Context, paths []string, hive string) (bind.Listed, error) {
	return listed(c.snapshot.ListedFiles(ctx, paths, hive))
}

// listed is nil, and not a nil pointer, where nothing is known.
func listed(l *catalog.Listed, err error) (bind.Listed, error) {
	if l == nil || err != nil {
		return nil, err
	}
	return listedFiles{l}, nil
}

// listedFiles implements bind.Listed.
type listedFiles struct{ *catalog.Listed }

// Some implements bind.Listed.
func (l listedFiles) Some(ctx context.Context, keep []bool) (bind.Listed, error) {
	return listed(l.Listed.Some(ctx, keep))
}

// Table implements bind.Listed.
func (l listedFiles) Table(ctx context.Context) (logical.Table, error) {
	t, err := l.Listed.Table(ctx)
	if t == nil || err != nil {
		return nil, err
	}
	return reader.Files{Set: t}, nil
}

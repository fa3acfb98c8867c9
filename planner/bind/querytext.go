package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// maxTexts is how many queries in strings a query may have, within each other too.
const maxTexts = 100

// called is the query that a table function stands for, as far as it can be known before the
// names around it are; else nil.
func (b *binder) called(f *ast.TableFunction) *ast.Query {
	var q *ast.Query
	var err error
	switch name := strings.ToLower(f.Name); {
	case name == "query":
		q, err = b.parsedText(f, nil)
	case isHistogram(name):
		q, err = histogramValues(f)
	default:
		q, err = desugar.TableFunction(f)
	}
	if err != nil {
		return nil // binding says so where the function is used
	}
	return q
}

// parsedText is the query in the text of query('SELECT …'), which is parsed once: entries of
// its WITH are known by their place in the tree.
func (b *binder) parsedText(f *ast.TableFunction, outer *typer) (*ast.Query, error) {
	if q := b.texts[f]; q != nil {
		return q, nil
	}
	if len(f.Args) != 1 || len(f.Options) > 0 || ast.HasSubquery(f.Args[0]) {
		return nil, fmt.Errorf("query takes the text of a query")
	}
	t := typer{b: b, scope: &scope.Scope{}, clause: "the arguments of query", outer: outer}
	x, err := t.bind(f.Args[0])
	if err != nil {
		return nil, err
	}
	texts, ok := textLiterals(x)
	if !ok || len(texts) != 1 {
		return nil, fmt.Errorf("query takes the text of a query, not %s", x)
	}
	if len(b.texts) >= maxTexts || b.env.Parse == nil {
		return nil, errs.Unsupported("more than %d calls of the table function query", maxTexts)
	}
	q, err := b.env.Parse(b.ctx, texts[0])
	if err != nil {
		return nil, errs.Within("the text of query", err)
	}
	b.texts[f] = q
	return q, nil
}

// queryText binds query('SELECT …').
func (b *binder) queryText(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	q, err := b.parsedText(f, outer)
	if err != nil {
		return nil, nil, err
	}
	d := &ast.Derived{Span: f.Span, Query: q, Alias: f.Alias, Columns: f.Columns}
	if d.Alias == "" {
		d.Alias = f.Name
	}
	node, sc, err := b.elsewhere(d, outer)
	return node, sc, errs.Within("the text of query", err)
}

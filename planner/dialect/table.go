package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// qualifiedFunction reads a table function behind the name of a schema. Where that is PostgreSQL's, the
// alias of a function of one column is the column's name too.
func (b *block) qualifiedFunction(first int, schema string) ast.TableExpr {
	t := b.tableFunction(first)
	f, ok := t.(*ast.TableFunction)
	if !ok || !strings.EqualFold(schema, "pg_catalog") || f.Alias == "" || f.Columns != nil || f.Ordinality {
		return t
	}
	switch strings.ToLower(f.Name) {
	case "generate_series", "unnest":
		f.Columns = []string{f.Alias}
	}
	return t
}

// tableFunction reads f(…) [WITH ORDINALITY] with its alias.
func (b *block) tableFunction(first int) ast.TableExpr {
	p := b.p
	f := &ast.TableFunction{Name: p.advance().text}
	p.need("(")
	for p.err == nil && !p.isOp(")") {
		b.tableArgument(f)
		if !p.op(",") {
			break
		}
	}
	p.need(")")
	f.Ordinality = p.words("WITH", "ORDINALITY")
	f.Alias, f.Columns = p.tableAlias()
	f.Span = p.span(first)
	return f
}

// tableArgument reads one argument, or an option by its name.
func (b *block) tableArgument(f *ast.TableFunction) {
	p := b.p
	set := func(e ast.Expr) { f.Args = append(f.Args, e) }
	if next := p.ahead(1); p.cur().name() && (next.op("=") || next.op(":=") || next.op("=>")) {
		at := len(f.Options)
		o := ast.Option{Span: ast.Span{Pos: p.cur().pos}, Name: p.advance().text}
		p.advance()
		f.Options = append(f.Options, o)
		set = func(e ast.Expr) { f.Options[at].Value, f.Options[at].End = e, e.Stop() }
	}
	b.slot(inItems, set)
}

// prefixAlias reads alias: before a table or an expression, as in DuckDB. Before a table it
// may be a string.
func (p *parser) prefixAlias(table bool) string {
	if t := p.cur(); (t.name() || table && t.kind == tString) && p.ahead(1).op(":") {
		alias := p.advance().text
		p.advance()
		return alias
	}
	return ""
}

// aliased gives a table the alias that is written before it.
func aliased(t ast.TableExpr, alias string) ast.TableExpr {
	switch t := t.(type) {
	case *ast.TableName:
		t.Alias = alias
	case *ast.Derived:
		t.Alias = alias
	case *ast.TableFunction:
		t.Alias = alias
	case *ast.Listing:
		t.Alias = alias
	}
	return t
}

// listing reads (DESCRIBE …), (SHOW …) and (SUMMARIZE …) as a table; nil if the
// parenthesis begins something else.
func (p *parser) listing() *ast.Listing {
	switch t := p.ahead(1); t.upper {
	case "DESCRIBE", "DESC", "SHOW", "SUMMARIZE":
		if next := p.ahead(2); next.op(",") || next.op(")") || next.op(".") || next.word("AS") || next.word("JOIN") {
			return nil // a table of this name
		}
	default:
		return nil
	}
	p.advance()
	l := &ast.Listing{Statement: p.one()}
	p.need(")")
	return l
}

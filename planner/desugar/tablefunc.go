package desugar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// names are the functions that have a query, for messages.
const names = "repeat, repeat_row, glob, query_table, parquet_metadata, parquet_schema, parquet_file_metadata, parquet_kv_metadata, parquet_full_metadata, pragma_table_info, pragma_show and pragma_version"

// TableFunction is what a call stands for; nil if the function is not known here.
func TableFunction(f *ast.TableFunction) (*ast.Query, error) {
	b := builder{f}
	switch name := strings.ToLower(f.Name); {
	case Generates(name):
		return nil, nil
	case f.Ordinality:
		return b.numbered(), nil
	default:
		return b.plain(name)
	}
}

// Generates reports whether a function, by its lower-case name, makes its rows of its arguments and
// numbers them itself. It has no query.
func Generates(name string) bool {
	switch name {
	case "unnest", "range", "generate_series", "json_each", "json_tree":
		return true
	}
	return false
}

// plain is what a call without WITH ORDINALITY stands for.
func (b builder) plain(name string) (*ast.Query, error) {
	switch name {
	case "repeat":
		return b.repeat()
	case "repeat_row":
		return b.repeatRow()
	case "glob":
		return b.named(func(pattern string) *ast.Query {
			return b.selectFrom(b.table(pattern+"$glob"), b.item(b.column("file"), "file"))
		})
	case "query_table":
		return b.queryTable()
	case "parquet_metadata", "parquet_schema", "parquet_file_metadata", "parquet_kv_metadata":
		return b.each(func(path string) *ast.Query { return b.selectFrom(b.table(path+"$"+name), b.star()) })
	case "parquet_full_metadata":
		return b.each(b.fullMetadata)
	case "pragma_table_info":
		return b.named(b.tableInfo)
	case "pragma_show":
		return b.named(func(name string) *ast.Query { return b.selectFrom(b.described(name), b.star()) })
	case "pragma_version":
		return b.version()
	}
	return nil, nil
}

// builder makes the parts of a query, all at the place of the call.
type builder struct{ f *ast.TableFunction }

// numbered is f(…) WITH ORDINALITY: the rows of f and their numbers, in their order.
func (b builder) numbered() *ast.Query {
	f := *b.f
	f.Ordinality, f.Alias, f.Columns = false, "", nil
	number := &ast.Call{Span: b.f.Span, Name: "row_number", Over: &ast.Window{}}
	return b.selectFrom(&f, b.star(), b.item(number, "ordinality"))
}

// repeat is REPEAT(x, n): n rows with x.
func (b builder) repeat() (*ast.Query, error) {
	f := b.f
	if len(f.Args) != 2 || len(f.Options) > 0 {
		return nil, fmt.Errorf("repeat takes a value and how often it is repeated")
	}
	name := "repeat"
	if l, ok := f.Args[0].(*ast.Literal); ok && l.Text != "" {
		name = l.Text
	}
	return b.selectFrom(b.rows(f.Args[1]), b.item(f.Args[0], name)), nil
}

// repeatRow is REPEAT_ROW(a, b, num_rows = n): n rows with a and b.
func (b builder) repeatRow() (*ast.Query, error) {
	f := b.f
	if len(f.Args) == 0 || len(f.Options) != 1 || !strings.EqualFold(f.Options[0].Name, "num_rows") {
		return nil, fmt.Errorf("repeat_row takes values and the option num_rows")
	}
	var items []ast.Item
	for i, x := range f.Args {
		items = append(items, b.item(x, "column"+strconv.Itoa(i)))
	}
	return b.selectFrom(b.rows(f.Options[0].Value), items...), nil
}

// queryTable is QUERY_TABLE('t') and QUERY_TABLE(['t', 'u'], by_name).
func (b builder) queryTable() (*ast.Query, error) {
	f, byName := *b.f, false
	if len(f.Args) == 2 {
		l, ok := f.Args[1].(*ast.Literal)
		if !ok || l.Kind != ast.True && l.Kind != ast.False {
			return nil, fmt.Errorf("query_table takes TRUE or FALSE after the names: whether columns are united by their names")
		}
		byName, f.Args = l.Kind == ast.True, f.Args[:1]
	}
	of := builder{&f}
	return of.united(byName, func(name string) *ast.Query { return of.selectFrom(of.table(name), of.star()) })
}

// each is the query of a function whose only argument is a name or a list of names.
func (b builder) each(of func(name string) *ast.Query) (*ast.Query, error) {
	return b.united(false, of)
}

// united is each of several names, one after another.
func (b builder) united(byName bool, of func(name string) *ast.Query) (*ast.Query, error) {
	if len(b.f.Args) != 1 {
		return b.named(of)
	}
	list, ok := b.f.Args[0].(*ast.Call)
	if !ok || !strings.EqualFold(list.Name, "list_value") || len(list.Args) == 0 || len(b.f.Options) > 0 {
		return b.named(of)
	}
	var all ast.Body
	for _, x := range list.Args {
		one := builder{&ast.TableFunction{Span: b.f.Span, Name: b.f.Name, Args: []ast.Expr{x}}}
		q, err := one.named(of)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = q
		} else {
			all = &ast.SetOp{Span: b.f.Span, Kind: ast.Union, All: true, ByName: byName, L: all, R: q}
		}
	}
	return &ast.Query{Span: b.f.Span, Body: all}, nil
}

// named is the query of a function whose only argument is a string: the name of a table.
func (b builder) named(of func(name string) *ast.Query) (*ast.Query, error) {
	if len(b.f.Args) == 1 && len(b.f.Options) == 0 {
		switch x := b.f.Args[0].(type) {
		case *ast.Literal:
			if x.Kind == ast.String {
				return of(x.Text), nil
			}
		case *ast.Ident:
			return of(strings.Join(x.Parts, ".")), nil
		}
	}
	return nil, fmt.Errorf("%s takes a string, which names what it reads", b.f.Name)
}

// fullMetadata is a row for each file: what the functions of its columns' names have of it.
func (b builder) fullMetadata(path string) *ast.Query {
	path = "'" + strings.ReplaceAll(path, "'", "''") + "'"
	var items, from strings.Builder
	for i, of := range []string{"parquet_file_metadata", "parquet_metadata", "parquet_schema", "parquet_kv_metadata"} {
		part := "(SELECT file_name, LIST(f) AS part FROM " + of + "(" + path + ") AS f GROUP BY file_name) AS f" + strconv.Itoa(i)
		if i == 0 {
			from.WriteString(part)
		} else {
			items.WriteString(", ")
			from.WriteString(" LEFT JOIN " + part + " USING (file_name)")
		}
		items.WriteString("COALESCE(f" + strconv.Itoa(i) + ".part, []) AS " + of)
	}
	text := "SELECT " + items.String() + " FROM " + from.String() + " ORDER BY file_name"
	query := &ast.TableFunction{Span: b.f.Span, Name: "query", Args: []ast.Expr{&ast.Literal{Span: b.f.Span, Kind: ast.String, Text: text}}}
	return b.selectFrom(query, b.star())
}

// tableInfo is PRAGMA_TABLE_INFO('t'): DESCRIBE t as SQLite shows it.
func (b builder) tableInfo(name string) *ast.Query {
	one := &ast.Literal{Span: b.f.Span, Kind: ast.Integer, Text: "1"}
	no := &ast.Literal{Span: b.f.Span, Kind: ast.String, Text: "NO"}
	number := &ast.Call{Span: b.f.Span, Name: "row_number", Over: &ast.Window{}}
	text := ast.TypeName{Span: b.f.Span, Name: "VARCHAR"}
	return b.selectFrom(b.described(name),
		b.item(b.binary(ast.Sub, number, one), "cid"),
		b.item(b.column("column_name"), "name"),
		b.item(b.column("column_type"), "type"),
		b.item(b.binary(ast.Eq, b.column("null"), no), "notnull"),
		b.item(&ast.Cast{Span: b.f.Span, X: &ast.Literal{Span: b.f.Span, Kind: ast.Null}, Type: text}, "dflt_value"),
		b.item(&ast.Literal{Span: b.f.Span, Kind: ast.False}, "pk"))
}

// version is PRAGMA_VERSION().
func (b builder) version() (*ast.Query, error) {
	if len(b.f.Args)+len(b.f.Options) > 0 {
		return nil, fmt.Errorf("%s takes no arguments", b.f.Name)
	}
	version := b.item(&ast.Call{Span: b.f.Span, Name: "version"}, "library_version")
	return b.selectFrom(nil, version), nil
}

func (b builder) selectFrom(from ast.TableExpr, items ...ast.Item) *ast.Query {
	return &ast.Query{Span: b.f.Span, Body: &ast.Select{Span: b.f.Span, Items: items, From: from}}
}

// rows is RANGE(n).
func (b builder) rows(n ast.Expr) ast.TableExpr {
	return &ast.TableFunction{Span: b.f.Span, Name: "range", Args: []ast.Expr{n}}
}

func (b builder) table(name string) ast.TableExpr {
	return &ast.TableName{Span: b.f.Span, Parts: []string{name}}
}

// described is (DESCRIBE name).
func (b builder) described(name string) ast.TableExpr {
	t := &ast.TableName{Span: b.f.Span, Parts: []string{name}}
	return &ast.Listing{Span: b.f.Span, Statement: &ast.Describe{Table: t}}
}

func (b builder) star() ast.Item { return ast.Item{Expr: &ast.Star{Span: b.f.Span}} }

func (b builder) item(e ast.Expr, name string) ast.Item { return ast.Item{Expr: e, Alias: name} }

func (b builder) column(name string) ast.Expr {
	return &ast.Ident{Span: b.f.Span, Parts: []string{name}}
}

func (b builder) binary(op ast.Op, l, r ast.Expr) ast.Expr {
	return &ast.Binary{Span: b.f.Span, Op: op, L: l, R: r, At: b.f.Pos}
}

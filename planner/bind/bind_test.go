package bind_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

type fakeCatalog map[string]*scan.Table

func (fakeCatalog) TableNames(context.Context) ([]string, error) { return nil, nil }

func (c fakeCatalog) Files(ctx context.Context, paths []string, _ string) (logical.Table, error) {
	return c.Table(ctx, paths[0])
}

func (c fakeCatalog) Table(_ context.Context, name string) (logical.Table, error) {
	if t, ok := c[name]; ok {
		return t, nil
	}
	return nil, &errs.NotFoundError{Kind: "table", Name: name}
}

func testCatalog() fakeCatalog {
	of := vector.Of
	item := vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "sku", Type: of(vector.Varchar)}, {Name: "price", Type: of(vector.Double), Nullable: true},
	}}
	return fakeCatalog{"t": {Name: "t", Columns: []scan.Column{
		{Name: "a", Type: of(vector.BigInt)},
		{Name: "b", Type: of(vector.Varchar), Nullable: true},
		{Name: "c", Type: of(vector.Double), Nullable: true},
		{Name: "d", Type: of(vector.Date), Nullable: true},
		{Name: "odd name", Type: of(vector.Integer), Nullable: true},
		{Name: "g.x", Type: of(vector.BigInt), Nullable: true},
		{Name: "items", Type: vector.ListOf(vector.Field{Name: "item", Type: item, Nullable: true}), Nullable: true},
		{Name: "_file", Type: of(vector.Varchar), Hidden: true},
		{Name: "g", Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "x", Type: of(vector.BigInt)}}}, Hidden: true},
	}}, "u": {Name: "u", Columns: []scan.Column{
		{Name: "a", Type: of(vector.Integer), Nullable: true},
		{Name: "e", Type: of(vector.Varchar)},
		{Name: "_file", Type: of(vector.Varchar), Hidden: true},
	}}}
}

func bindSQL(sql string, args ...vector.Scalar) (logical.Node, error) {
	return bindContext(context.Background(), sql, args...)
}

func bindContext(ctx context.Context, sql string, args ...vector.Scalar) (logical.Node, error) {
	tree, _, err := dialect.Parse(ctx, sql)
	if err != nil {
		return nil, err
	}
	env := &bind.Env{Catalog: testCatalog(), Now: time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC), Version: "test"}
	env.Arg = func(p *ast.Param) (vector.Scalar, error) { return args[p.Ordinal-1], nil }
	q, err := bind.Query(ctx, env, tree.(*ast.Query))
	return q.Root, err
}

// dump writes a plan on one line, the top first.
func dump(n logical.Node) string {
	exprs := func(list []expr.Expr) string {
		var out []string
		for _, e := range list {
			out = append(out, e.String())
		}
		return strings.Join(out, ", ")
	}
	keys := func(keys []expr.SortKey) string {
		var out []string
		for _, k := range keys {
			s := k.Expr.String()
			if k.Desc {
				s += " DESC"
			}
			if k.NullsFirst {
				s += " NULLS FIRST"
			}
			out = append(out, s)
		}
		return strings.Join(out, ", ")
	}
	var s string
	switch n := n.(type) {
	case *logical.Scan:
		return "Scan"
	case *logical.OneRow:
		return "OneRow"
	case *logical.Filter:
		s = "Filter " + exprs(n.Conjuncts)
	case *logical.Project:
		s = "Project " + exprs(n.Exprs())
	case *logical.Aggregate:
		var groups []expr.Expr
		for _, g := range n.Groups {
			groups = append(groups, g.Expr)
		}
		var aggs []string
		for _, a := range n.Aggs {
			aggs = append(aggs, a.Call.String())
		}
		s = "Aggregate " + exprs(groups) + ": " + strings.Join(aggs, ", ")
	case *logical.Sort:
		s = "Sort " + keys(n.Keys)
	case *logical.Limit:
		s = fmt.Sprintf("Limit %d+%d", n.Offset, n.Limit)
	case *logical.Unnest:
		s = fmt.Sprintf("Unnest %s outer=%v", n.List.Name, n.Outer)
	case *logical.Join:
		s = n.Kind.String() + " Join " + exprs(n.On)
	case *logical.Apply:
		s = n.Kind.String() + " Apply " + exprs(n.On)
	case *logical.AsOfJoin:
		s = fmt.Sprintf("ASOF %s Join %s, %s %s %s", n.Kind, exprs(n.On), n.Left, n.Op, n.Right)
	case *logical.PositionalJoin:
		s = "POSITIONAL Join"
	case *logical.Window:
		s = fmt.Sprintf("Window %d", len(n.Calls))
	case *logical.Recursive:
		s = "Recursive " + n.Name
	case *logical.With:
		s = "With " + n.Name
	case *logical.Reuse:
		return "Reuse " + n.Name
	case *logical.Union:
		s = "Union"
	case *logical.Values:
		return "Values"
	}
	if in := n.Inputs(); len(in) > 1 {
		for i := range in {
			s += " (" + dump(in[i]) + ")"
		}
		return s
	}
	return s + " | " + dump(n.Inputs()[0])
}

func columnNames(s logical.Columns) string {
	var out []string
	for _, c := range s {
		out = append(out, c.Name)
	}
	return strings.Join(out, ",")
}

func TestPlans(t *testing.T) {
	for _, c := range []struct{ sql, names, plan string }{
		{"SELECT a, T.B, g.x, t.g.x FROM t", "a,b,g.x,g.x", "Project a, b, g.x, g.x | Scan"},
		{"SELECT main.t.a, parquet.main.t.a FROM parquet.main.t", "a,a", "Project a, a | Scan"},
		{"SELECT * FROM t AS x", "a,b,c,d,odd name,g.x,items", ""},
		{"SELECT x.*, _file FROM t x", "a,b,c,d,odd name,g.x,items,_file", ""},
		{"SELECT a  +  1, (a), COUNT(*) OVERALL FROM t GROUP BY a", "a  +  1,a,OVERALL", ""},
		{"SELECT p.k FROM t p(k)", "k", "Project k | Scan"},
		{"SELECT a FROM t WHERE a > 1 AND b = 'x'", "a", "Project a | Filter a > 1, b = 'x' | Scan"},
		{"SELECT a * 2 AS z, z + 1 AS w FROM t WHERE z > 4", "z,w", "Project a * 2, (a * 2) + 1 | Filter (a * 2) > 4 | Scan"},
		// GROUP BY: columns before aliases; ORDER BY: aliases before columns.
		{"SELECT b AS a, COUNT(*) FROM t GROUP BY a, b", "a,COUNT(*)", "Project b, COUNT(*) | Aggregate a, b: COUNT(*) | Scan"},
		{"SELECT c AS a FROM t ORDER BY a", "a", "Sort a | Project c | Scan"},
		{"SELECT c AS a FROM t ORDER BY t.a", "a", "Project a | Sort a | Project c, a | Scan"},
		{"SELECT b FROM t ORDER BY a DESC NULLS FIRST, 1, 'x' LIMIT 3 OFFSET 2", "b",
			"Project b | Limit 2+3 | Sort a DESC NULLS FIRST, b | Project b, a | Scan"},
		{"SELECT a + 1 AS k, SUM(c) FROM t GROUP BY k HAVING COUNT(*) > 2 ORDER BY SUM(c), COUNT(*)", "k,SUM(c)",
			"Project k, SUM(c) | Sort SUM(c), COUNT(*) | Project (a + 1), SUM(c), COUNT(*) | Filter COUNT(*) > 2 | Aggregate a + 1: SUM(c), COUNT(*) | Scan"},
		{"SELECT a + 1, (a + 1) * 2 FROM t GROUP BY 1", "a + 1,(a + 1) * 2", "Project (a + 1), (a + 1) * 2 | Aggregate a + 1:  | Scan"},
		{"SELECT COUNT(*), count(*), MAX(a) + COUNT(*) FROM t", "COUNT(*),count(*),MAX(a) + COUNT(*)",
			"Project COUNT(*), COUNT(*), MAX(a) + COUNT(*) | Aggregate : COUNT(*), MAX(a) | Scan"},
		{"SELECT SUM(a) FILTER (WHERE b = 'x'), COUNT(DISTINCT b) FROM t", "SUM(a) FILTER (WHERE b = 'x'),COUNT(DISTINCT b)", ""},
		{"SELECT DISTINCT b, a FROM t ORDER BY a", "b,a", "Sort a | Aggregate b, a:  | Project b, a | Scan"},
		{"SELECT 1, NULL, 'x' 'y' FROM t HAVING COUNT(*) > 0", "1,NULL,y", ""},
		{"SELECT 1 LIMIT ?", "1", "Limit 0+7 | Project 1 | OneRow"},
		{"SELECT a FROM t HAVING a > 1", "", ""},
		{"SELECT t.a, i.sku, i.price FROM t, t.items i WHERE i.price > t.a", "a,sku,price", ""},
		{"SELECT * FROM t x LEFT JOIN x.items i", "a,b,c,d,odd name,g.x,items,sku,price", ""},
		{"SELECT pos, sku FROM t JOIN t.items", "pos,sku", ""},
	} {
		n, err := bindSQL(c.sql, vector.IntScalar(7))
		if c.names == "" {
			if err == nil {
				t.Errorf("%s: no error", c.sql)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := columnNames(n.Columns()); got != c.names {
			t.Errorf("%s\n got names %s\nwant       %s", c.sql, got, c.names)
		}
		if got := dump(n); c.plan != "" && got != c.plan {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.plan)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT x FROM t WHERE itms = 1", `no such column: "itms" (there is items`},
		{"SELECT zzz FROM t", `no such column: "zzz"`},
		{"SELECT u.a FROM t", `no such column: "u.a" (there is t.a)`},
		{"SELECT x.b FROM t x, t y WHERE z.b = 1", `no such column: "z.b" (there is x.b, y.b)`},
		{"SELECT summ(a) FROM t", `no such function: "summ" (there is SUM`},
		{"SELECT current_timestamp(3) FROM t", "CURRENT_TIMESTAMP does not take 1 argument;"},
		{"SELECT to_date(d) FROM t", "the function TO_DATE: STRPTIME"},
		{"SELECT CAST(a AS INTT) FROM t", "type INTT (there is INT"},
		{"SELECT t.odd FROM t", `odd name`},
		{"SELECT 1 FROM nothing", `no such table: "nothing"`},
		{"SELECT u.* FROM t", `no such table: "u"`},
		{"SELECT nofunction(a) FROM t", `no such function: "nofunction"`},
		{"SELECT a, COUNT(*) FROM t", `"a" must be in GROUP BY`},
		{"SELECT * FROM t GROUP BY a", `"b", from *, must be in GROUP BY`},
		{"SELECT a + 1 FROM t GROUP BY a + 2", `"a" must be in GROUP BY`},
		{"SELECT a FROM t WHERE SUM(a) > 1", "SUM is not allowed in WHERE"},
		{"SELECT SUM(a) AS s FROM t WHERE s > 1", "SUM is not allowed in WHERE"},
		{"SELECT SUM(MAX(a)) FROM t", "MAX is not allowed in an aggregate's argument"},
		{"SELECT COUNT(*) FROM t GROUP BY COUNT(*)", "COUNT is not allowed in GROUP BY"},
		{"SELECT a FROM t ORDER BY 3", "ORDER BY 3: the select list has 1 column"},
		{"SELECT a FROM t GROUP BY 0", "GROUP BY 0"},
		{"SELECT u.a, t.a FROM t, u ORDER BY a", "ambiguous"},
		{"SELECT a FROM t LIMIT -1", "LIMIT cannot be negative"},
		{"SELECT a FROM t LIMIT a", "column"},
		{"SELECT * ", "* needs a FROM"},
		{"SELECT SUM(*) FROM t", "only COUNT takes *"},
		{"SELECT lower(DISTINCT b) FROM t", "LOWER is not an aggregate"},
		{"SELECT a FROM t WHERE d", "WHERE needs a condition, not DATE"},
		{"SELECT a FROM t, t.b x", "not a repeated field"},
		{"SELECT a FROM t, t.itms x", `no such table: "t.itms" (there is t.items`},
		{"SELECT INTERVAL 'x' DAY", "not a number"},
		{"SELECT x.a FROM t x, t.items i", `no such table: "t.items"`},
		{"SELECT (SELECT 1, 2)", "a subquery returns 2 columns where 1 must be"},
		{"SELECT (1, 2) IN (SELECT 1)", "a subquery returns 1 columns where 2 must be"},
		{"SELECT 1 IN (SELECT 1, 2)", "a subquery returns 2 columns where 1 must be"},
		{"SELECT (1, 2) = (SELECT 1)", "a subquery returns 1 columns where 2 must be"},
		{"SELECT (1, 2) = 1", "a row of 2 values is compared with a single value"},
		{"SELECT (1, 2) = (1, 2, 3)", "a row of 3 values is compared with one of 2"},
		{"SELECT 1 = ANY (1)", "ANY takes a list or a query, not BIGINT"},
		{"SELECT (SELECT u.z FROM t x) FROM t", `no such column: "u.z"`},
		{"SELECT (SELECT MAX(c) FROM t x WHERE x.a = t.a) FROM t GROUP BY b", `"t.a" must be in GROUP BY`},
		{"SELECT 1 FROM t WHERE (SELECT SUM(t.a)) > 1", "the aggregate SUM is not allowed in WHERE"},
		{"SELECT DENSE_RANK(ORDER BY a) OVER (ORDER BY b) FROM t", "unsupported: ORDER BY inside the parentheses of the window function DENSE_RANK"},
		{"SELECT 1 FROM t JOIN u ON ROW_NUMBER() OVER () = 1", "not allowed in ON"},
		{"SELECT a FROM t LIMIT ROW_NUMBER() OVER ()", "not allowed in LIMIT"},
	} {
		_, err := bindSQL(c.sql)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.sql, err, c.want)
		}
		if strings.HasPrefix(c.want, "unsupported") && !errors.Is(err, errs.ErrUnsupported) {
			t.Errorf("%s: %v is not ErrUnsupported", c.sql, err)
		}
	}
}

// TestLiterals checks the types that follow from the forms of literals.
func TestLiterals(t *testing.T) {
	for _, c := range []struct{ sql, typ string }{
		{"1", "BIGINT"}, {"-9223372036854775808", "BIGINT"}, {"9223372036854775808", "UBIGINT"},
		{"18446744073709551616", "DECIMAL(38,0)"}, {"-9223372036854775809", "DECIMAL(38,0)"},
		{"1.50", "DECIMAL(3,2)"}, {".06", "DECIMAL(2,2)"}, {"0.0", "DECIMAL(1,1)"}, {"1.", "DECIMAL(1,0)"},
		{"12345678901234567890.5", "DECIMAL(21,1)"}, {"1e3", "DOUBLE"}, {"x'00'", "BLOB"}, {"TRUE", "BOOLEAN"},
		{"NULL", "NULL"}, {"'a'", "VARCHAR"}, {"CURRENT_DATE", "DATE"}, {"NOW()", "TIMESTAMPTZ"}, {"VERSION()", "VARCHAR"},
		{"INTERVAL 3 MONTH", "INTERVAL"}, {"DATE '2020-01-01'", "DATE"},
	} {
		n, err := bindSQL("SELECT " + c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
		} else if got := n.Columns()[0].Type.String(); got != c.typ {
			t.Errorf("%s is a %s, want %s", c.sql, got, c.typ)
		}
	}
}

func TestNullable(t *testing.T) {
	n, err := bindSQL("SELECT a, b, a + 1, a / 0, a DIV 1, b IS NULL, COALESCE(b, 'x'), COUNT(*), MAX(a) FROM t GROUP BY a, b")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, false, false, true, false, false, false, true} {
		if c := n.Columns()[i]; c.Nullable != want {
			t.Errorf("%s: nullable %v, want %v", c.Name, c.Nullable, want)
		}
	}
}

// TestCounts: columns that hold numbers of rows stay such where they are handed on,
// and not where other values join them.
func TestCounts(t *testing.T) {
	const numbered = "SELECT ROW_NUMBER() OVER () AS n FROM t"
	for query, want := range map[string]bool{
		numbered:                                true,
		"SELECT COUNT(*) FROM t":                true,
		"SELECT COUNT(a) OVER () FROM t":        true,
		"SELECT SUM(a) FROM t":                  false,
		"SELECT ENTROPY(a) FROM t":              false,
		"SELECT SUM(a) OVER () FROM t":          false,
		"SELECT LAG(a) OVER () FROM t":          false,
		"SELECT n AS m FROM (" + numbered + ")": true,
		"SELECT n + 1 FROM (" + numbered + ")":  false,
		"WITH w AS (" + numbered + ") SELECT x.n FROM w x JOIN w y ON x.n = y.n":               true,
		numbered + " UNION ALL " + numbered:                                                    true,
		numbered + " UNION ALL SELECT 9223372036854775807":                                     false,
		"SELECT 9223372036854775807 UNION ALL " + numbered:                                     false,
		"WITH RECURSIVE w AS (" + numbered + " UNION ALL SELECT n + 1 FROM w) SELECT n FROM w": false,
	} {
		n, err := bindSQL(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if got := n.Columns()[0].Counts; got != want {
			t.Errorf("%s: counts rows %v, want %v", query, got, want)
		}
	}
}

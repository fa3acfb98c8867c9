package bind_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// TestExpressions: each form of expression becomes the typed one that it means.
// Columns: a BIGINT, b VARCHAR, c DOUBLE, d DATE, items LIST, g STRUCT(x BIGINT).
func TestExpressions(t *testing.T) {
	for _, c := range []struct{ sql, want, typ string }{
		{"- a", "-a", "BIGINT"},
		{"+ c", "c", "DOUBLE"},
		{"NOT a > 1", "a <= 1", "BOOLEAN"},
		{"a ** 2", "POW(CAST(a AS DOUBLE), 2.0)", "DOUBLE"},
		{"a // 2", "a DIV 2", "BIGINT"},
		{"a << 1", "a << 1", "BIGINT"},
		{"~ a", "~a", "BIGINT"},
		{"b || 'x'", "b || 'x'", "VARCHAR"},
		{"a > 1 OR c < 2", "a > 1 OR c < 2.0", "BOOLEAN"},
		{"a BETWEEN 1 AND 3", "a >= 1 AND a <= 3", "BOOLEAN"},
		{"a IN (1, 2)", "a IN (1, 2)", "BOOLEAN"},
		{"b NOT IN ('x')", "b NOT IN ('x')", "BOOLEAN"},
		{"b LIKE 'x%'", "b LIKE 'x%'", "BOOLEAN"},
		{"b NOT ILIKE 'x!%' ESCAPE '!'", "b NOT ILIKE 'x!%' ESCAPE '!'", "BOOLEAN"},
		{"b REGEXP 'x+'", "REGEXP_MATCHES(b, 'x+')", "BOOLEAN"},
		{"b NOT SIMILAR TO 'x+'", "NOT REGEXP_FULL_MATCH(b, 'x+')", "BOOLEAN"},
		{"b IS NULL", "b IS NULL", "BOOLEAN"},
		{"(a > 1) IS NOT TRUE", "(a > 1) IS NOT TRUE", "BOOLEAN"},
		{"b IS DISTINCT FROM 'x'", "b IS DISTINCT FROM 'x'", "BOOLEAN"},
		{"CASE a WHEN 1 THEN 'x' ELSE b END", "CASE WHEN a = 1 THEN 'x' ELSE b END", "VARCHAR"},
		{"CASE WHEN a > 1 THEN c END", "CASE WHEN a > 1 THEN c END", "DOUBLE"},
		{"CAST(a AS VARCHAR)", "CAST(a AS VARCHAR)", "VARCHAR"},
		{"TRY_CAST(b AS INTEGER)", "TRY_CAST(b AS INTEGER)", "INTEGER"},
		{"g.x + t.g.x", "g.x + g.x", "BIGINT"},
		{"d + INTERVAL a DAY", "CAST(d AS TIMESTAMP) + (INTERVAL 'P1D' * a)", "TIMESTAMP"},
		{"INTERVAL '2 days'", "INTERVAL 'P2D'", "INTERVAL"},
		{"items[1]", "ELEMENT_AT(items, 1)", "STRUCT(sku VARCHAR, price DOUBLE)"},
		{"items->'$[0].sku'", "items->'$[0].sku'", "VARCHAR"},
		{"items->>'$[0].sku'", "items->>'$[0].sku'", "VARCHAR"},
		{"`odd name`", "odd name", "INTEGER"},
		{"LOWER(b)", "LOWER(b)", "VARCHAR"},
		{"DATABASE()", "'main'", "VARCHAR"},
		{"CURRENT_CATALOG()", "'parquet'", "VARCHAR"},
		{"LOCALTIMESTAMP()", "TIMESTAMP '2024-02-29 12:30:00'", "TIMESTAMP"},
		{"CURTIME()", "TIME '12:30:00'", "TIME"},
	} {
		n, err := bindSQL("SELECT " + c.sql + " FROM t")
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		p := n.(*logical.Project).Items[0]
		if got := p.Expr.String(); got != c.want || p.Type.String() != c.typ {
			t.Errorf("%s is %s %s, want %s %s", c.sql, got, p.Type, c.want, c.typ)
		}
	}
}

func TestStars(t *testing.T) {
	for _, c := range []struct{ sql, names string }{
		{"SELECT * EXCLUDE (a, items) FROM t", "b,c,d,odd name,g.x"},
		{"SELECT * EXCLUDE a FROM t", "b,c,d,odd name,g.x,items"},
		{"SELECT * REPLACE (a + 1 AS a) FROM t", "a,b,c,d,odd name,g.x,items"},
		{"SELECT t.* FROM t, t.items", "a,b,c,d,odd name,g.x,items"},
	} {
		n, err := bindSQL(c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
		} else if got := columnNames(n.Columns()); got != c.names {
			t.Errorf("%s: %s, want %s", c.sql, got, c.names)
		}
	}
	for _, c := range []struct{ sql, want string }{
		{"SELECT * EXCLUDE (zzz) FROM t", `no such column: "zzz"`},
		{"SELECT * REPLACE (1 AS zzz) FROM t", `no such column: "zzz"`},
		{"SELECT * EXCLUDE (k) FROM t p(k, l, m, n, o, q, r, s)", "has 7 columns, but its alias names 8"},
		{"SELECT b REGEXP 'x' ESCAPE '!' FROM t", "ESCAPE"},
		{"SELECT COUNT(*) IGNORE NULLS FROM t", ""},
		{"SELECT + b FROM t", "+ needs a number, not VARCHAR"},
	} {
		if _, err := bindSQL(c.sql); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.sql, err, c.want)
		}
	}
}

// TestRendered: nested columns leave a query as JSON text, under new identities;
// the others pass.
func TestRendered(t *testing.T) {
	tree, _, err := dialect.Parse(t.Context(), "SELECT a, items FROM t GROUP BY a, items")
	if err != nil {
		t.Fatal(err)
	}
	env := &bind.Env{Catalog: testCatalog(), Now: time.Unix(0, 0)}
	q, err := bind.Query(context.Background(), env, tree.(*ast.Query))
	if err != nil {
		t.Fatal(err)
	}
	r := q.Rendered()
	if err := logical.Check(r.Root, logical.Set{}); err != nil {
		t.Error(err)
	}
	if got := r.Root.Columns(); got[0].ID != q.Root.Columns()[0].ID || got[1].Type.Storage() == vector.StoreNested {
		t.Errorf("%v", got)
	}
	plain, err := bindSQL("SELECT a, b FROM t")
	if err != nil {
		t.Fatal(err)
	}
	if same := (logical.Query{Root: plain, IDs: &logical.IDs{}}).Rendered(); same.Root != plain {
		t.Errorf("flat columns are projected: %s", dump(same.Root))
	}
}

// TestTable finds a table as FROM does.
func TestTable(t *testing.T) {
	for _, name := range []string{"t", "main.t", "parquet.main.t", "MAIN.t"} {
		if _, err := bindSQL("SELECT a FROM " + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := bindSQL("SELECT 1 FROM main.w"); err == nil {
		t.Error("main.w is found")
	}
}

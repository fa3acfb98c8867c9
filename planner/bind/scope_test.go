package bind

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// scopeOf is a scope of one table whose columns have the given names.
func scopeOf(b *binder, table string, columns ...string) *scope.Scope {
	src := &scope.Source{Path: []string{"parquet", "main", table}}
	for _, n := range columns {
		src.Columns = append(src.Columns, scope.Column{Column: logical.Column{ID: b.ids.New(), Name: n, Type: vector.Of(vector.BigInt)}})
	}
	return &scope.Scope{Sources: []*scope.Source{src}}
}

// TestOuterColumns resolves names at three depths: t(a, b) around u(b, c) around
// v(c, d). A name means a column of the innermost FROM that has it; an alias has
// precedence over an outer column.
func TestOuterColumns(t *testing.T) {
	b := newBinder(context.Background(), &Env{})
	first := &typer{b: b, scope: scopeOf(b, "t", "a", "b"), clause: "WHERE"}
	second := &typer{b: b, scope: scopeOf(b, "u", "b", "c"), clause: "WHERE", outer: first}
	third := &typer{b: b, scope: scopeOf(b, "v", "c", "d"), clause: "WHERE", outer: second}
	third.alias = func(name *ast.Ident) (expr.Expr, bool, error) {
		return expr.NewColumn(100, "alias", vector.Of(vector.BigInt)), name.Parts[0] == "b2", nil
	}
	second.alias = func(name *ast.Ident) (expr.Expr, bool, error) {
		return expr.NewColumn(200, "alias", vector.Of(vector.BigInt)), name.Parts[0] == "a" || name.Parts[0] == "x", nil
	}
	for _, c := range []struct {
		from *typer
		name string
		want int // the identity; columns are numbered from t.a = 1 to v.d = 6
	}{
		{third, "d", 6}, {third, "c", 5}, {third, "u.c", 4}, {third, "b", 3}, {third, "t.b", 2}, {third, "main.t.a", 1},
		{third, "b2", 100}, {third, "x", 200}, {third, "a", 200}, {third, "t.a", 1},
		{second, "b", 3}, {second, "c", 4}, {first, "a", 1}, {second, "t.a", 1},
	} {
		x, err := c.from.bind(&ast.Ident{Parts: strings.Split(c.name, ".")})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := x.(*expr.Column).Index; got != c.want {
			t.Errorf("%s is column %d, want %d", c.name, got, c.want)
		}
	}
	var missing *errs.NotFoundError
	if _, err := third.bind(&ast.Ident{Parts: []string{"dd"}}); !errors.As(err, &missing) || strings.Join(missing.Nearest, ",") == "" {
		t.Errorf("an unknown name: %v", err)
	}
	if _, err := first.bind(&ast.Ident{Parts: []string{"d"}}); !errors.As(err, &missing) {
		t.Errorf("a name of an inner query: %v", err)
	}
	// The outer columns of a subtree are those that it reads but does not produce.
	x, err := third.bind(&ast.Binary{Op: ast.Eq, L: &ast.Ident{Parts: []string{"d"}}, R: &ast.Ident{Parts: []string{"t", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	in := &logical.Values{Output: logical.Columns{third.scope.Sources[0].Columns[0].Column, third.scope.Sources[0].Columns[1].Column}}
	n := &logical.Limit{In: &logical.Filter{In: in, Conjuncts: []expr.Expr{x}}, Limit: 1}
	var free []logical.ColumnID
	for id := range logical.Free(n).All() {
		free = append(free, id)
	}
	if len(free) != 1 || free[0] != 2 {
		t.Errorf("outer columns %v, want [2]", free)
	}
	if err := logical.Check(n, logical.Set{}); err == nil {
		t.Error("Check takes an outer column for one of the plan")
	}
	if err := logical.Check(n, logical.SetOf(2)); err != nil {
		t.Error(err)
	}
}

// TestOuterAmbiguity: a name that is ambiguous in the innermost FROM that has it
// is an error, even if an outer query has it once.
func TestOuterAmbiguity(t *testing.T) {
	b := newBinder(context.Background(), &Env{})
	outer := &typer{b: b, scope: scopeOf(b, "t", "a", "b")}
	inner := &typer{b: b, scope: scopeOf(b, "u", "a"), outer: outer}
	inner.scope.Sources = append(inner.scope.Sources, scopeOf(b, "v", "a").Sources...)
	_, err := inner.bind(&ast.Ident{Parts: []string{"a"}})
	if err == nil || !strings.Contains(err.Error(), "ambiguous: it may be u.a or v.a") {
		t.Errorf("%v", err)
	}
	outer.scope.Sources = append(outer.scope.Sources, scopeOf(b, "w", "b").Sources...)
	_, err = inner.bind(&ast.Ident{Parts: []string{"b"}})
	if err == nil || !strings.Contains(err.Error(), "ambiguous: it may be t.b or w.b") {
		t.Errorf("%v", err)
	}
}

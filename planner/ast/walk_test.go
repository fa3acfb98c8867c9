package ast_test

import (
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// TestChildren: the children of each kind of expression are all the expressions that it has.
func TestChildren(t *testing.T) {
	expr := reflect.TypeFor[ast.Expr]()
	for _, e := range []ast.Expr{
		&ast.Ident{}, &ast.Literal{}, &ast.Typed{}, &ast.Interval{}, &ast.Unary{}, &ast.Binary{}, &ast.Logic{}, &ast.Between{}, &ast.In{}, &ast.Match{}, &ast.Is{}, &ast.DistinctFrom{},
		&ast.Case{}, &ast.Cast{}, &ast.Call{}, &ast.Subscript{}, &ast.Slice{}, &ast.Arrow{}, &ast.Field{}, &ast.Collate{}, &ast.Row{}, &ast.Lambda{}, &ast.Subquery{}, &ast.Exists{}, &ast.Quantified{},
	} {
		want := 0
		v := reflect.ValueOf(e).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i); {
			case f.Type() == expr:
				f.Set(reflect.ValueOf(&ast.Ident{}))
				want++
			case f.Type() == reflect.SliceOf(expr):
				f.Set(reflect.ValueOf([]ast.Expr{&ast.Ident{}, &ast.Ident{}}))
				want += 2
			}
		}
		if got := len(ast.Children(e)); got != want {
			t.Errorf("%T: %d children of %d", e, got, want)
		}
	}
}

package physical

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"
)

// TestKinds: Kinds has each type that is a Node, so that the tests of other packages try it.
func TestKinds(t *testing.T) {
	listed := map[string]bool{}
	for _, n := range Kinds() {
		listed[reflect.TypeOf(n).Elem().Name()] = true
	}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range packages["physical"].Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Streams" {
				continue
			}
			name := f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			if found++; !listed[name] {
				t.Errorf("Kinds lacks %s", name)
			}
		}
	}
	if found != len(listed) {
		t.Errorf("%d nodes, Kinds has %d", found, len(listed))
	}
}

package physical

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"
)

// TestKinds: Kinds has each type that is a Node, so that the tests of other packages try it.
func TestKinds(t *testing.T) {
	listed := map[string]bool{}
	for _, n := range Kinds() {
		listed[reflect.TypeOf(n).Elem().Name()] = true
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Streams" {
				continue
			}
			kind := f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			if found++; !listed[kind] {
				t.Errorf("Kinds lacks %s", kind)
			}
		}
	}
	if found != len(listed) {
		t.Errorf("%d nodes, Kinds has %d", found, len(listed))
	}
}

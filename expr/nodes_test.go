package expr

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// unsaid are fields that same does not compare, each with the reason.
var unsaid = map[string]string{
	"Column.Name":      "the index says which column it is",
	"Column.Counts":    "it follows from the column",
	"Call.Callee":      "Name is its only part that tells functions from each other",
	"Call.impl":        "it is made of the function and its operands",
	"Const.Argument":   "the value is the same, however it was given",
	"LambdaParam.Name": "the slot says which parameter it is",
}

// TestSameComparesFields: Equal says that two nodes are one computation where same does. A field
// that same forgets would make different computations equal, so each is in its body, is an
// operand or a type, which Equal compares, or has a reason.
func TestSameComparesFields(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fields, said := map[string][]string{}, map[string]map[string]bool{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					fields[n.Name.Name] = comparedFields(s)
				}
			case *ast.FuncDecl:
				if n.Name.Name == "same" && n.Recv != nil {
					said[n.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name] = selected(n.Body)
				}
			}
			return true
		})
	}
	if len(said) < 28 {
		t.Fatalf("%d kinds of nodes", len(said))
	}
	for node, selected := range said {
		for _, f := range fields[node] {
			if _, ok := unsaid[node+"."+f]; ok == selected[f] {
				t.Errorf("%s.same compares %s: %v, with a reason in unsaid: %v", node, f, selected[f], ok)
			}
		}
	}
}

// comparedFields are the fields of a node that are neither operands nor types, nor where it is in the statement.
func comparedFields(s *ast.StructType) (names []string) {
	for _, f := range s.Fields.List {
		switch t := f.Type.(type) {
		case *ast.Ident:
			if t.Name == "Expr" || t.Name == "Span" {
				continue
			}
		case *ast.ArrayType:
			if e, ok := t.Elt.(*ast.Ident); ok && e.Name == "Expr" {
				continue
			}
		case *ast.SelectorExpr:
			if t.Sel.Name == "Type" {
				continue
			}
		}
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
		if f.Names == nil {
			names = append(names, embedded(f.Type))
		}
	}
	return names
}

func embedded(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embedded(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// selected are the names behind a dot.
func selected(body ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			names[s.Sel.Name] = true
		}
		return true
	})
	return names
}

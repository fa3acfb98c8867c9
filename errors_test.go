package parquetsql_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestErrorFieldsAreDocumented: the comment of each error type, which is all that
// go doc shows of an alias, has all its fields with their types.
func TestErrorFieldsAreDocumented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]string{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			docs[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
		}
	}
	types := []reflect.Type{reflect.TypeFor[parquetsql.SyntaxError](), reflect.TypeFor[parquetsql.StatementError](), reflect.TypeFor[parquetsql.NotFoundError](), reflect.TypeFor[parquetsql.CorruptError](), reflect.TypeFor[parquetsql.ChangedError]()}
	if len(docs) != len(types) {
		t.Errorf("%d types in errors.go, %d in this test", len(docs), len(types))
	}
	for _, typ := range types {
		words := strings.Join(strings.Fields(docs[typ.Name()]), " ")
		fields := strings.Count(docs[typ.Name()], " // ")
		for _, f := range reflect.VisibleFields(typ) {
			if !strings.Contains(words, fmt.Sprintf("%s %s // ", f.Name, f.Type)) {
				t.Errorf("%s: the comment does not document %s %s", typ.Name(), f.Name, f.Type)
			}
			fields--
		}
		if fields != 0 {
			t.Errorf("%s: the comment has %d fields more than the type", typ.Name(), fields)
		}
	}
}

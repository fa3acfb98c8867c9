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

// TestErrorsPoint looks at what an error marks, and what it advises.
func TestErrorsPoint(t *testing.T) {
	db := openDir(t, "testdata")
	for _, test := range []struct{ query, message string }{
		{"SELECT 1 LIMIT -1", "LIMIT cannot be negative (-1) (line 1, column 16)"},
		{"SELECT 1 UNION SELECT 1, 2", "UNION: the left side has 1 column, the right side 2 (line 1, column 16)"},
		{"SELECT 1 FROM penguins WHERE 5 < 'abc'", "'abc' (line 1, column 34)"},
		{"SELECT * FROM order", `as a name it has double quotes, "order"`},
		{"COPY penguins TO 'x.csv'", "parquetsql -format csv"},
		{"SELECT l.a FROM (SELECT [{'a': 1}] AS l) x", "l is a LIST: l[1].a is of its first element"},
		{"SELECT * FROM 'ftp://a/b.parquet'", "a store is a location of its own"},
		{"SELECT ?", "the statement has 1 placeholder, but"},
	} {
		if err := db.QueryRow(test.query).Scan(new(any)); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v", test.query, err)
		}
	}
}

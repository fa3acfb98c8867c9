package desugar_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
	"github.com/parquetsql/parquetsql/planner/dialect"
)

// TestViews reads the text of every view.
func TestViews(t *testing.T) {
	for _, name := range desugar.ViewNames() {
		for _, parts := range [][]string{strings.Split(name, "."), strings.Split(strings.ToUpper(name), ".")} {
			text, ok := desugar.View(parts)
			if !ok {
				t.Errorf("%q is not found", parts)
			}
			s, _, err := dialect.Parse(t.Context(), text)
			if _, query := s.(*ast.Query); err != nil || !query {
				t.Errorf("%s: %v, %T", name, err, s)
			}
		}
	}
	for _, parts := range [][]string{{"pg_nothing"}, {"other", "pg_class"}, {"information_schema", "tables"}, nil} {
		if text, ok := desugar.View(parts); ok {
			t.Errorf("%q is %s", parts, text)
		}
	}
	if a, _ := desugar.View([]string{"Parquet", "pg_catalog", "pg_class"}); a != desugar.ViewQuery("pg_class") {
		t.Error("parquet.pg_catalog.pg_class is another one")
	}
}

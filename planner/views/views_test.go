package views

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/dialect"
)

// TestText reads the text of every view.
func TestText(t *testing.T) {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(queries)), slices.Collect(maps.Keys(empty))) {
		for _, parts := range [][]string{strings.Split(name, "."), strings.Split(strings.ToUpper(name), ".")} {
			text, ok := Text(parts)
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
		if text, ok := Text(parts); ok {
			t.Errorf("%q is %s", parts, text)
		}
	}
	if a, _ := Text([]string{"Parquet", "pg_catalog", "pg_class"}); a != queries["pg_class"] {
		t.Error("parquet.pg_catalog.pg_class is another one")
	}
}

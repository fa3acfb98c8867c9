package bind

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// entryName is the names of the columns that an entry reads, the first of each expression; name is
// that of one. An entry that reads none has its text.
func entryName(list []ast.Expr, text string, name func(*ast.Ident) string) string {
	var out []string
	for _, e := range list {
		found := ""
		ast.Walk(e, func(e ast.Expr) bool {
			if id, ok := e.(*ast.Ident); ok && found == "" {
				found = name(id)
			}
			return found == ""
		})
		if found == "" {
			return text
		}
		out = append(out, found)
	}
	return strings.Join(out, "_")
}

// unpivotEntries is a list of structs, one of each entry of UNPIVOT: its name, then its values.
func unpivotEntries(rows [][]expr.Expr) (expr.Expr, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("UNPIVOT needs a column")
	}
	column := make([]expr.Expr, len(rows))
	for k := range rows[0] {
		for i := range rows {
			column[i] = rows[i][k]
		}
		cast, _, err := expr.CommonExprs(column)
		if err != nil {
			return nil, fmt.Errorf("UNPIVOT: the values of a column need one type; cast them: %w", err)
		}
		for i := range rows {
			rows[i][k] = cast[i]
		}
	}
	fields := make([]string, len(rows[0]))
	for i := range fields {
		fields[i] = strconv.Itoa(i)
	}
	structs := make([]expr.Expr, len(rows))
	for i, row := range rows {
		var err error
		if structs[i], err = expr.NewStruct(fields, row); err != nil {
			return nil, err
		}
	}
	return expr.NewList(structs...)
}

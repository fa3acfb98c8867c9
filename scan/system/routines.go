package system

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/reference"
)

// routines lists the functions, each name and signature in a row.
func routines() systemDefinition {
	return systemDefinition{
		columns: systemColumns("specific_catalog:t specific_schema:t specific_name:t routine_catalog:t routine_schema:t routine_name:t " +
			"routine_type:t data_type:t routine_body:t routine_definition:t? external_language:t is_deterministic:t sql_data_access:t"),
		rows: func(_ context.Context, emit func(row) error) error {
			catalog, schema := text(catalogName), text("main")
			for _, f := range reference.Rows() {
				deterministic := text("YES")
				if f.Volatile {
					deterministic = text("NO")
				}
				err := emit(row{catalog, schema, text(f.Name + f.Signature.String()), catalog, schema, text(f.Name),
					text("FUNCTION"), text(f.Signature.Result), text("EXTERNAL"), noText, text("GO"), deterministic, text("NO SQL")})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

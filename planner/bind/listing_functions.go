package bind

import (
	"github.com/parquetsql/parquetsql/expr/reference"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// listedFunctions is the rows of SHOW FUNCTIONS: one for each name and signature of a function.
func listedFunctions(ids *logical.IDs) *logical.Values {
	var rows [][]*string
	for _, f := range reference.Rows() {
		signature, example := f.Name+f.Signature.String(), f.Example
		if f.Result != "" {
			example += " → " + f.Result
		}
		rows = append(rows, []*string{&f.Name, &f.Kind, &signature, &f.Help, &example})
	}
	return TextRows(ids, []string{"name", "type", "signature", "help", "example"}, rows)
}

package json

import "github.com/parquetsql/parquetsql/expr"

// variantEntries are the fields of an object, or the elements of an array, whose key is NULL.
func variantEntries(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantVariant.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	return expr.NewExtract(x, expr.Extraction{Form: expr.FormEntries, Entries: expr.WholeEntries()}), nil
}

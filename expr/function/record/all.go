package record

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// All is the functions of STRUCTs and MAPs.
func All() []expr.Function {
	return slices.Concat(Functions, FieldFunctions, MapFunctions, EntryFunctions)
}

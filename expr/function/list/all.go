package list

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// All is the functions of LISTs.
func All() []expr.Function {
	return slices.Concat(Functions, MakeFunctions, SliceFunctions, LambdaFunctions, CombineFunctions, SortFunctions, SearchFunctions, AggregateFunctions,
		DistanceFunctions, SeriesFunctions, BinFunctions, TextFunctions)
}

package function

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/expr/function/text"
	"github.com/parquetsql/parquetsql/vector"
)

// sharedFunctions have a form for strings and another one for nested values.
var sharedFunctions = []expr.Function{
	{Name: "LENGTH", Aliases: []string{"LEN"}, Total: true, NotNull: true, Binding: define.ByType(vector.Type.IsNested, list.Length, text.Length)},
	{Name: "CONTAINS", Binding: define.ByType(vector.Type.IsNested, list.Contains, text.Contains)},
	{Name: "ELEMENT_AT", Aliases: []string{"LIST_EXTRACT", "LIST_ELEMENT", "ARRAY_EXTRACT", "MAP_EXTRACT"}, Binding: define.ByType(vector.Type.IsText, text.Character, list.ElementAt)},
}

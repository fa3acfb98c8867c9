package function

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/geo"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/expr/function/text"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/vector"
)

// sharedFunctions have a form for strings and another one for nested values.
var sharedFunctions = []expr.Function{
	{Name: "LENGTH", Aliases: []string{"LEN", "CHAR_LENGTH", "CHARACTER_LENGTH"}, Help: "the number of characters, or of elements", Example: "LENGTH('né') → 2",
		Total: true, NotNull: true, Lengths: true, Binding: define.ByType(vector.Type.IsNested, list.Length, text.Length)},
	{Name: "REPEAT", Help: "the text, or the elements, several times", Example: "REPEAT('ab', 3) → ababab", Binding: define.ByType(vector.Type.IsNested, list.Repeat, define.ByType(isBlob, text.RepeatBytes, text.Repeat))},
	{Name: "CONTAINS", Help: "whether a text contains another one, a LIST an element, or a MAP a key", Example: "CONTAINS('parquet', 'que') → true",
		Binding: define.ByType(vector.Type.IsNested, list.Contains, text.Contains)},
	{Name: "ELEMENT_AT", Aliases: []string{"LIST_EXTRACT", "LIST_ELEMENT", "ARRAY_EXTRACT", "MAP_EXTRACT_VALUE", "VARIANT_EXTRACT"}, Help: "the element at a position, counted from 1 or from the end; the value of a key; a field", Example: "ELEMENT_AT('abc', -1) → c",
		Binding: define.ByType(vector.Type.IsText, text.Character, list.ElementAt)},
	{Name: "&&", Help: "whether the LISTs have an element in common, other than NULL, or the bounding boxes of the geometries a point", Example: "\"&&\"([1, 2], [2, 3]) → true",
		Spatial: spatial.Overlap, Binding: overlaps},
}

func isBlob(t vector.Type) bool { return t.Kind == vector.Blob }

// overlaps is the operator &&.
var overlaps = expr.Binding{
	Signatures: append(list.HasAny.Signatures[:1:1], geo.BoxesOverlap.Signatures...),
	Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		if geo.IsGeospatial(args[0].Type()) || geo.IsGeospatial(args[1].Type()) {
			return geo.BoxesOverlap.Bind(call, args)
		}
		return list.HasAny.Bind(call, args)
	},
}

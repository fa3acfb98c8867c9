package nested

import "github.com/parquetsql/parquetsql/vector"

// Needed are the leaves whose values a reader of the column decodes for these
// fields, see NewReader.
func Needed(c Column, o Options, fields []vector.Path) []int {
	if fields == nil {
		return c.Leaves
	}
	s := shapeOf(c, o)
	if s == nil {
		return nil
	}
	var leaves []int
	for _, p := range newPlan(s, fields).leaves(nil) {
		leaves = append(leaves, p.node.Leaf)
	}
	return leaves
}

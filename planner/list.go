package planner

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// List is the LIST of elements, in the type that they have in common; of is the type of elements
// where there are none, or NULLs alone.
func List(of vector.Type, elements []vector.Scalar) (vector.Scalar, error) {
	common := vector.Of(vector.Null)
	for i, s := range elements {
		t, err := expr.CommonType(common, s.Type)
		if err != nil {
			return vector.Scalar{}, fmt.Errorf("element %d of a list: %w", i+1, err)
		}
		common = t
	}
	if common.Kind == vector.Null {
		common = of
	}
	values := make([]vector.Scalar, len(elements))
	for i, s := range elements {
		var err error
		if values[i], err = expr.CastScalar(s, common); err != nil {
			return vector.Scalar{}, fmt.Errorf("element %d of a list: %w", i+1, err)
		}
	}
	element := &vector.Vector{}
	if err := element.FromScalars(common, values); err != nil {
		return vector.Scalar{}, err
	}
	t := vector.ListOf(vector.Field{Name: "element", Type: common, Nullable: true})
	row := vector.New(t, 0)
	row.Children[0] = element
	row.EndRow()
	return vector.Scalar{Type: t, Nested: row}, nil
}

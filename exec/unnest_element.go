package exec

import "github.com/parquetsql/parquetsql/vector"

// elementColumn finds a column of the element table in a vector.
type elementColumn struct{ vector.ElementColumn }

// of is the column for all elements of v. NULL structs make their fields NULL.
func (c *elementColumn) of(v *vector.Vector) (*vector.Vector, error) {
	at := v.Children[c.Steps[0]]
	n, valid := at.Len, at.Valid
	for _, i := range c.Steps[1:] {
		if at.Form == vector.Constant {
			return vector.NewConstant(vector.NullOf(c.Type), n), nil
		}
		at = at.Children[i]
		if at.Form != vector.Constant {
			valid = vector.And(valid, at.Valid)
		}
	}
	if len(c.Steps) == 1 || valid == nil || at.Form == vector.Constant && at.IsNull(0) {
		return at, nil
	}
	flat, err := at.Flatten(nil)
	if err != nil {
		return nil, err
	}
	leaf := *flat
	leaf.Valid = valid
	return &leaf, nil
}

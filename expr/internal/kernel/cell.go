package kernel

import "github.com/parquetsql/parquetsql/vector"

// Cell is the value of row i of a vector of any form.
func Cell[T vector.Value](v *vector.Vector, i int32) T {
	switch v.Form {
	case vector.Constant:
		return (*vector.Slice[T](v))[0]
	case vector.Dictionary:
		return (*vector.Slice[T](v.Dict))[v.Codes[i]]
	}
	return (*vector.Slice[T](v))[i]
}

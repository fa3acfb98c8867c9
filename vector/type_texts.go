package vector

import "slices"

// HasTexts reports whether values of the type are texts or have some. Of values that are
// made of several columns of a file, as VARIANT is, nothing is known.
func (t Type) HasTexts() bool {
	if !t.IsNested() {
		return t.Storage() == StoreString
	}
	return !slices.ContainsFunc(t.Fields, func(f Field) bool { return isMade(f.Type) }) &&
		slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Type.HasTexts() })
}

// isMade reports whether values of a type are or have some that are made of several columns.
func isMade(t Type) bool {
	switch t.Kind {
	case Variant, Geometry, Geography:
		return true
	}
	return t.IsNested() && slices.ContainsFunc(t.Fields, func(f Field) bool { return isMade(f.Type) })
}

package ast

import "reflect"

// Same reports whether two expressions were written alike, wherever they stand in the
// text.
func Same(a, b Expr) bool { return sameBut(reflect.ValueOf(a), reflect.ValueOf(b), nil) }

var spanType = reflect.TypeFor[Span]()

// sameBut compares nodes. but, unless nil, may decide on two of one type.
func sameBut(a, b reflect.Value, but func(a, b reflect.Value) (same, decided bool)) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameBut(a.Elem(), b.Elem(), but)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameBut(a.Index(i), b.Index(i), but) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if but != nil {
			if same, decided := but(a, b); decided {
				return same
			}
		}
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.Type == spanType || f.Name == "At" || f.Name == "Text" && a.Type() == itemType {
				continue
			}
			if !sameBut(a.Field(i), b.Field(i), but) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// itemType has a Text that repeats its expression.
var itemType = reflect.TypeFor[Item]()

package ast

import "reflect"

// Same reports whether two expressions were written alike, wherever they stand in the
// text.
func Same(a, b Expr) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

var spanType = reflect.TypeFor[Span]()

func same(a, b reflect.Value) bool {
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
		return same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.Type == spanType || f.Name == "At" || f.Name == "Text" && a.Type() == itemType {
				continue
			}
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// itemType has a Text that repeats its expression.
var itemType = reflect.TypeFor[Item]()

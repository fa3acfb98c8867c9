package ast

import "reflect"

// Replace copies an expression and puts others in place of some of its parts: f returns
// them, and true, or false for a part that stays. Several replace one where a list may
// grow: arguments, items of a row or of IN. Queries within the expression stay as they
// are. ok is false if several had to stand in the place of one.
func Replace(e Expr, f func(Expr) ([]Expr, bool)) (out Expr, ok bool) {
	r := replacer{f: f, ok: true}
	v := reflect.ValueOf(&e).Elem()
	return r.copied(v).Interface().(Expr), r.ok
}

type replacer struct {
	f  func(Expr) ([]Expr, bool)
	ok bool
}

var (
	exprType  = reflect.TypeFor[Expr]()
	queryType = reflect.TypeFor[*Query]()
)

func (r *replacer) copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		if v.Type() == exprType {
			if with, found := r.f(v.Interface().(Expr)); found {
				if r.ok = r.ok && len(with) == 1; !r.ok {
					return v
				}
				return reflect.ValueOf(&with[0]).Elem()
			}
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(r.copied(v.Elem()))
		return out
	case reflect.Pointer:
		if v.IsNil() || v.Type() == queryType {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(r.copied(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			out.Field(i).Set(r.copied(v.Field(i)))
		}
		return out
	case reflect.Slice:
		return r.list(v)
	}
	return v
}

// list copies a list; one of expressions may grow.
func (r *replacer) list(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	out := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		if at := v.Index(i); v.Type().Elem() == exprType && !at.IsNil() {
			if with, found := r.f(at.Interface().(Expr)); found {
				for _, e := range with {
					out = reflect.Append(out, reflect.ValueOf(&e).Elem())
				}
				continue
			}
		}
		out = reflect.Append(out, r.copied(v.Index(i)))
	}
	return out
}

package expr

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/variant/order"
	"github.com/parquetsql/parquetsql/vector"
)

// Key is what values are compared, sorted, grouped and joined by: of a VARIANT a BLOB
// whose byte order is that of the values, of nested values these BLOBs within them, any
// other expression itself. So nothing that compares need know Variants.
func Key(x Expr) Expr {
	if k, ok := x.(*unkeyed); ok {
		return k.X
	}
	switch t := x.Type(); {
	case t.Kind == vector.Variant:
		return NewExtract(x, Extraction{Form: FormKey})
	case HasVariant(t):
		return fold(&keyed{x})
	}
	return x
}

// keyed is the Key of a nested value.
type keyed struct{ X Expr }

func (e *keyed) Type() vector.Type              { return kernel.KeyType(e.X.Type()) }
func (e *keyed) Children() []Expr               { return []Expr{e.X} }
func (e *keyed) String() string                 { return e.X.String() }
func (e *keyed) rebuild(c []Expr) (Expr, error) { return Key(c[0]), nil }
func (e *keyed) same(Expr) bool                 { return true }
func (e *keyed) compile(by *Compiler) kernel.Node {
	return kernel.NewStrict(e.Type(), kernel.Operation{Careful: true, Make: kernel.KeysWithin}, []kernel.Node{by.Node(e.X)})
}

// unkeyed is the value of type t that X, a Key, stands for: of equal values always the same.
type unkeyed struct {
	X Expr
	t vector.Type
}

// FromKey is a value that is equal to the one of type t whose Key x is.
func FromKey(x Expr, t vector.Type) Expr {
	if !HasVariant(t) {
		return x
	}
	return &unkeyed{x, t}
}

func (e *unkeyed) Type() vector.Type              { return e.t }
func (e *unkeyed) Children() []Expr               { return []Expr{e.X} }
func (e *unkeyed) String() string                 { return "VARIANT_OF(" + e.X.String() + ")" }
func (e *unkeyed) rebuild(c []Expr) (Expr, error) { return &unkeyed{c[0], e.t}, nil }
func (e *unkeyed) same(o Expr) bool               { return e.t.Equal(o.(*unkeyed).t) }
func (e *unkeyed) compile(by *Compiler) kernel.Node {
	o := kernel.Operation{Careful: true, Make: kernel.VariantsWithin(e.t)}
	if isVariant(e) {
		o.Make = kernel.VariantOfKey
	}
	return kernel.NewStrict(e.t, o, []kernel.Node{by.Node(e.X)})
}

// keyFor is Key for a comparison with a value of type t: numbers are compared by value
// if that is one.
func keyFor(x Expr, t vector.Type) Expr {
	what := Extraction{Form: FormKey}
	switch order.NumbersOf(t) {
	case order.AsDouble:
		what.T = vector.Of(vector.Double)
	case order.AsDecimal:
		what.T = vector.Of(vector.BigInt)
	default:
		return Key(x)
	}
	return NewExtract(x, what)
}

// comparedKeys makes keys of two operands if one is a VARIANT: the other one is
// converted. The keys are those for a comparison with numbers of type t, if that is
// not NULL.
func comparedKeys(t vector.Type, list ...Expr) ([]Expr, error) {
	if !slices.ContainsFunc(list, isVariant) {
		return list, nil
	}
	out := make([]Expr, len(list))
	for i, x := range list {
		v, err := NewCast(x, vector.VariantType(), false)
		if err != nil {
			return nil, err
		}
		out[i] = keyFor(v, t)
		if _, ok := x.(*Const); !ok {
			continue
		}
		k, err := EvalConstant(out[i])
		if err != nil {
			return nil, err
		}
		out[i] = NewConst(k)
	}
	return out, nil
}

func isVariant(x Expr) bool { return x.Type().Kind == vector.Variant }

// variantPair prepares two operands for a comparison if one is a VARIANT. With a
// constant of SQL, which is on the right, the VARIANT is compared once and for all: how
// it compares is then compared with 0.
func variantPair(l, r Expr) (Expr, Expr, error) {
	if !isVariant(l) && !isVariant(r) {
		if ComparableNested(l.Type(), r.Type()) {
			l, r = Key(l), Key(r)
		}
		return l, r, nil
	}
	if s, ok := Literal(r); ok && !isVariant(r) {
		if _, err := newAgainst(s); err == nil {
			return NewExtract(l, Extraction{Form: FormSign, Against: s}), NewConst(vector.Scalar{Type: vector.Of(vector.TinyInt)}), nil
		}
	}
	t := l.Type()
	if isVariant(l) {
		t = r.Type()
	}
	keys, err := comparedKeys(t, l, r)
	if err != nil {
		return nil, nil, err
	}
	return keys[0], keys[1], nil
}

// listKeys makes keys of x and the constants that it may be IN; false if no one kind of
// keys serves for all of them.
func listKeys(x Expr, list []Expr) (Expr, []Expr, bool, error) {
	numbers := vector.Of(vector.Null)
	for _, e := range list {
		s, ok := Literal(e)
		switch n := order.NumbersOf(e.Type()); {
		case !ok && e.Type().Kind != vector.Null, isVariant(e):
			return x, list, false, nil
		case s.Null || n == order.ByClass:
		case numbers.Kind != vector.Null && n != order.NumbersOf(numbers):
			return x, list, false, nil
		default:
			numbers = e.Type()
		}
	}
	keys, err := comparedKeys(numbers, append([]Expr{x}, list...)...)
	if err != nil {
		return nil, nil, false, err
	}
	return keys[0], keys[1:], true, nil
}

// HasVariant reports whether values of the type are VARIANTs or contain some.
func HasVariant(t vector.Type) bool { return kernel.HasVariant(t) }

package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Key is what values are compared, sorted, grouped and joined by: of a VARIANT a BLOB
// whose byte order is that of the values, any other expression itself. So nothing
// that compares need know Variants.
func Key(x Expr) Expr {
	if x.Type().Kind != vector.Variant {
		return x
	}
	if k, ok := x.(*Unkey); ok {
		return k.X
	}
	return NewExtract(x, Extraction{Form: FormKey})
}

// Unkey is the VARIANT that X, a Key, stands for: of equal values always the same.
type Unkey struct{ X Expr }

// FromKey is a value that is equal to the one of type t whose Key x is.
func FromKey(x Expr, t vector.Type) Expr {
	if t.Kind != vector.Variant {
		return x
	}
	return &Unkey{x}
}

// Type is VARIANT.
func (*Unkey) Type() vector.Type { return vector.VariantType() }

// Children is the key.
func (e *Unkey) Children() []Expr { return []Expr{e.X} }

// String is the expression whose key it is, if that is known.
func (e *Unkey) String() string { return "VARIANT_OF(" + e.X.String() + ")" }

func (e *Unkey) rebuild(c []Expr) (Expr, error) { return &Unkey{c[0]}, nil }
func (e *Unkey) same(Expr) bool                 { return true }

func (e *Unkey) compile() kernel.Node {
	return kernel.NewStrict(e.Type(), kernel.Operation{Careful: true, Make: kernel.VariantOfKey}, []kernel.Node{e.X.compile()})
}

// comparedKeys makes keys of two operands if one is a VARIANT: the other one is
// converted.
func comparedKeys(list ...Expr) ([]Expr, error) {
	any := false
	for _, x := range list {
		any = any || x.Type().Kind == vector.Variant
	}
	if !any {
		return list, nil
	}
	out := make([]Expr, len(list))
	for i, x := range list {
		v, err := NewCast(x, vector.VariantType(), false)
		if err != nil {
			return nil, err
		}
		out[i] = Key(v)
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

// HasVariant reports whether values of the type are VARIANTs or contain some.
func HasVariant(t vector.Type) bool { return kernel.HasVariant(t) }

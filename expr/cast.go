package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// NoCast is the error of NewCast where no value of one type becomes one of the other.
type NoCast = scalar.NoCast

// NewCast builds CAST(x AS t) or, with try, TRY_CAST, which gives NULL in place of an error.
func NewCast(x Expr, t vector.Type, try bool) (Expr, error) {
	from := x.Type()
	if from.Equal(t) {
		return x, nil
	}
	if from.Kind == vector.Null {
		return NewConst(vector.NullOf(t)), nil
	}
	if from.Kind == vector.Variant {
		form := FormTyped
		if try {
			form = FormTry
		}
		return NewExtract(x, Extraction{Form: form, T: t}), nil
	}
	if t.Kind == vector.JSON && renderable(from) {
		return NewJSON(x), nil
	}
	if t.Kind == vector.Varchar && renderable(from) {
		if x = NewRender(x); x.Type().Equal(t) {
			return x, nil
		}
	}
	if t.IsNested() {
		return newNestedCast(withArrayText(x, t), t, try)
	}
	if _, err := kernel.Conversion(x.Type(), t, try); err != nil {
		return nil, err
	}
	return fold(&Cast{X: x, T: t, Try: try}), nil
}

// renderable reports whether NewRender makes the text of the type's values.
func renderable(t vector.Type) bool {
	return t.IsNested() || t.Kind == vector.BSON
}

// retypeNode passes values on unchanged, with another type.
type retypeNode struct {
	x    kernel.Node
	typ  vector.Type
	view vector.Vector
	dict *vector.Vector // the dictionary of view, wrapped around of
	of   *vector.Vector
}

func (r *retypeNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := r.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	r.view = *v
	r.view.Type = r.typ
	if v.Form == vector.Dictionary {
		if r.of != v.Dict {
			d := *v.Dict
			d.Type = r.typ
			r.of, r.dict = v.Dict, &d
		}
		r.view.Dict = r.dict
	}
	return &r.view, nil
}

// CastScalar converts one value.
func CastScalar(s vector.Scalar, t vector.Type) (vector.Scalar, error) {
	if s.Type.Equal(t) {
		return s, nil
	}
	if s.Null {
		return vector.NullOf(t), nil
	}
	if t.IsNested() {
		x, err := NewCast(&Const{Value: s}, t, false)
		if err != nil {
			return s, err
		}
		return EvalConstant(x)
	}
	if _, err := kernel.Conversion(s.Type, t, false); err != nil {
		return s, err
	}
	return EvalConstant(&Cast{X: &Const{Value: s}, T: t})
}

// EvalConstant computes an expression without columns. It fails where the value is
// long: a query computes that in its own memory.
func EvalConstant(e Expr) (vector.Scalar, error) {
	f := kernel.Frame{N: 1, Meter: quota.NewBound(quota.MaxConstant)}
	v, err := newCompiler(nil).Node(e).Eval(&f, nil)
	if err != nil {
		return vector.Scalar{}, err
	}
	s := v.Get(0)
	s.Type = e.Type()
	return s, nil
}

// foldable reports whether an expression's operands are constant, and its value the same each time.
func foldable(e Expr) bool {
	if c, ok := e.(*Call); HasVariant(e.Type()) || ok && c.Function.Volatile {
		return false
	}
	for _, c := range e.Children() {
		if l, ok := c.(*Lambda); ok && l.closed() {
			continue
		}
		if k, ok := c.(*Const); !ok || HasVariant(k.Value.Type) {
			return false
		}
	}
	return true
}

// fold evaluates an expression whose operands are constant. If that fails, the
// expression stays as it is: it may never be evaluated for any row.
func fold(e Expr) Expr {
	if !foldable(e) {
		return e
	}
	s, err := EvalConstant(e)
	if err != nil {
		return e
	}
	return NewConst(s)
}

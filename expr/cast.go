package expr

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// NewCast is CAST(x AS t) and, with try, TRY_CAST: NULL in place of an error.
func NewCast(x Expr, t vector.Type, try bool) (Expr, error) {
	from := x.Type()
	if from.Equal(t) {
		return x, nil
	}
	if from.Kind == vector.Null {
		return NewConst(vector.NullOf(t)), nil
	}
	if (t.Kind == vector.Varchar || t.Kind == vector.JSON) && renderable(from) {
		if x = NewRender(x); x.Type().Equal(t) {
			return x, nil
		}
	}
	if _, err := conversion(x.Type(), t, try); err != nil {
		return nil, err
	}
	return fold(&Cast{X: x, T: t, Try: try}), nil
}

// renderable reports whether the type's text is made by NewRender.
func renderable(t vector.Type) bool {
	return t.IsNested() || t.Kind == vector.BSON
}

func (e *Cast) compile() node {
	c, _ := conversion(e.X.Type(), e.T, e.Try) // the builder has seen that there is one
	if c.make == nil {
		return &retypeNode{x: e.X.compile(), typ: e.T}
	}
	return newStrict(e.T, &routine{args: []Expr{e.X}, make: c.make, careful: c.fails})
}

// castPlan is how one type becomes another. Without a kernel the values stay
// as they are and only their type changes.
type castPlan struct {
	make  func() kernel
	fails bool // some values have no counterpart
}

// caster is what a conversion needs to know.
type caster struct {
	from, to vector.Type
	try      bool
}

// conversion finds the plan, or says that there is none.
func conversion(from, to vector.Type, try bool) (castPlan, error) {
	c := caster{from, to, try}
	plan, ok := castPlan{}, false
	switch {
	case from.Kind == vector.Variant || to.Kind == vector.Variant:
		return plan, errs.Unsupported("CAST of %s to %s", from, to)
	case to.Kind == vector.Boolean:
		plan, ok = c.toBool()
	case to.Kind == vector.UBigInt:
		plan, ok = c.toUnsigned()
	case to.IsInteger():
		plan, ok = c.toInteger()
	case to.IsFloat():
		plan, ok = c.toFloat()
	case to.Kind == vector.Decimal:
		plan, ok = c.toDecimal()
	case to.Kind == vector.Date, to.IsTimestamp():
		plan, ok = c.toInstant()
	case to.Kind == vector.Time:
		plan, ok = c.toTime()
	case to.Kind == vector.Interval:
		plan, ok = c.toInterval()
	case to.Storage() == vector.StoreString:
		plan, ok = c.toString()
	}
	if !ok {
		return plan, fmt.Errorf("cannot cast %s to %s", from, to)
	}
	return plan, nil
}

// convert makes a plan of a function of one value; ok is false for a value
// that the target does not have.
func convert[S, D vector.Value](c caster, f func(S) (D, bool)) castPlan {
	return castPlan{fails: true, make: func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, r := operandOf[S](args[0]), *vector.Slice[D](&out.Vector)
			for _, i := range listed(rows, n) {
				v, ok := f(a.at(i))
				if !ok {
					if !c.try {
						return c.fail(args[0], int(i))
					}
					out.null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}}
}

// sure makes a plan of a function that has a value for every argument.
func sure[S, D vector.Value](f func(S) D) castPlan { return castPlan{make: map1(f)} }

// texts makes a plan of a function that appends a value's text.
func texts[S vector.Value](f func([]byte, S) []byte) castPlan {
	return castPlan{make: text1(func(dst []byte, v S) ([]byte, outcome) { return f(dst, v), outcome{} })}
}

// fail is the error for a value that cannot be converted.
func (c caster) fail(v *vector.Vector, i int) error {
	s := v.Get(i)
	text := (&Const{Value: s}).String()
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "…"
	}
	return fmt.Errorf("cannot cast %s to %s: %s", c.from, c.to, text)
}

// maxErrorText is how much of a value an error shows.
const maxErrorText = 100

// retypeNode hands on values under another type.
type retypeNode struct {
	x    node
	typ  vector.Type
	view vector.Vector
	dict *vector.Vector // the dictionary of view, made of …
	of   *vector.Vector // … this one
}

func (r *retypeNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	v, err := r.x.eval(f, rows)
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

// castScalar converts one value.
func castScalar(s vector.Scalar, t vector.Type) (vector.Scalar, error) {
	if s.Type.Equal(t) {
		return s, nil
	}
	if s.Null {
		return vector.NullOf(t), nil
	}
	if _, err := conversion(s.Type, t, false); err != nil {
		return s, err
	}
	return evalConstant(&Cast{X: &Const{Value: s}, T: t})
}

// evalConstant computes an expression without columns.
func evalConstant(e Expr) (vector.Scalar, error) {
	f := frame{n: 1}
	v, err := e.compile().eval(&f, nil)
	if err != nil {
		return vector.Scalar{}, err
	}
	s := v.Get(0)
	s.Type = e.Type()
	return s, nil
}

// fold computes an expression whose operands are constant. One that fails stays
// as it is: its rows may never be reached.
func fold(e Expr) Expr {
	if e.Type().Storage() == vector.StoreNested {
		return e
	}
	for _, c := range e.Children() {
		if k, ok := c.(*Const); !ok || k.Value.Type.Storage() == vector.StoreNested {
			return e
		}
	}
	s, err := evalConstant(e)
	if err != nil {
		return e
	}
	return NewConst(s)
}

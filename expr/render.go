package expr

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// NewRender builds the JSON text of a LIST, MAP, STRUCT or VARIANT and the extended JSON text
// of BSON. The type keeps its name, except that STRUCT becomes JSON. It returns
// other expressions unchanged.
func NewRender(x Expr) Expr {
	t := x.Type()
	switch {
	case t.Kind == vector.Struct:
		return &Render{X: x, T: vector.Of(vector.JSON)}
	case t.IsNested() || t.Kind == vector.BSON || t.Kind == vector.Variant:
		return &Render{X: x, T: vector.RenderedType(t)}
	}
	return x
}

// renderMixed renders expressions with the common type t as JSON text if they are
// nested values of different types: the text of a value depends on its own type,
// for example on the names of its fields.
func renderMixed(list []Expr, t vector.Type) ([]Expr, vector.Type) {
	if !slices.ContainsFunc(list, func(e Expr) bool { return t.Storage() == vector.StoreNested && !e.Type().Equal(t) }) {
		return list, t
	}
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = NewRender(x)
	}
	return out, out[0].Type()
}

func (e *Render) compile() kernel.Node {
	if e.X.Type().Kind == vector.BSON {
		return kernel.NewStrict(e.T, kernel.Operation{Careful: true, Make: kernel.Text1(func(dst []byte, doc string) ([]byte, kernel.Outcome) {
			dst, err := nested.AppendBSON(dst, doc)
			return dst, kernel.Outcome{Err: err}
		})}, []kernel.Node{e.X.compile()})
	}
	if HasVariant(e.X.Type()) {
		return kernel.NewStrict(e.T, kernel.Operation{Careful: true, Make: kernel.RenderVariants}, []kernel.Node{e.X.compile()})
	}
	return kernel.NewStrict(e.T, kernel.Operation{Careful: true, Make: kernel.RenderJSON}, []kernel.Node{e.X.compile()})
}

package expr

import (
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
	case !IsRendered(t):
		return x
	case t.Kind == vector.Struct:
		return &Render{X: x, T: vector.Of(vector.JSON)}
	case t.Kind == vector.Variant:
		return NewExtract(x, Extraction{Form: FormJSON, T: vector.RenderedType(t)})
	}
	return &Render{X: x, T: vector.RenderedType(t)}
}

// NewShown builds what NewRender does, for a result: a STRUCT keeps its name, too.
func NewShown(x Expr) Expr {
	if x.Type().Kind == vector.Struct {
		return &Render{X: x, T: vector.RenderedType(x.Type())}
	}
	return NewRender(x)
}

// IsRendered reports whether NewRender makes another expression of one of this type.
func IsRendered(t vector.Type) bool {
	return t.IsNested() || t.Kind == vector.Struct || t.Kind == vector.Variant || t.Kind == vector.BSON
}

// NewJSON builds the JSON value of a LIST, MAP, STRUCT, VARIANT or BSON, whose JSON values
// within stay what they are. It returns other expressions unchanged.
func NewJSON(x Expr) Expr {
	t, json := x.Type(), vector.Of(vector.JSON)
	switch {
	case t.Kind == vector.Variant:
		return NewExtract(x, Extraction{Form: FormJSON, T: json})
	case t.IsNested() || t.Kind == vector.BSON:
		return &Render{X: x, T: json, Raw: true}
	}
	return x
}

func (e *Render) compile(by *Compiler) kernel.Node {
	if e.X.Type().Kind == vector.BSON {
		return kernel.NewStrict(e.T, kernel.Operation{Careful: true, Make: kernel.Text1(func(dst []byte, doc string) ([]byte, kernel.Outcome) {
			dst, err := nested.AppendBSON(dst, doc)
			return dst, kernel.Outcome{Err: err}
		})}, []kernel.Node{by.Node(e.X)})
	}
	render := kernel.RenderJSON
	if HasVariant(e.X.Type()) {
		render = kernel.RenderVariants
	}
	if e.Raw {
		render = kernel.WithJSON(render)
	}
	return kernel.NewStrict(e.T, kernel.Operation{Careful: true, Make: render}, []kernel.Node{by.Node(e.X)})
}

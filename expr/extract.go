package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Extract takes a value from the VARIANT X.
type Extract struct {
	X Expr
	Extraction
	Span
}

// NewExtract builds an extraction from a VARIANT. One from another that gives a
// VARIANT becomes one with a longer path.
func NewExtract(x Expr, what Extraction) Expr {
	if inner, ok := x.(*Extract); ok && inner.Form == FormVariant {
		what.Path = inner.Path.Then(what.Path...)
		return NewExtract(inner.X, what)
	}
	if known := ofKnown(x, what); known != nil {
		return known
	}
	if t := x.Type(); t.Kind == vector.Null || what.Form == FormVariant && len(what.Path) == 0 && t.Equal(what.Type()) {
		if t.Kind == vector.Null {
			return NewConst(vector.NullOf(what.Type()))
		}
		return x
	}
	return fold(&Extract{X: x, Extraction: what})
}

// Type is the type of the extraction.
func (e *Extract) Type() vector.Type { return e.Extraction.Type() }

// Children is the Variant.
func (e *Extract) Children() []Expr { return []Expr{e.X} }

// String is the extraction as SQL.
func (e *Extract) String() string { return e.Of(operandText(e.X)) }

func (e *Extract) rebuild(c []Expr) (Expr, error) { return NewExtract(c[0], e.Extraction), nil }
func (e *Extract) same(o Expr) bool               { return e.Extraction.Equal(o.(*Extract).Extraction) }

func (e *Extract) compile(by *Compiler) kernel.Node {
	return extractOf(by.Node(e.X), e.Extraction)
}

package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/extraction"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// What is taken from VARIANTs.
type (
	Extraction = extraction.Extraction
	Entry      = extraction.Entry
	Form       = extraction.Form
)

// The forms of an Extraction.
const (
	FormVariant = extraction.FormVariant
	FormText    = extraction.FormText
	FormTyped   = extraction.FormTyped
	FormTry     = extraction.FormTry
	FormFails   = extraction.FormFails
	FormKey     = extraction.FormKey
	FormJSON    = extraction.FormJSON
	FormSign    = extraction.FormSign
	FormEntries = extraction.FormEntries
	FormName    = extraction.FormName
)

// TellsApart reports whether a key or sign of a value of type t that is equal to that of
// a constant says that the value is the constant.
func TellsApart(x Extraction, t vector.Type) bool { return extraction.TellsApart(x, t) }

// WholeEntries are the names of entries and their values.
func WholeEntries() []Entry { return extraction.WholeEntries() }

// NewExtractor is an extraction from the VARIANTs of a file, which come as column 0 of
// batches and have the children of type t. All of them are checked. It fails if
// VARIANTs cannot have the type.
func NewExtractor(t vector.Type, what Extraction) (kernel.Node, error) {
	return extraction.OfFile(t, what)
}

// Extract takes a value from the VARIANT X.
type Extract struct {
	X Expr
	Extraction
}

// NewExtract builds an extraction from a VARIANT. One from another that gives a
// VARIANT becomes one with a longer path.
func NewExtract(x Expr, what Extraction) Expr {
	if inner, ok := x.(*Extract); ok && inner.Form == FormVariant {
		what.Path = inner.Path.Then(what.Path...)
		return NewExtract(inner.X, what)
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
	return extraction.OfCanonical(by.Node(e.X), e.Extraction)
}

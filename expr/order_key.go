package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Ordered is a nested value as a BLOB whose byte order is that of the values. It is equal
// exactly for equal values.
type Ordered struct{ X Expr }

// OrderKey is what values are sorted by, and windows divided by: of a LIST, MAP or STRUCT
// an Ordered, of all others their Key.
func OrderKey(x Expr) Expr {
	if !x.Type().IsNested() {
		return Key(x)
	}
	return fold(&Ordered{Key(x)})
}

// Type is BLOB.
func (*Ordered) Type() vector.Type { return vector.Of(vector.Blob) }

// Children is the value.
func (e *Ordered) Children() []Expr { return []Expr{e.X} }

// String is the value.
func (e *Ordered) String() string { return e.X.String() }

func (e *Ordered) rebuild(c []Expr) (Expr, error) { return OrderKey(c[0]), nil }
func (e *Ordered) same(Expr) bool                 { return true }

func (e *Ordered) compile(by *Compiler) kernel.Node {
	return kernel.NewStrict(e.Type(), kernel.Operation{Careful: true, Make: kernel.OrderedBytes}, []kernel.Node{by.Node(e.X)})
}

package expr

import (
	"sort"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// Expr is a typed expression over the columns of a batch. It is immutable, so
// that goroutines may share it; the state of an evaluation is in an Evaluator.
// The New functions make expressions: they check types, insert casts and fold
// constants. The node types are exported only for reading.
type Expr interface {
	Type() vector.Type
	// String is the expression as SQL, for EXPLAIN and messages.
	String() string
	// Children are the operands, in the order that rebuild takes them.
	Children() []Expr

	// rebuild calls the node's builder with other operands.
	rebuild(children []Expr) (Expr, error)
	// same compares everything but the operands; o has the same Go type.
	same(o Expr) bool
	// compile makes the node's runtime state for one goroutine.
	compile(by *Compiler) kernel.Node
}

// Column is a column of the input batch.
type Column struct {
	Index int
	Name  string
	T     vector.Type

	// Counts says that the values are numbers of rows, from 0 to maxCount, or NULL. So
	// arithmetic that adds little to them fits; see AlwaysFits.
	Counts bool
}

// NewColumn builds a reference to the batch's column at index.
func NewColumn(index int, name string, t vector.Type) *Column {
	return &Column{Index: index, Name: name, T: t}
}

// Type is the column's type.
func (c *Column) Type() vector.Type { return c.T }

// Children is empty.
func (c *Column) Children() []Expr { return nil }

func (c *Column) rebuild([]Expr) (Expr, error) { return c, nil }
func (c *Column) same(o Expr) bool             { return c.Index == o.(*Column).Index }

// Const is a value known before the query runs.
type Const struct {
	Value    vector.Scalar
	Argument bool // of the query, not written in its text
	Span
}

// NewArgument builds the value of a placeholder.
func NewArgument(s vector.Scalar) Expr {
	c := NewConst(s).(*Const)
	c.Argument = true
	return c
}

// NewConst builds a constant expression.
func NewConst(s vector.Scalar) Expr {
	if s.Type.Kind == vector.Null {
		s.Null = true
	}
	return &Const{Value: s}
}

// Type is the value's type.
func (c *Const) Type() vector.Type { return c.Value.Type }

// Children is empty.
func (c *Const) Children() []Expr { return nil }

func (c *Const) rebuild([]Expr) (Expr, error) { return c, nil }

func (c *Const) same(o Expr) bool { return sameScalar(c.Value, o.(*Const).Value) }

func sameScalar(a, b vector.Scalar) bool {
	if !a.Type.Equal(b.Type) || a.Null != b.Null {
		return false
	}
	if a.Null || a.Nested == b.Nested && a.Nested != nil {
		return true
	}
	if a.Nested != nil && b.Nested != nil {
		return !HasVariant(a.Type) && string(nested.AppendJSON(nil, a.Nested, 0)) == string(nested.AppendJSON(nil, b.Nested, 0))
	}
	return a.Bool == b.Bool && a.I64 == b.I64 && a.U64 == b.U64 && a.I128 == b.I128 && a.Str == b.Str &&
		a.Interval == b.Interval &&
		sameFloat(float64(a.F32), float64(b.F32)) && sameFloat(a.F64, b.F64)
}

// Walk visits e and its operands from the top; if f returns false, the operands of
// that node are skipped.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range e.Children() {
		Walk(c, f)
	}
}

// Transform replaces nodes from the bottom: f sees each node with its operands
// replaced already and returns it or another one. Nodes whose operands changed
// are built again, so that constants are folded and casts are inserted.
func Transform(e Expr, f func(Expr) Expr) (Expr, error) {
	old := e.Children()
	var replaced []Expr
	for i, c := range old {
		n, err := Transform(c, f)
		if err != nil {
			return nil, err
		}
		if n != c && replaced == nil {
			replaced = append([]Expr(nil), old...)
		}
		if replaced != nil {
			replaced[i] = n
		}
	}
	if replaced != nil {
		var err error
		if e, err = rebuilt(e, replaced); err != nil {
			return nil, err
		}
	}
	return f(e), nil
}

// Rebuild builds e again with other operands, in the order of Children; constants are
// folded and casts inserted as for a new expression.
func Rebuild(e Expr, operands []Expr) (Expr, error) { return rebuilt(e, operands) }

// ColumnsOf are the indexes of the columns that e reads, ascending, without repeats.
func ColumnsOf(e Expr) []int {
	seen := map[int]bool{}
	Walk(e, func(n Expr) bool {
		if c, ok := n.(*Column); ok {
			seen[c.Index] = true
		}
		return true
	})
	list := make([]int, 0, len(seen))
	for i := range seen {
		list = append(list, i)
	}
	sort.Ints(list)
	return list
}

// Conjuncts are the operands of AND, however deeply nested; if e is not AND, e itself.
func Conjuncts(e Expr) []Expr {
	l, ok := e.(*Logic)
	if !ok || l.Or {
		return []Expr{e}
	}
	var list []Expr
	for _, a := range l.Args {
		list = append(list, Conjuncts(a)...)
	}
	return list
}

// Equal reports whether two expressions are the same computation.
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	if !sameNode(a, b) || !a.same(b) || !a.Type().Equal(b.Type()) || a.Type().Collation != b.Type().Collation {
		return false
	}
	x, y := a.Children(), b.Children()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

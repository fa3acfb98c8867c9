package expr

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// The node types. Their operands are already cast to the type that the node works
// on: both sides of a Compare, and X and the List of an In, have the same type, or
// types that compare by their storage alone (two integers, VARCHAR and ENUM).

// Compare is one of the six comparisons.
type Compare struct {
	Op   scalar.Op
	L, R Expr
	Span
}

// DistinctFrom is IS [NOT] DISTINCT FROM: comparison where NULL is a value.
type DistinctFrom struct {
	L, R Expr
	Not  bool
	Span
}

// Logic is AND, or OR, of two operands or more. An operand is evaluated only
// for the rows that those before it have not decided.
type Logic struct {
	Or   bool
	Args []Expr
}

// Not is NOT x.
type Not struct{ X Expr }

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	X   Expr
	Not bool
}

// IsBool is x IS [NOT] TRUE or, with Value false, x IS [NOT] FALSE.
type IsBool struct {
	X          Expr
	Value, Not bool
}

// In is x [NOT] IN (list).
type In struct {
	X    Expr
	List []Expr
	Not  bool
	Span
}

// Like is x [NOT] LIKE pattern [ESCAPE escape]; Escape is nil where none was
// given. Insensitive is ILIKE.
type Like struct {
	X, Pattern, Escape Expr
	Insensitive, Not   bool
	Span
}

// Case is the searched form; the simple form is built as comparisons. Else is
// never nil. Arms are evaluated only for the rows that take them.
type Case struct {
	Whens, Thens []Expr
	Else         Expr
	T            vector.Type
	Span
}

// Coalesce is its first operand that is not NULL; later ones are not evaluated.
type Coalesce struct {
	Args []Expr
	T    vector.Type
	Span
}

// Arith is an operator of two operands (OpBitNot has one: R is nil) with result type T.
type Arith struct {
	Op   scalar.Op
	L, R Expr
	T    vector.Type
	Span
}

// Neg is unary minus.
type Neg struct {
	X Expr
	T vector.Type
	Span
}

// Cast is CAST and, with Try, TRY_CAST: NULL in place of an error. Implicit
// casts are casts too.
type Cast struct {
	X   Expr
	T   vector.Type
	Try bool
	// Clamp is set for a side of a comparison whose value may be too long to be computed in T, a
	// DECIMAL of a large scale: it becomes a number beyond all those that columns of type T have.
	Clamp bool
	Span
}

// Call is a scalar function; Name, in upper case, is one of the function's.
type Call struct {
	Callee
	Args []Expr
	T    vector.Type
	impl *Routine
	Span
}

// Render is a LIST, MAP, STRUCT or BSON value as JSON text.
type Render struct {
	X Expr
	T vector.Type
	// Raw says that JSON values within are values of the text; else they are strings.
	Raw bool
}

// Type is BOOLEAN.
func (*Compare) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*DistinctFrom) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*Logic) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*Not) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*IsNull) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*IsBool) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*In) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*Member) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is BOOLEAN.
func (*Like) Type() vector.Type { return vector.Of(vector.Boolean) }

// Type is the common type of the arms.
func (e *Case) Type() vector.Type { return e.T }

// Type is the common type of the operands.
func (e *Coalesce) Type() vector.Type { return e.T }

// Type is the result's.
func (e *Arith) Type() vector.Type { return e.T }

// Type is the result's.
func (e *Neg) Type() vector.Type { return e.T }

// Type is the target.
func (e *Cast) Type() vector.Type { return e.T }

// Type is the function's result type.
func (e *Call) Type() vector.Type { return e.T }

// Type is the text type.
func (e *Render) Type() vector.Type { return e.T }

// Children are both sides.
func (e *Compare) Children() []Expr { return []Expr{e.L, e.R} }

// Children are both sides.
func (e *DistinctFrom) Children() []Expr { return []Expr{e.L, e.R} }

// Children are the operands.
func (e *Logic) Children() []Expr { return e.Args }

// Children is the operand.
func (e *Not) Children() []Expr { return []Expr{e.X} }

// Children is the operand.
func (e *IsNull) Children() []Expr { return []Expr{e.X} }

// Children is the operand.
func (e *IsBool) Children() []Expr { return []Expr{e.X} }

// Children is the value.
func (e *Member) Children() []Expr { return []Expr{e.X} }

// Children are the value, then the list.
func (e *In) Children() []Expr { return append([]Expr{e.X}, e.List...) }

// Children are the value, the pattern and, where given, the escape.
func (e *Like) Children() []Expr {
	if e.Escape == nil {
		return []Expr{e.X, e.Pattern}
	}
	return []Expr{e.X, e.Pattern, e.Escape}
}

// Children are condition and value of each arm, then ELSE.
func (e *Case) Children() []Expr {
	list := make([]Expr, 0, 2*len(e.Whens)+1)
	for i, w := range e.Whens {
		list = append(list, w, e.Thens[i])
	}
	return append(list, e.Else)
}

// Children are the operands.
func (e *Coalesce) Children() []Expr { return e.Args }

// Children are the operands.
func (e *Arith) Children() []Expr {
	if e.R == nil {
		return []Expr{e.L}
	}
	return []Expr{e.L, e.R}
}

// Children is the operand.
func (e *Neg) Children() []Expr { return []Expr{e.X} }

// Children is the operand.
func (e *Cast) Children() []Expr { return []Expr{e.X} }

// Children are the arguments.
func (e *Call) Children() []Expr { return e.Args }

// Children is the operand.
func (e *Render) Children() []Expr { return []Expr{e.X} }

package expr

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// concatenation is || as a function.
var concatenation = &Function{Name: "||", Total: true, NotNull: true}

func init() {
	concatenation.Bind = func(_ Callee, args []Expr) (Expr, error) { return NewConcat(args...) }
}

// NewConcat builds || of texts or of bytes; the result is NULL if an operand is.
func NewConcat(args ...Expr) (Expr, error) {
	t := vector.Of(vector.Varchar)
	for _, a := range args {
		if a.Type().Kind == vector.Blob {
			t = a.Type()
		}
	}
	e := args[0]
	for _, a := range args[1:] {
		if a.Type().IsNested() || e.Type().IsNested() {
			return nil, kernel.UnsupportedNested("||", a.Type())
		}
		pair := []Expr{e, a}
		for i, x := range pair {
			var err error
			if pair[i], err = concatOperand(x, t); err != nil {
				return nil, err
			}
		}
		// A chain is joined at once: without the texts of its beginnings.
		var parts []Expr
		for _, x := range pair {
			if c, ok := x.(*Call); ok && c.Function == concatenation {
				parts = append(parts, c.impl.Args...)
			} else {
				parts = append(parts, x)
			}
		}
		e = NewCall(Callee{concatenation, "||"}, pair, t, &Routine{Args: parts, Operation: kernel.Operation{Make: kernel.Join, Careful: true}})
	}
	return e, nil
}

// concatOperand casts x to text or, if t is BLOB, to bytes.
func concatOperand(x Expr, t vector.Type) (Expr, error) {
	if t.Kind != vector.Blob {
		return TextOperand("||", x)
	}
	if x.Type().Kind == vector.Null {
		return NewCast(x, t, false)
	}
	if s, ok := TextLiteral(x); ok { // as it is: DuckDB joins texts here
		s.Type = t
		return NewConst(s), nil
	}
	if x.Type().Kind != vector.Blob {
		return nil, noOperator(scalar.OpConcat, t, x.Type())
	}
	return x, nil
}

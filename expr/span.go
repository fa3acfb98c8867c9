package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Span is the part of the statement that an expression was bound from, which the errors of its values
// mark; zero where it is not known, as of casts that nobody wrote. It makes no difference to Equal.
type Span struct{ start, end int }

// SpanOf is the bytes of a statement from start on, before end.
func SpanOf(start, end int) Span { return Span{start, end} }

// Mark says that an error of a value is about the span, unless the error says where it is.
func (s Span) Mark(err error) error {
	if err == nil || !kernel.OfValue(err) {
		return err
	}
	return errs.At(s.start, s.end, err)
}

func (s Span) span() Span { return s }

// spanned is a node whose values may be errors.
type spanned interface {
	Expr
	span() Span
	at(s Span) Expr
}

func (e *Compare) at(s Span) Expr      { n := *e; n.Span = s; return &n }
func (e *DistinctFrom) at(s Span) Expr { n := *e; n.Span = s; return &n }
func (e *In) at(s Span) Expr           { n := *e; n.Span = s; return &n }
func (e *Like) at(s Span) Expr         { n := *e; n.Span = s; return &n }
func (e *Case) at(s Span) Expr         { n := *e; n.Span = s; return &n }
func (e *Coalesce) at(s Span) Expr     { n := *e; n.Span = s; return &n }
func (e *Arith) at(s Span) Expr        { n := *e; n.Span = s; return &n }
func (e *Neg) at(s Span) Expr          { n := *e; n.Span = s; return &n }
func (e *Cast) at(s Span) Expr         { n := *e; n.Span = s; return &n }
func (e *Call) at(s Span) Expr         { n := *e; n.Span = s; return &n }
func (e *Extract) at(s Span) Expr      { n := *e; n.Span = s; return &n }
func (e *Guarded) at(s Span) Expr      { n := *e; n.Span = s; return &n }

// at is for texts and arguments alone: a cast of them may be an error, which nobody wrote.
func (e *Const) at(s Span) Expr {
	if e.Value.Type.Kind != vector.Varchar && !e.Argument {
		return e
	}
	n := *e
	n.Span = s
	return &n
}

// At is e with a span, unless it has one or cannot be an error.
func At(e Expr, s Span) Expr {
	if n, ok := e.(spanned); ok && n.span() == (Span{}) && s != (Span{}) {
		return n.at(s)
	}
	return e
}

// spanOf is where e is in the statement; of a cast that nobody wrote, where its text is.
func spanOf(e Expr) Span {
	if c, ok := e.(*Cast); ok && c.Span == (Span{}) {
		if text, ok := c.X.(*Const); ok {
			return text.Span
		}
	}
	if n, ok := e.(spanned); ok {
		return n.span()
	}
	return Span{}
}

// Marked is an error of a function that is about an argument, such as a text that means nothing there.
func Marked(argument Expr, err error) error { return spanOf(argument).Mark(err) }

// rebuilt is e with other operands and the same span.
func rebuilt(e Expr, operands []Expr) (Expr, error) {
	out, err := e.rebuild(operands)
	if err != nil {
		return nil, err
	}
	if n, ok := e.(spanned); ok {
		out = At(out, n.span())
	}
	return out, nil
}

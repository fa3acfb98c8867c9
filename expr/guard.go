package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Guarded is X, and an error where Fails is TRUE: a value that was computed where it
// must not raise an error, and used where it must. What says what failed.
type Guarded struct {
	X, Fails Expr
	What     string
	Span
}

// NewGuarded builds x, which raises an error where fails is TRUE.
func NewGuarded(x, fails Expr, what string) Expr { return &Guarded{X: x, Fails: fails, What: what} }

// Type is the value's.
func (e *Guarded) Type() vector.Type { return e.X.Type() }

// Children are the value and the condition.
func (e *Guarded) Children() []Expr { return []Expr{e.X, e.Fails} }

// String is what was computed.
func (e *Guarded) String() string { return e.What }

func (e *Guarded) rebuild(c []Expr) (Expr, error) { return NewGuarded(c[0], c[1], e.What), nil }
func (e *Guarded) same(o Expr) bool               { return e.What == o.(*Guarded).What }

func (e *Guarded) compile(by *Compiler) kernel.Node {
	return &guardedNode{x: by.Node(e.X), fails: kernel.AsSelector(by.Node(e.Fails)), what: e.What}
}

type guardedNode struct {
	x     kernel.Node
	fails kernel.Selector
	what  string
	rows  []int32
}

func (g *guardedNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	g.rows = vector.Resize(g.rows, f.N)
	failed, err := g.fails.Select(f, rows, g.rows)
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return nil, &kernel.ExplainedError{Err: fmt.Errorf("%s: a value does not convert; TRY_VARIANT_GET and TRY_CAST give NULL", g.what)}
	}
	return g.x.Eval(f, rows)
}

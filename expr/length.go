package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Length is a LIST that must have N elements, as INT[3] says; with Try it is NULL where it
// has another number.
type Length struct {
	X   Expr
	N   int
	Try bool
}

// NewLength builds the check of the length of a LIST.
func NewLength(x Expr, n int, try bool) Expr { return fold(&Length{X: x, N: n, Try: try}) }

// Type is that of the LIST.
func (e *Length) Type() vector.Type { return e.X.Type() }

// Children is the LIST.
func (e *Length) Children() []Expr { return []Expr{e.X} }

// String is the LIST: the check is part of a cast.
func (e *Length) String() string { return e.X.String() }

func (e *Length) rebuild(c []Expr) (Expr, error) { return NewLength(c[0], e.N, e.Try), nil }

func (e *Length) same(o Expr) bool { return e.N == o.(*Length).N && e.Try == o.(*Length).Try }

func (e *Length) compile(by *Compiler) kernel.Node {
	return &lengthNode{x: by.Node(e.X), n: e.N, try: e.Try}
}

type lengthNode struct {
	x   kernel.Node
	n   int
	try bool
	out kernel.Result
}

func (l *lengthNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := l.x.Eval(f, rows)
	if err != nil || v.Form == vector.Constant && v.IsNull(0) {
		return v, err
	}
	l.out.Vector, l.out.Owned = *v, false
	lists := kernel.ListsOf(v)
	listed := kernel.Listed(rows, f.N)
	if v.Form == vector.Constant {
		listed = kernel.Listed(nil, 1)
	}
	for _, i := range listed {
		if v.IsNull(int(i)) || int(lists.At(i).Len()) == l.n {
			continue
		}
		if !l.try {
			return nil, fmt.Errorf("a LIST of %d elements is cast to an array of %d", lists.At(i).Len(), l.n)
		}
		if v.Form == vector.Constant {
			return l.out.SetNull(v.Type, f.N), nil
		}
		l.out.Null(int(i))
	}
	return &l.out.Vector, nil
}

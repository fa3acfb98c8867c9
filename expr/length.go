package expr

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Lengths says of a nested type which of its LISTs have a fixed length, as INT[3] says.
type Lengths struct {
	N      int // 0: any
	Fields []Lengths
}

// Fixed reports whether some LIST has a fixed length.
func (l Lengths) Fixed() bool { return l.N > 0 || slices.ContainsFunc(l.Fields, Lengths.Fixed) }

// Equal reports whether both say the same.
func (l Lengths) Equal(o Lengths) bool {
	return l.N == o.N && slices.EqualFunc(l.Fields, o.Fields, Lengths.Equal)
}

// Length is a nested value whose LISTs must have their lengths; with Try those are NULL that have
// another number of elements.
type Length struct {
	X   Expr
	Of  Lengths
	Try bool
}

// NewLength builds the check of the lengths of LISTs.
func NewLength(x Expr, of Lengths, try bool) Expr { return fold(&Length{X: x, Of: of, Try: try}) }

// Type is that of the value.
func (e *Length) Type() vector.Type { return e.X.Type() }

// Children is the value.
func (e *Length) Children() []Expr { return []Expr{e.X} }

// String is the value: the check is part of a cast.
func (e *Length) String() string { return e.X.String() }

func (e *Length) rebuild(c []Expr) (Expr, error) { return NewLength(c[0], e.Of, e.Try), nil }

func (e *Length) same(o Expr) bool { return e.Of.Equal(o.(*Length).Of) && e.Try == o.(*Length).Try }

func (e *Length) compile(by *Compiler) kernel.Node {
	return &lengthNode{x: by.Node(e.X), of: e.Of, try: e.Try}
}

type lengthNode struct {
	x   kernel.Node
	of  Lengths
	try bool
	out vector.Vector
}

func (l *lengthNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := l.x.Eval(f, rows)
	if err != nil || v.Form == vector.Constant && v.IsNull(0) {
		return v, err
	}
	listed := kernel.Listed(rows, f.N)
	if v.Form == vector.Constant {
		listed = kernel.Listed(nil, 1)
	}
	checked, err := l.check(v, l.of, listed)
	if err != nil {
		return nil, err
	}
	l.out = *checked
	return &l.out, nil
}

// check is the values of the rows with NULL in place of those of another length; v itself is not
// changed.
func (l *lengthNode) check(v *vector.Vector, of Lengths, rows []int32) (*vector.Vector, error) {
	if !of.Fixed() || len(v.Children) == 0 {
		return v, nil
	}
	out, owned, elements := *v, false, v.Type.HasElements()
	deeper := slices.ContainsFunc(of.Fields, Lengths.Fixed)
	var within []int32 // the rows of the children, where these are checked
	for _, i := range rows {
		if v.IsNull(int(i)) {
			continue
		}
		if !elements {
			within = append(within, i)
			continue
		}
		from, to := v.Offsets[i], v.Offsets[i+1]
		if of.N > 0 && int(to-from) != of.N {
			if !l.try {
				return nil, fmt.Errorf("a LIST of %d elements is cast to an array of %d", to-from, of.N)
			}
			if !owned {
				out.Valid, owned = slices.Clone(v.Valid), true
			}
			out.SetNull(int(i))
			continue
		}
		for e := from; deeper && e < to; e++ {
			within = append(within, e)
		}
	}
	if !deeper {
		return &out, nil
	}
	out.Children = slices.Clone(v.Children)
	for i, child := range v.Children {
		if i >= len(of.Fields) || !of.Fields[i].Fixed() {
			continue
		}
		var flat vector.Vector
		child, err := child.Flatten(&flat)
		if err != nil {
			return nil, err
		}
		if out.Children[i], err = l.check(child, of.Fields[i], within); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

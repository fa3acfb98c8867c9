package expr

import "github.com/parquetsql/parquetsql/vector"

// WithCollation is a text with a collation.
func WithCollation(x Expr, c vector.Collation) Expr {
	if x.Type().Collation == c {
		return x
	}
	t := vector.Type{Kind: vector.Varchar, Collation: c}
	if k, ok := x.(*Const); ok {
		v := k.Value
		v.Type = t
		return NewConst(v)
	}
	return &Cast{X: WithoutCollation(x), T: t}
}

// WithoutCollation is the text to which WithCollation gave a collation. A column keeps its own.
func WithoutCollation(x Expr) Expr {
	switch e := x.(type) {
	case *Const:
		if e.Value.Type.Collation != 0 {
			return WithCollation(x, 0)
		}
	case *Cast:
		if e.T.Kind == vector.Varchar && e.X.Type().Kind == vector.Varchar {
			return WithoutCollation(e.X)
		}
	}
	return x
}

// lastCollation is the collation of the last text that has one, which is that of the column
// of all of them in COALESCE, UNION and VALUES.
func lastCollation(list []Expr) vector.Collation {
	var c vector.Collation
	for _, x := range list {
		if own := x.Type().Collation; own != 0 {
			c = own
		}
	}
	return c
}

package ast

// Always calls f with the names that an expression evaluates first and for each of its
// rows. All other operands may be skipped: those after AND and OR, the branches of
// CASE, the arguments of functions, and operands after one that is NULL.
func Always(e Expr, f func(*Ident)) {
	switch e := e.(type) {
	case *Ident:
		f(e)
	case *Unary:
		Always(e.X, f)
	case *Binary:
		Always(e.L, f)
		if l, ok := e.L.(*Literal); ok && l.Kind != Null {
			Always(e.R, f)
		}
	case *Logic:
		Always(e.Args[0], f)
	case *Between:
		Always(e.X, f)
	case *In:
		Always(e.X, f)
	case *Match:
		Always(e.X, f)
	case *Is:
		Always(e.X, f)
	case *DistinctFrom:
		Always(e.L, f)
	}
}

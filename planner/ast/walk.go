package ast

// Walk calls f for an expression and, if f returns true, for the expressions below it.
// It does not enter subqueries.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range Children(e) {
		Walk(c, f)
	}
}

// Children are the expressions directly below an expression, without optional
// ones that are absent.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Interval:
		return []Expr{e.Value}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.L, e.R}
	case *Logic:
		return e.Args
	case *Between:
		return []Expr{e.X, e.Lo, e.Hi}
	case *In:
		return append(append([]Expr{e.X}, e.List...), present(e.Within)...)
	case *Match:
		return present(e.X, e.Pattern, e.Escape)
	case *Is:
		return []Expr{e.X}
	case *DistinctFrom:
		return []Expr{e.L, e.R}
	case *Case:
		out := present(e.Operand)
		for _, w := range e.Whens {
			out = append(out, w.Cond, w.Then)
		}
		return append(out, present(e.Else)...)
	case *Cast:
		return []Expr{e.X}
	case *Collate:
		return []Expr{e.X}
	case *Call:
		return callChildren(e)
	case *Subscript:
		return []Expr{e.X, e.Index}
	case *Slice:
		return present(e.X, e.From, e.To, e.Step)
	case *Arrow:
		return []Expr{e.X, e.Path}
	case *Field:
		return []Expr{e.X}
	case *Row:
		return e.Items
	case *Lambda:
		return []Expr{e.Body}
	case *Quantified:
		return present(e.Arg)
	}
	return nil
}

func callChildren(c *Call) []Expr {
	out := append([]Expr(nil), c.Args...)
	for _, o := range c.OrderBy {
		out = append(out, o.Expr)
	}
	out = append(out, present(c.Filter)...)
	if c.Over != nil {
		out = append(out, c.Over.Partition...)
		for _, o := range c.Over.OrderBy {
			out = append(out, o.Expr)
		}
		if f := c.Over.Frame; f != nil {
			out = append(out, present(f.Start.Offset, f.End.Offset)...)
		}
	}
	return out
}

func present(list ...Expr) []Expr {
	var out []Expr
	for _, e := range list {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// Exprs are the expressions of a block, but those of FROM.
func (s *Select) Exprs() []Expr {
	out := append([]Expr(nil), s.DistinctOn...)
	for _, it := range s.Items {
		out = append(out, it.Expr)
	}
	out = append(out, keysOf(s.GroupBy)...)
	return append(out, present(s.Where, s.Having, s.Qualify)...)
}

func keysOf(list []*Grouping) (out []Expr) {
	for _, g := range list {
		out = append(append(out, g.Keys...), keysOf(g.Parts)...)
	}
	return out
}

// HasSubquery reports whether an expression contains a subquery.
func HasSubquery(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Subquery, *Exists:
			found = true
		case *In:
			found = found || e.Query != nil
		case *Binary:
			q, ok := e.R.(*Quantified)
			found = found || ok && len(q.Listed(e.Op)) == 0
		}
		return !found
	})
	return found
}

// NamesColumn reports whether an expression has a name, or a subquery, which may have one.
func NamesColumn(e Expr) bool {
	found := HasSubquery(e)
	Walk(e, func(e Expr) bool {
		switch e.(type) {
		case *Ident, *Nth:
			found = true
		}
		return !found
	})
	return found
}

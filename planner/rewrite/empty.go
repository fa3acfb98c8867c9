package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Empty drops what reads an input without rows, and the joins and unions with it.
func Empty(q logical.Query) (logical.Node, error) { return bottomUp(q.Root, dropEmpty) }

func isEmpty(n logical.Node) bool {
	v, ok := n.(*logical.Values)
	return ok && len(v.Batches) == 0
}

// none is no rows of a node's columns.
func none(n logical.Node) logical.Node { return &logical.Values{Output: n.Columns()} }

func dropEmpty(n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Filter, *logical.Project, *logical.Sort, *logical.TopN, *logical.Limit, *logical.Portion, *logical.Sample, *logical.Unnest, *logical.Window:
		if isEmpty(n.Inputs()[0]) {
			return none(n), nil
		}
	case *logical.Aggregate:
		if isEmpty(n.In) && len(n.Groups) > 0 {
			return none(n), nil
		}
	case *logical.With:
		if isEmpty(n.Body) {
			return none(n), nil
		}
	case *logical.Union:
		return uniteSome(n), nil
	case *logical.Join:
		return joinEmpty(n), nil
	}
	return n, nil
}

// joinEmpty is a join with an empty input.
func joinEmpty(j *logical.Join) logical.Node {
	left, right := isEmpty(j.L), isEmpty(j.R)
	switch {
	case !left && !right:
		return j
	case left && !j.Kind.PadsLeft(), right && (j.Kind == logical.InnerJoin || j.Kind == logical.SemiJoin || j.Kind == logical.RightJoin), left && right:
		return none(j)
	case right && j.Kind == logical.AntiJoin:
		return j.L
	case left:
		return padded(j, j.R)
	}
	return padded(j, j.L)
}

// padded is the rows of one input of a join, with NULLs for the columns of the other
// one and a mark that is FALSE.
func padded(j *logical.Join, in logical.Node) logical.Node {
	p := &logical.Project{In: in}
	has := logical.Made(in)
	for _, c := range j.Columns() {
		switch {
		case has.Has(c.ID):
			p.Items = append(p.Items, logical.HandOn(c))
		case c.ID == j.Mark.ID:
			p.Items = append(p.Items, logical.Computed{Column: c, Expr: expr.NewConst(vector.BoolScalar(false))})
		default:
			p.Items = append(p.Items, logical.Computed{Column: c, Expr: expr.NewConst(vector.NullOf(c.Type))})
		}
	}
	return p
}

// uniteSome is a union without its empty inputs.
func uniteSome(u *logical.Union) logical.Node {
	out := &logical.Union{Output: u.Output}
	for i, in := range u.In {
		if !isEmpty(in) {
			out.In, out.From = append(out.In, in), append(out.From, u.From[i])
		}
	}
	switch len(out.In) {
	case len(u.In):
		return u
	case 0:
		return none(u)
	case 1:
		p := &logical.Project{In: out.In[0]}
		columns := p.In.Columns()
		for k, c := range u.Output {
			from, _ := columns.Find(out.From[0][k])
			p.Items = append(p.Items, logical.Computed{Column: c, Expr: from.Ref()})
		}
		return p
	}
	return out
}

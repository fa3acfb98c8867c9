package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// join binds a join: of two tables, or of a table and the element table of one of its
// columns.
func (b *binder) join(j *ast.Join, outer *typer) (logical.Node, *scope.Scope, error) {
	if err := b.spend(1); err != nil {
		return nil, nil, err
	}
	node, left, err := b.from(j.L, outer)
	if err != nil {
		return nil, nil, err
	}
	return b.joinTo(node, left, j, outer)
}

// joinTo joins the right side of a join to a left side that is bound.
func (b *binder) joinTo(node logical.Node, left *scope.Scope, j *ast.Join, outer *typer) (logical.Node, *scope.Scope, error) {
	switch r := j.R.(type) {
	case *ast.TableName:
		if src, rest := left.Element(r.Parts); src != nil {
			l := &elementJoin{b: b, join: j, table: r, outer: outer}
			return l.bind(node, left, src, rest)
		}
	case *ast.Join:
		// FROM o, o.items i JOIN u ON …: the comma binds less than JOIN, but the first
		// table is an element table of the left side.
		if (j.Kind == ast.Comma || j.Kind == ast.Cross) && beginsWithElement(left, r) {
			first := &ast.Join{Kind: ast.Comma, R: r.L}
			node, left, err := b.joinTo(node, left, first, outer)
			if err != nil {
				return nil, nil, err
			}
			return b.joinTo(node, left, r, outer)
		}
	}
	if generates(j, left) {
		return b.generatedJoin(node, left, j, outer)
	}
	// The right side may name columns of the left one, which makes it depend on it.
	lateral := false
	right, rs, err := b.from(j.R, &typer{b: b, scope: left, clause: "FROM", outer: outer, used: &lateral})
	if err != nil {
		return nil, nil, err
	}
	n := logical.Join{Kind: joinKinds[j.Kind], L: node, R: right}
	sc := &scope.Scope{Sources: append(append([]*scope.Source(nil), left.Sources...), rs.Sources...)}
	t := &tableJoin{b: b, join: j, on: typer{b: b, scope: sc, clause: "ON", outer: outer, steps: newLayers()}, left: left, right: rs}
	if n.On, err = t.conditions(); err != nil {
		return nil, nil, err
	}
	if node, err = t.node(n, lateral && left.Has(logical.Free(right))); err != nil {
		return nil, nil, err
	}
	if !n.Kind.HasRight() {
		sc = left
	}
	node, err = t.merge(node)
	return node, sc, err
}

// beginsWithElement reports whether the first table of a join is an element table of
// the scope, and all the joins keep it on their left side.
func beginsWithElement(s *scope.Scope, j *ast.Join) bool {
	for j.Kind != ast.Right && j.Kind != ast.Full {
		switch l := j.L.(type) {
		case *ast.Join:
			j = l
			continue
		case *ast.TableName:
			src, _ := s.Element(l.Parts)
			return src != nil
		}
		return false
	}
	return false
}

var joinKinds = map[ast.JoinKind]logical.JoinKind{
	ast.Comma: logical.InnerJoin, ast.Inner: logical.InnerJoin, ast.Cross: logical.InnerJoin,
	ast.Left: logical.LeftJoin, ast.Right: logical.RightJoin, ast.Full: logical.FullJoin,
	ast.Semi: logical.SemiJoin, ast.Anti: logical.AntiJoin,
}

// tableJoin is a join of two tables whose sides are bound.
type tableJoin struct {
	b           *binder
	join        *ast.Join
	on          typer // over both sides
	left, right *scope.Scope
	pairs       []pair
}

// pair is two columns of the same name that USING or NATURAL makes one.
type pair struct {
	l, r *scope.Column
}

// conditions is the conjuncts of ON, USING or NATURAL.
func (t *tableJoin) conditions() ([]expr.Expr, error) {
	j := t.join
	none := j.Kind == ast.Comma || j.Kind == ast.Cross || j.Kind == ast.Positional
	switch {
	case none && (j.On != nil || j.Using != nil || j.Natural || j.Asof):
		return nil, fmt.Errorf("a %s takes no condition; write JOIN", j.Kind)
	case j.Natural:
		return t.using(t.common())
	case j.Using != nil:
		return t.using(j.Using, nil)
	case j.On != nil:
		cond, err := t.on.condition(j.On)
		if err != nil {
			return nil, err
		}
		return expr.Conjuncts(cond), nil
	case none:
		return nil, nil
	}
	return nil, errs.At(j.Start(), j.Stop(), fmt.Errorf("a %s of two tables needs ON or USING; CROSS JOIN needs none", j.Kind))
}

// common is the names that both sides of a NATURAL JOIN have.
func (t *tableJoin) common() ([]string, error) {
	var shared []string
	for c := range scope.Shown(t.left.Sources) {
		if found, ok := t.right.Lookup([]string{c.Name}); ok && !found[0].Hidden {
			shared = append(shared, c.Name)
		}
	}
	if len(shared) == 0 {
		return nil, errs.At(t.join.Start(), t.join.Stop(), fmt.Errorf("NATURAL JOIN: the two sides have no column of the same name; use ON or CROSS JOIN"))
	}
	return shared, nil
}

// using finds the columns of USING and compares them.
func (t *tableJoin) using(merged []string, err error) ([]expr.Expr, error) {
	var out []expr.Expr
	seen := map[*scope.Column]bool{}
	for i, name := range merged {
		var p pair
		if p.l, err = t.side(t.left, "left", name); err != nil {
			return nil, err
		}
		if p.r, err = t.side(t.right, "right", name); err != nil {
			return nil, err
		}
		if seen[p.l] {
			continue // USING (a, a)
		}
		seen[p.l] = true
		op := expr.OpEq
		if t.join.Asof && i == len(merged)-1 {
			op = expr.OpGe
		}
		matches, err := compareRows(op, []expr.Expr{p.l.Ref()}, []expr.Expr{p.r.Ref()})
		if err != nil {
			return nil, fmt.Errorf("%s (%s): %w", t.join.Written(), name, err)
		}
		out = append(out, matches)
		t.pairs = append(t.pairs, p)
	}
	return out, err
}

// side finds a column of USING in one side.
func (t *tableJoin) side(sc *scope.Scope, side, name string) (*scope.Column, error) {
	m, err := sc.Resolve([]string{name})
	if missing, ok := err.(*errs.NotFoundError); ok {
		err = fmt.Errorf("%s: the %s side: %w", t.join.Written(), side, missing)
	}
	if err != nil {
		return nil, errs.At(t.join.UsingAt.Pos, t.join.UsingAt.End, err)
	}
	return m.Column, nil
}

// merge lets the names of USING mean one column each: that of the side whose rows
// are all kept, for FULL JOIN a new one with the value that is not NULL. The columns
// of both sides stay, for qualified names.
func (t *tableJoin) merge(n logical.Node) (logical.Node, error) {
	if t.join.Kind == ast.Full && len(t.pairs) > 0 {
		return t.coalesce(n)
	}
	for _, p := range t.pairs {
		if t.join.Kind == ast.Right {
			t.name(p, p.r)
		} else {
			t.name(p, p.l)
		}
	}
	return n, nil
}

// coalesce computes the merged columns of a FULL JOIN.
func (t *tableJoin) coalesce(in logical.Node) (logical.Node, error) {
	project := &logical.Project{In: in}
	for _, c := range in.Columns() {
		project.Items = append(project.Items, logical.HandOn(c))
	}
	never := predicate.Required(in.Columns())
	for _, p := range t.pairs {
		x, err := expr.NewCoalesce(p.l.Ref(), p.r.Ref())
		if err != nil {
			return nil, err
		}
		c := logical.Column{ID: t.b.ids.New(), Name: p.l.Name, Type: x.Type(), Nullable: predicate.Nullable(x, never)}
		project.Items = append(project.Items, logical.Computed{Column: c, Expr: x})
		t.name(p, &scope.Column{Column: c, Hidden: p.l.Hidden})
	}
	return project, nil
}

// name makes a column the meaning of the name of a pair.
func (t *tableJoin) name(p pair, merged *scope.Column) {
	for _, sc := range []*scope.Scope{t.left, t.right} {
		for _, src := range sc.Sources {
			for i := range src.Columns {
				if c := &src.Columns[i]; c.Meaning() == p.l || c.Meaning() == p.r {
					c.Merged = merged
				}
			}
		}
	}
}

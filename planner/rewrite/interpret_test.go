package rewrite_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// interpreter computes the rows of a plan as its nodes are defined, pair by pair: what
// rules and operators must agree with.
type interpreter struct {
	tables map[string][]row // by name of the table
	common map[logical.CommonID][]row
	outer  row // the columns of the queries around
}

// row is the values of columns by identity; of a table, by position.
type row map[logical.ColumnID]vector.Scalar

var errTwice = errors.New("a second match")

func (p *interpreter) rows(n logical.Node) ([]row, error) {
	switch n := n.(type) {
	case *logical.Scan:
		return p.scan(n)
	case *logical.Values:
		return nil, nil // the rules make only empty ones
	case *logical.OneRow:
		return []row{{}}, nil
	case *logical.Filter:
		in, err := p.rows(n.In)
		if err != nil {
			return nil, err
		}
		return p.kept(in, n.Conjuncts)
	case *logical.Sort:
		in, err := p.rows(n.In)
		if err != nil {
			return nil, err
		}
		return p.sorted(in, n.Keys)
	case *logical.Project:
		return p.project(n.In, n.Items)
	case *logical.Aggregate:
		return p.aggregate(n)
	case *logical.Limit:
		in, err := p.rows(n.In)
		from := min(len(in), int(n.Offset))
		return in[from:min(len(in), from+int(n.Limit))], err
	case *logical.Window:
		return p.window(n)
	case *logical.Union:
		return p.union(n)
	case *logical.With:
		def, err := p.rows(n.Def)
		if err != nil {
			return nil, err
		}
		p.common[n.ID] = def
		return p.rows(n.Body)
	case *logical.Reuse:
		var out []row
		for _, r := range p.common[n.ID] {
			out = append(out, renamed(r, n.From, n.Output))
		}
		return out, nil
	case *logical.Join:
		return p.join(n)
	case *logical.AsOfJoin:
		return p.nearest(n)
	case *logical.Apply:
		return p.apply(n)
	}
	return nil, fmt.Errorf("the interpreter does not know a %T", n)
}

func (p *interpreter) scan(s *logical.Scan) ([]row, error) {
	var all []row
	for _, values := range p.tables[s.Table.Description().Name] {
		r := row{}
		for i, c := range s.All() {
			r[c.ID] = values[logical.ColumnID(i)]
		}
		all = append(all, r)
	}
	return p.kept(all, s.Filter)
}

func (p *interpreter) project(n logical.Node, items []logical.Computed) ([]row, error) {
	in, err := p.rows(n)
	if err != nil {
		return nil, err
	}
	var out []row
	for _, r := range in {
		made := row{}
		for _, it := range items {
			if made[it.ID], err = p.value(it.Expr, r); err != nil {
				return nil, err
			}
		}
		out = append(out, made)
	}
	return out, nil
}

func (p *interpreter) union(n *logical.Union) ([]row, error) {
	var out []row
	for i, in := range n.In {
		rows, err := p.rows(in)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, renamed(r, n.From[i], n.Output))
		}
	}
	return out, nil
}

func renamed(r row, from []logical.ColumnID, to logical.Columns) row {
	out := row{}
	for i, c := range to {
		out[c.ID] = r[from[i]]
	}
	return out
}

func (p *interpreter) join(j *logical.Join) ([]row, error) {
	left, err := p.rows(j.L)
	if err != nil {
		return nil, err
	}
	right, err := p.rows(j.R)
	if err != nil {
		return nil, err
	}
	return p.joinRows(j, left, right)
}

func (p *interpreter) joinRows(j *logical.Join, left, right []row) ([]row, error) {
	var out []row
	matched := make([]bool, len(right))
	for _, l := range left {
		matches, unknown, truth := 0, false, false
		for i, r := range right {
			pair := merged(l, r)
			if ok, err := p.passes(pair, j.On); err != nil || !ok {
				if err != nil {
					return nil, err
				}
				continue
			}
			matches, matched[i] = matches+1, true
			if j.Kind == logical.MarkJoin {
				test := vector.BoolScalar(true)
				if j.Test != nil {
					var err error
					if test, err = p.value(j.Test, pair); err != nil {
						return nil, err
					}
				}
				unknown, truth = unknown || test.Null, truth || !test.Null && test.Bool
			}
			if j.Kind.HasRight() {
				out = append(out, pair)
			}
		}
		switch {
		case j.Kind == logical.SingleJoin && matches > 1:
			return nil, errTwice
		case j.Kind == logical.SemiJoin && matches > 0, j.Kind == logical.AntiJoin && matches == 0:
			out = append(out, l)
		case j.Kind == logical.MarkJoin:
			mark := vector.BoolScalar(truth)
			if !truth && unknown {
				mark = vector.NullOf(mark.Type)
			}
			out = append(out, merged(l, row{j.Mark.ID: mark}))
		case matches == 0 && j.Kind.HasRight() && j.Kind.KeepsLeft():
			out = append(out, merged(l, nulls(j.R)))
		}
	}
	for i, r := range right {
		if j.Kind.PadsLeft() && !matched[i] {
			out = append(out, merged(nulls(j.L), r))
		}
	}
	return out, nil
}

// nearest joins each row of L with the row of R that matches it best.
func (p *interpreter) nearest(j *logical.AsOfJoin) ([]row, error) {
	left, err := p.rows(j.L)
	if err != nil {
		return nil, err
	}
	right, err := p.rows(j.R)
	if err != nil {
		return nil, err
	}
	c, err := expr.NewCompare(j.Op, j.Left, j.Right)
	if err != nil {
		return nil, err
	}
	on := slices.Concat(j.On, []expr.Expr{c})
	var out []row
	for _, l := range left {
		var best row
		var key vector.Scalar
		for _, r := range right {
			pair := merged(l, r)
			if ok, err := p.passes(pair, on); err != nil || !ok {
				if err != nil {
					return nil, err
				}
				continue
			}
			k, err := p.value(j.Right, pair)
			if err != nil {
				return nil, err
			}
			if below := j.Op == expr.OpGe || j.Op == expr.OpGt; best == nil || k.Compare(&key) > 0 == below {
				best, key = pair, k
			}
		}
		if best == nil && j.Kind.KeepsLeft() {
			best = merged(l, nulls(j.R))
		}
		if best != nil {
			out = append(out, best)
		}
	}
	return out, nil
}

// apply joins each row of L with its rows of R.
func (p *interpreter) apply(a *logical.Apply) ([]row, error) {
	left, err := p.rows(a.L)
	if err != nil {
		return nil, err
	}
	var out []row
	around := p.outer
	defer func() { p.outer = around }()
	for _, l := range left {
		p.outer = merged(around, l)
		right, err := p.rows(a.R)
		if err != nil {
			return nil, err
		}
		joined, err := p.joinRows(&a.Join, []row{l}, right)
		if err != nil {
			return nil, err
		}
		out = append(out, joined...)
	}
	return out, nil
}

func merged(a, b row) row {
	out := row{}
	for id, v := range a {
		out[id] = v
	}
	for id, v := range b {
		out[id] = v
	}
	return out
}

func nulls(n logical.Node) row {
	out := row{}
	for _, c := range n.Columns() {
		out[c.ID] = vector.NullOf(c.Type)
	}
	return out
}

func (p *interpreter) kept(rows []row, conjuncts []expr.Expr) ([]row, error) {
	var out []row
	for _, r := range rows {
		ok, err := p.passes(r, conjuncts)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// passes evaluates the conjuncts in their order, until one is not TRUE.
func (p *interpreter) passes(r row, conjuncts []expr.Expr) (bool, error) {
	for _, c := range conjuncts {
		if v, err := p.value(c, r); err != nil || v.Null || !v.Bool {
			return false, err
		}
	}
	return true, nil
}

// value evaluates an expression over one row.
func (p *interpreter) value(e expr.Expr, r row) (vector.Scalar, error) {
	b := &vector.Batch{Len: 1}
	for id := range logical.ReadBy(e).All() {
		v, ok := r[id]
		if !ok {
			v, ok = p.outer[id]
		}
		if !ok {
			return v, fmt.Errorf("%s reads column %d, which the row does not have", e, id)
		}
		for int(id) >= len(b.Cols) {
			b.Cols = append(b.Cols, nil)
		}
		b.Cols[id] = vector.New(v.Type, 1)
		b.Cols[id].Set(0, v)
	}
	out, err := expr.NewEvaluator(e).Eval(b)
	if err != nil {
		return vector.Scalar{}, err
	}
	return out.Get(0), nil
}

// shownRows is the rows as text, in an order of their own.
func shownRows(columns logical.Columns, rows []row) []string {
	var out []string
	for _, r := range rows {
		var line []string
		for _, c := range columns {
			v := r[c.ID]
			line = append(line, expr.NewConst(v).String())
		}
		out = append(out, strings.Join(line, " "))
	}
	slices.Sort(out)
	return out
}

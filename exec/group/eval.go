package group

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// groupRows are rows in the layout of a groupPlan.
type groupRows struct {
	vector.Batch
	// pass has, for each state with a FILTER, the rows where the condition is TRUE, as a
	// selection of Batch; nil for other states.
	pass   []*vector.Batch
	hashes []uint64 // of the keys of all rows; nil if they are not known
}

// groupEval evaluates batches to rows of the layout.
type groupEval struct {
	plan    *groupPlan
	keys    *exec.ExprSet
	args    *exec.ExprSet
	filters []*expr.Filter
	own     []*exec.ExprSet
	narrow  []vector.Batch
	byValue *byValue // instead of some filters; nil: none
	rows    groupRows
}

func (p *groupPlan) newEval() *groupEval {
	e := &groupEval{plan: p, keys: exec.NewExprSet(p.env), args: exec.NewExprSet(p.env), narrow: make([]vector.Batch, len(p.states))}
	for _, k := range p.keys {
		e.keys.Add(k)
	}
	for _, a := range p.shared {
		e.args.Add(a)
	}
	for _, s := range p.states {
		var f *expr.Filter
		own := exec.NewExprSet(p.env)
		if s.filter != nil {
			f = expr.NewFilter(s.filter)
			f.Meter = p.env.Meter()
			for _, a := range s.own {
				own.Add(a)
			}
		}
		e.filters, e.own = append(e.filters, f), append(e.own, own)
	}
	if e.byValue = newByValue(p.states); e.byValue != nil {
		for _, i := range e.byValue.states {
			e.filters[i] = nil
		}
	}
	e.rows.Cols = make([]*vector.Vector, len(p.types))
	e.rows.pass = make([]*vector.Batch, len(p.states))
	return e
}

// end forgets what the last call of eval made.
func (e *groupEval) end() {
	e.keys.End()
	e.args.End()
	for i, f := range e.filters {
		if e.own[i].End(); f != nil {
			f.Meter.Start(0)
		}
	}
}

// eval evaluates a batch, or returns quota.ErrBatchTooLong. Arguments of an aggregate with FILTER are evaluated only in
// rows where the condition is TRUE: in others they may fail.
func (e *groupEval) eval(b *vector.Batch) (*groupRows, error) {
	e.rows.Len, e.rows.Sel = b.Len, b.Sel
	values, err := e.keys.Eval(b)
	if err != nil {
		return nil, err
	}
	n := copy(e.rows.Cols, values)
	if values, err = e.args.Eval(b); err != nil {
		return nil, err
	}
	copy(e.rows.Cols[n:], values)
	for i, f := range e.filters {
		if f == nil {
			continue
		}
		pass := &e.narrow[i]
		*pass = *b
		if err := f.Apply(pass); err != nil {
			return nil, err
		}
		if err := e.pass(i); err != nil {
			return nil, err
		}
	}
	if v := e.byValue; v != nil {
		v.find(b)
		for n, i := range v.states {
			e.narrow[i] = *b
			e.narrow[i].Sel = v.rows[v.of[n]]
			if err := e.pass(i); err != nil {
				return nil, err
			}
		}
	}
	return &e.rows, nil
}

// pass evaluates the arguments of a state with FILTER in the rows of narrow.
func (e *groupEval) pass(i int) error {
	pass := &e.narrow[i]
	e.rows.pass[i] = pass
	if pass.Rows() == 0 {
		return nil
	}
	values, err := e.own[i].Eval(pass)
	if err != nil {
		return err
	}
	for a, v := range values {
		e.rows.Cols[e.plan.states[i].args[a]] = v
	}
	return nil
}

// grouper adds rows to groups. It belongs to one goroutine.
type grouper struct {
	plan     *groupPlan
	growth   int64 // how much a state may grow with one batch of several rows
	ids      []uint32
	byRow    []uint32 // of the batch, if mapped
	mapped   bool
	filtered []uint32
	args     []*vector.Vector
	narrow   vector.Batch
	keys     []*vector.Vector
	to       []uint32
}

func (p *groupPlan) newGrouper() *grouper {
	return &grouper{plan: p, growth: quota.FreeBytes(p.env.Budget)}
}

// add adds rows to g.
func (r *grouper) add(g *groups, rows *groupRows) error {
	var ids []uint32
	if g.table != nil {
		r.ids = vector.Resize(r.ids, rows.Rows())
		ids = r.ids
		keys := rows.Cols[:len(r.plan.keys)]
		var err error
		if columns, ok := g.table.(*hashtable.Columns); ok && rows.hashes != nil {
			err = columns.FindOrInsertHashed(keys, &rows.Batch, rows.hashes, ids)
		} else {
			err = g.table.FindOrInsert(keys, &rows.Batch, ids)
		}
		if err != nil {
			return err
		}
		g.resize()
	}
	return r.update(g, rows, ids)
}

// fits returns quota.ErrBatchTooLong if the states of g would grow by too much before
// their memory is charged.
func (r *grouper) fits(g *groups, rows *groupRows) error {
	for i, s := range r.plan.states {
		grower, ok := g.states[i].(aggregate.Grower)
		if !ok {
			continue
		}
		b := &rows.Batch
		if s.filter != nil {
			b = rows.pass[i]
		}
		if b.Rows() < 2 {
			continue
		}
		r.args = r.args[:0]
		for _, c := range s.args {
			r.args = append(r.args, rows.Cols[c])
		}
		if grower.Growth(r.args, b) > r.growth {
			return quota.ErrBatchTooLong
		}
	}
	return nil
}

// update adds rows to the groups with the ids.
func (r *grouper) update(g *groups, rows *groupRows, ids []uint32) error {
	r.mapped = false
	for i, s := range r.plan.states {
		r.args = r.args[:0]
		for _, c := range s.args {
			r.args = append(r.args, rows.Cols[c])
		}
		b, of := &rows.Batch, ids
		if s.filter != nil {
			if b = rows.pass[i]; b.Rows() == 0 {
				continue
			}
			of = r.filter(rows, b, ids)
		}
		r.narrow = vector.Batch{Len: b.Len, Sel: b.Sel, Cols: r.args}
		if err := g.states[i].Update(of, r.args, &r.narrow); err != nil {
			return s.agg.Span().Mark(err)
		}
	}
	return nil
}

// filter returns the group ids of the rows in pass.
func (r *grouper) filter(rows *groupRows, pass *vector.Batch, ids []uint32) []uint32 {
	if ids == nil || pass.Rows() == rows.Rows() {
		return ids
	}
	byRow := ids
	if rows.Sel != nil {
		if !r.mapped { // once for all states
			r.byRow, r.mapped = vector.Resize(r.byRow, rows.Len), true
			for i, id := range ids {
				r.byRow[rows.Row(i)] = id
			}
		}
		byRow = r.byRow
	}
	r.filtered = vector.Resize(r.filtered, pass.Rows())
	for i := range r.filtered {
		r.filtered[i] = byRow[pass.Row(i)]
	}
	return r.filtered
}

// merge adds the listed groups of from to g.
func (r *grouper) merge(g, from *groups, which []uint32) error {
	if len(which) == 0 {
		return nil
	}
	r.to = vector.Resize(r.to, len(which))
	clear(r.to)
	if g.table != nil {
		for len(r.keys) < len(r.plan.keys) {
			r.keys = append(r.keys, &vector.Vector{})
		}
		most := expr.BatchRows(r.plan.env.Budget, len(r.plan.keys))
		for at := 0; at < len(which); at += most {
			n := min(most, len(which)-at)
			if err := from.table.Keys(which[at:at+n], r.keys); err != nil {
				return err
			}
			if err := g.table.FindOrInsert(r.keys, &vector.Batch{Len: n, Cols: r.keys}, r.to[at:at+n]); err != nil {
				return err
			}
		}
		g.resize()
	}
	for i, s := range g.states {
		if err := s.Merge(from.states[i], which, r.to); err != nil {
			return err
		}
	}
	return nil
}

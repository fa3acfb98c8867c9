package group

import (
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// groupPlan is what an aggregation computes, the same for all workers.
//
// Rows have a layout of their own: the key columns, then the arguments of the
// aggregates, each distinct one once, then the arguments of aggregates with FILTER.
// So rows can wait, in memory or on disk, and be added later without evaluating
// anything again.
type groupPlan struct {
	keys   []expr.Expr
	states []statePlan
	out    []outPlan
	env    exec.Env
	seed   hashtable.Seed
	types  []vector.Type // of the layout
	shared []expr.Expr   // the arguments without FILTER; in the layout they begin at len(keys)

	compact bool // no aggregate is DISTINCT or ordered; merging those costs as much as updating
}

// hashed reports whether rows that wait may keep the hash of their keys.
func (p *groupPlan) hashed() bool {
	return slices.ContainsFunc(p.keys, func(k expr.Expr) bool { return k.Type().Storage() == vector.StoreString })
}

// coarse reports whether there are few partitions, as there are many columns: each partition has
// vectors for all of them.
func (p *groupPlan) coarse() bool { return len(p.types) > spill.ManyColumns }

// statePlan is one state. SUM, AVG and COUNT of the same argument share one.
type statePlan struct {
	agg    *aggregate.Call
	args   []int       // columns of the layout
	own    []expr.Expr // the arguments, with FILTER
	filter expr.Expr
}

// outPlan is one aggregate of the result and the index of its state.
type outPlan struct {
	agg   *aggregate.Call
	state int
}

func newPlan(env exec.Env, keys []expr.Expr, aggs []*aggregate.Call) groupPlan {
	p := groupPlan{env: env, keys: keys, seed: hashtable.NewSeed(), out: make([]outPlan, len(aggs)), compact: true}
	for _, k := range keys {
		p.types = append(p.types, k.Type())
	}
	var shared expr.Index // of p.states, by the first arguments
	// Aggregates whose state others can share come first.
	var order []int
	for i, a := range aggs {
		p.compact = p.compact && !a.Distinct() && !a.Ordered()
		if a.Shares(a) {
			order = append(order, i)
		}
	}
	for i, a := range aggs {
		if !a.Shares(a) {
			order = append(order, i)
		}
	}
	for _, i := range order {
		p.out[i] = outPlan{agg: aggs[i], state: p.stateOf(aggs[i], &shared)}
	}
	p.place()
	return p
}

// stateOf finds or adds the state of an aggregate.
func (p *groupPlan) stateOf(a *aggregate.Call, shared *expr.Index) int {
	i, added := shared.Place(expr.FirstArgument(a.Args()), len(p.states), func(i int) bool { return p.states[i].agg.Shares(a) })
	if added {
		p.states = append(p.states, statePlan{agg: a, filter: a.Filter()})
	}
	return i
}

// place assigns columns of the layout to the arguments.
func (p *groupPlan) place() {
	var shared expr.Unique
	for i := range p.states {
		s := &p.states[i]
		if s.filter != nil {
			continue
		}
		for _, e := range s.agg.Args() {
			at, added := shared.Add(e)
			if added {
				p.types = append(p.types, e.Type())
			}
			s.args = append(s.args, len(p.keys)+at)
		}
	}
	p.shared = shared.List
	for i := range p.states {
		s := &p.states[i]
		if s.filter == nil {
			continue
		}
		for _, e := range s.agg.Args() {
			s.args = append(s.args, len(p.types))
			s.own = append(s.own, e)
			p.types = append(p.types, e.Type())
		}
	}
}

// groups is a set of groups with their states.
type groups struct {
	table  hashtable.Table // nil if there are no keys: one group
	states []aggregate.State
	held   int64 // reserved of the budget
}

// newGroups is an empty set.
func (p *groupPlan) newGroups() *groups {
	if len(p.keys) == 0 {
		return p.groupsOf(nil)
	}
	return p.groupsOf(hashtable.New(p.types[:len(p.keys)], p.seed, false))
}

// newPart is an empty set of groups of a partition: they are many. For share see
// hashtable.New.
func (p *groupPlan) newPart(share bool) *groups {
	keys := p.types[:len(p.keys)]
	if t := hashtable.NewColumns(keys, p.seed, share); t != nil {
		return p.groupsOf(t)
	}
	return p.groupsOf(hashtable.New(keys, p.seed, share))
}

// groupsOf is the groups of an empty table, with their states.
func (p *groupPlan) groupsOf(table hashtable.Table) *groups {
	g := &groups{table: table}
	for _, s := range p.states {
		state := s.agg.NewState()
		if long, ok := state.(aggregate.Interruptible); ok {
			long.Interrupt(p.env.Meter().Work, p.env.Budget)
		}
		g.states = append(g.states, state)
	}
	g.resize()
	return g
}

// reset forgets the groups and keeps their memory. It reports whether it can.
func (g *groups) reset() bool {
	table, ok := g.table.(*hashtable.Columns)
	if !ok {
		return false
	}
	for _, s := range g.states {
		if _, ok := s.(aggregate.Reusable); !ok {
			return false
		}
	}
	table.Reset()
	for _, s := range g.states {
		s.(aggregate.Reusable).Reset()
	}
	return true
}

func (g *groups) len() int {
	if g.table == nil {
		return 1
	}
	return g.table.Len()
}

// resize gives the states as many groups as the table has.
func (g *groups) resize() {
	n := g.len()
	for _, s := range g.states {
		s.Resize(n)
	}
}

func (g *groups) bytes() int64 {
	n := int64(0)
	if g.table != nil {
		n = g.table.Bytes()
	}
	for _, s := range g.states {
		n += s.Bytes()
	}
	return n
}

// all returns the ids of all groups.
func (g *groups) all() []uint32 {
	list := make([]uint32, g.len())
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

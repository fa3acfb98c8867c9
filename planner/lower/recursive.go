package lower

import (
	"maps"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// recursive makes the operators of Step anew in each round, but for those whose rows are
// the same in all rounds.
func (b *builder) recursive(n *logical.Recursive) ([]exec.Operator, error) {
	init, err := b.picked(n.Init, n.From[0], n.Output)
	if err != nil {
		return nil, err
	}
	f := &fixer{builder: b, rounds: &scope{fixed: map[logical.Node]*shared{}, up: b.scope}}
	if err := f.visit(n.Step, b.scope, map[logical.CommonID]bool{n.ID: true}); err != nil {
		return nil, err
	}
	workers := b.workers
	step := func(before *common.Rows) ([]exec.Operator, error) {
		// Several recursions may run at the same time.
		b.mu.Lock()
		defer b.mu.Unlock()
		defer func(outer *scope, most int) { b.scope, b.workers = outer, most }(b.scope, b.workers)
		b.workers = workers
		b.scope = &scope{id: n.ID, shared: &shared{columns: n.Output, rows: before}, up: f.rounds}
		return b.picked(n.Step, n.From[1], n.Output)
	}
	r := common.Recursion{Init: init, Step: step, Schema: n.Output.Schema(), All: n.All, Keep: f.keep}
	return []exec.Operator{common.NewRecursive(b.env, r)}, nil
}

// fixer finds the subtrees of a Step whose rows are the same in every round and makes
// common rows of them: no file is read in rounds.
type fixer struct {
	*builder
	rounds *scope         // gets the subtrees
	keep   []func() error // releases what rounds read
}

// visit looks for the largest such subtrees at and below n. changing is the common rows
// that are others in each round, at is the scope of n without these.
func (f *fixer) visit(n logical.Node, at *scope, changing map[logical.CommonID]bool) error {
	if at.fixedRows(n) != nil {
		return nil // by a recursion around this one
	}
	switch n := n.(type) {
	case *logical.Reuse:
		if changing[n.ID] {
			return nil
		}
		s, err := at.find(n.ID)
		if err != nil {
			return err
		}
		return f.hold(s)
	case *logical.Values, *logical.OneRow:
		return nil // keeping the rows saves nothing
	case *logical.With:
		if !varies(n, changing) {
			break
		}
		if varies(n.Def, changing) {
			if err := f.visit(n.Def, at, changing); err != nil {
				return err
			}
			return f.visit(n.Body, at, with(changing, n.ID))
		}
		s, err := f.fix(n.Def, at) // builder.with takes these rows
		if err != nil {
			return err
		}
		return f.visit(n.Body, &scope{id: n.ID, shared: s, up: at}, changing)
	case *logical.Recursive:
		if !varies(n, changing) {
			break
		}
		if err := f.visit(n.Init, at, changing); err != nil {
			return err
		}
		return f.visit(n.Step, at, with(changing, n.ID))
	}
	if !varies(n, changing) {
		_, err := f.fix(n, at)
		return err
	}
	for _, in := range n.Inputs() {
		if err := f.visit(in, at, changing); err != nil {
			return err
		}
	}
	return nil
}

func with(set map[logical.CommonID]bool, id logical.CommonID) map[logical.CommonID]bool {
	out := maps.Clone(set)
	out[id] = true
	return out
}

// fix makes common rows of a subtree.
func (f *fixer) fix(n logical.Node, at *scope) (*shared, error) {
	if s := at.fixedRows(n); s != nil {
		return s, nil
	}
	s := &shared{def: n, columns: n.Columns(), scope: at}
	f.rounds.fixed[n] = s
	return s, f.hold(s)
}

// hold keeps rows until the recursion ends: between two rounds nothing reads them.
func (f *fixer) hold(s *shared) error {
	rows, err := f.common(s)
	if err == nil {
		f.keep = append(f.keep, rows.Hold())
	}
	return err
}

// varies reports whether the rows of a subtree may be others in the next round. A
// volatile condition in a scan does not count: the scan is read once.
func varies(n logical.Node, changing map[logical.CommonID]bool) bool {
	if r, ok := n.(*logical.Reuse); ok && changing[r.ID] {
		return true
	}
	if _, scan := n.(*logical.Scan); !scan && slices.ContainsFunc(n.Exprs(), expr.IsVolatile) {
		return true
	}
	return slices.ContainsFunc(n.Inputs(), func(in logical.Node) bool { return varies(in, changing) })
}

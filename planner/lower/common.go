package lower

import (
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// scope is the common rows that the nodes below a With or a Recursive may read.
type scope struct {
	id logical.CommonID
	*shared
	// fixed is the subtrees of a Recursive's Step whose rows are the same in every round.
	fixed map[logical.Node]*shared
	up    *scope
}

// shared is rows that are read in several places. Its operators are made for the first
// of them; rows that nothing reads have none.
type shared struct {
	def     logical.Node
	columns logical.Columns
	scope   *scope // of def
	rows    *common.Rows
}

// with makes the rows of Def readable in Body.
func (b *builder) with(n *logical.With) ([]exec.Operator, error) {
	s := b.scope.fixedRows(n.Def)
	if s == nil {
		s = &shared{def: n.Def, columns: n.Def.Columns(), scope: b.scope}
	}
	return b.within(&scope{id: n.ID, shared: s, up: b.scope}, n.Body)
}

// within builds a node in a scope.
func (b *builder) within(s *scope, n logical.Node) ([]exec.Operator, error) {
	defer func(outer *scope) { b.scope = outer }(b.scope)
	b.scope = s
	return b.build(n)
}

func (s *scope) find(id logical.CommonID) (*shared, error) {
	for ; s != nil; s = s.up {
		if s.id == id {
			return s.shared, nil
		}
	}
	return nil, fmt.Errorf("internal error: the plan reads common rows %d outside of their WITH", id)
}

// fixedRows is the rows of a node that is the same in every round, nil if it is not.
func (s *scope) fixedRows(n logical.Node) *shared {
	for ; s != nil; s = s.up {
		if f := s.fixed[n]; f != nil {
			return f
		}
	}
	return nil
}

// common makes the operators of shared rows.
func (b *builder) common(s *shared) (*common.Rows, error) {
	if s.rows == nil {
		in, err := b.within(s.scope, s.def)
		if err != nil {
			return nil, err
		}
		s.rows = common.New(b.env, in)
	}
	return s.rows, nil
}

// read makes readers of columns of shared rows.
func (b *builder) read(s *shared, from []logical.ColumnID, as logical.Columns) ([]exec.Operator, error) {
	rows, err := b.common(s)
	if err != nil {
		return nil, err
	}
	places, err := positionsOf(s.columns).places(from)
	if err != nil {
		return nil, err
	}
	return rows.Readers(places, b.workers, as.Schema()), nil
}

func (b *builder) reuse(n *logical.Reuse) ([]exec.Operator, error) {
	s, err := b.scope.find(n.ID)
	if err != nil {
		return nil, err
	}
	return b.read(s, n.From, n.Output)
}

// picked is the streams of a node with the listed columns only.
func (b *builder) picked(n logical.Node, from []logical.ColumnID, as logical.Columns) ([]exec.Operator, error) {
	below := n.Columns()
	places, err := positionsOf(below).places(from)
	if err != nil {
		return nil, err
	}
	same := len(from) == len(below)
	exprs := make([]expr.Expr, len(places))
	for i, at := range places {
		same = same && at == i
		exprs[i] = expr.NewColumn(at, as[i].Name, as[i].Type)
	}
	if same {
		return b.build(n)
	}
	schema := as.Schema()
	return b.each(n, func(in exec.Operator) exec.Operator { return exec.NewProject(b.env, in, exprs, schema) })
}

func (b *builder) union(n *logical.Union) ([]exec.Operator, error) {
	if i, ok := b.input[n]; ok {
		return b.picked(n.In[i], n.From[i], n.Output)
	}
	inputs := make([][]exec.Operator, len(n.In))
	for i, in := range n.In {
		var err error
		if inputs[i], err = b.picked(in, n.From[i], n.Output); err != nil {
			return nil, err
		}
	}
	return exec.NewUnion(inputs, b.workers, n.Output.Schema()), nil
}

package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Compiler makes the runtime state of an expression for one goroutine. An expression may
// be as long as a statement: once the context of the query has ended nothing more is made,
// and the evaluation returns the error.
type Compiler struct {
	meter *quota.Meter
	alone bool // within a condition on one column, see ofOneColumn
	err   error
}

func newCompiler(m *quota.Meter) *Compiler { return &Compiler{meter: m} }

// Node is the runtime state of e.
func (c *Compiler) Node(e Expr) kernel.Node {
	if c.err == nil {
		c.err = c.meter.Work(quota.CompileWork)
	}
	if c.err != nil {
		return endedNode{c.err}
	}
	var n kernel.Node
	if column := c.byDictionary(e); column != nil {
		c.alone = true // what is within it has nothing to gain
		n = &dictionaryNode{inner: e.compile(c), column: column.Index, typ: column.T, result: e.Type()}
		c.alone = false
	} else {
		n = e.compile(c)
	}
	if o, ok := n.(kernel.Operator); ok {
		o.SetSource(source{e})
	}
	return n
}

// byDictionary is the column by whose dictionary e is evaluated; nil if there is none.
func (c *Compiler) byDictionary(e Expr) *Column {
	if c.alone {
		return nil
	}
	return byDictionary(e)
}

// Nodes are the runtime states of a list.
func (c *Compiler) Nodes(list []Expr) []kernel.Node {
	nodes := make([]kernel.Node, len(list))
	for i, e := range list {
		nodes[i] = c.Node(e)
	}
	return nodes
}

// Strict is an operation of type t that is NULL where an operand is. Beside an operand that is NULL for
// all rows the others are not evaluated, and so do not fail.
func (c *Compiler) Strict(t vector.Type, list []Expr, node func([]kernel.Node) kernel.Node) kernel.Node {
	nodes := c.Nodes(list)
	for _, n := range nodes {
		if k, ok := n.(constNode); ok && k.v.IsNull(0) {
			return c.Node(NewConst(vector.NullOf(t)))
		}
	}
	return node(nodes)
}

func (c *Compiler) strict(t vector.Type, list []Expr, o kernel.Operation) kernel.Node {
	return c.Strict(t, list, func(args []kernel.Node) kernel.Node { return kernel.NewStrict(t, o, args) })
}

// endedNode stands for what was not compiled any more.
type endedNode struct{ err error }

func (e endedNode) Eval(*kernel.Frame, []int32) (*vector.Vector, error) { return nil, e.err }

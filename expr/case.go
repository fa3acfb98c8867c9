package expr

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// caseNode takes each row's value from the first arm whose condition is TRUE. An arm
// is evaluated only for its own rows, so rows of other arms cannot make it fail.
type caseNode struct {
	whens []kernel.Selector
	thens []kernel.Node
	other kernel.Node
	typ   vector.Type

	out       kernel.Result
	hit, rest []int32
}

func (e *Case) compile(by *Compiler) kernel.Node {
	c := &caseNode{thens: by.Nodes(e.Thens), other: by.Node(e.Else), typ: e.T}
	for _, w := range e.Whens {
		c.whens = append(c.whens, kernel.AsSelector(by.Node(w)))
	}
	return c
}

func (c *caseNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	c.out.Reset(c.typ, f.N)
	c.hit = vector.Resize(c.hit, f.N)
	c.rest = vector.Resize(c.rest, f.N)
	left, all := rows, kernel.CountRows(rows, f.N)
	for i, w := range c.whens {
		hit, err := w.Select(f, left, c.hit)
		if err != nil {
			return nil, err
		}
		if len(hit) == 0 {
			continue
		}
		if len(hit) == all {
			return c.one(f, c.thens[i], rows)
		}
		if err := c.out.Take(f, c.thens[i], hit); err != nil {
			return nil, err
		}
		if left = kernel.Without(left, f.N, hit, c.rest); len(left) == 0 {
			return &c.out.Vector, nil
		}
	}
	if kernel.CountRows(left, f.N) == all {
		return c.one(f, c.other, rows)
	}
	return &c.out.Vector, c.out.Take(f, c.other, left)
}

// one is the result where all rows take the value of one arm: that of the arm, without a copy.
func (c *caseNode) one(f *kernel.Frame, arm kernel.Node, rows []int32) (*vector.Vector, error) {
	v, err := arm.Eval(f, rows)
	if err != nil || v.Type.Equal(c.typ) {
		return v, err
	}
	return &c.out.Vector, c.out.CopyRows(v, kernel.Listed(rows, f.N))
}

// coalesceNode evaluates each operand only for the rows where all operands before
// it are NULL.
type coalesceNode struct {
	args []kernel.Node
	typ  vector.Type

	out       kernel.Result
	hit, rest []int32
}

func (e *Coalesce) compile(by *Compiler) kernel.Node {
	return &coalesceNode{args: by.Nodes(e.Args), typ: e.T}
}

func (c *coalesceNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	first, err := c.args[0].Eval(f, rows)
	if err != nil || !first.MayHaveNulls() { // there is nothing to look for
		return first, err
	}
	c.out.Reset(c.typ, f.N)
	c.hit = vector.Resize(c.hit, f.N)
	c.rest = vector.Resize(c.rest, f.N)
	left := rows
	for at, a := range c.args {
		if kernel.CountRows(left, f.N) == 0 {
			break
		}
		v := first
		if at > 0 {
			if v, err = a.Eval(f, left); err != nil {
				return nil, err
			}
		}
		hit, k := c.hit[:0], 0
		for _, i := range kernel.Listed(left, f.N) {
			if c.rest[k] = i; v.IsNull(int(i)) {
				k++
				continue
			}
			hit = append(hit, i)
		}
		if len(hit) > 0 {
			if err := c.out.CopyRows(v, hit); err != nil {
				return nil, err
			}
		}
		left = c.rest[:k]
	}
	for _, i := range left {
		c.out.Null(int(i))
	}
	return &c.out.Vector, nil
}

package expr

import "github.com/parquetsql/parquetsql/vector"

// caseNode gives each row to the first arm whose condition is TRUE. An arm
// sees only its own rows, so what would fail elsewhere does not.
type caseNode struct {
	whens []chooser
	thens []node
	other node
	typ   vector.Type

	out       result
	hit, rest []int32
}

func (e *Case) compile() node {
	c := &caseNode{thens: compileAll(e.Thens), other: e.Else.compile(), typ: e.T}
	for _, w := range e.Whens {
		c.whens = append(c.whens, asChooser(w.compile()))
	}
	return c
}

func (c *caseNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	c.out.reset(c.typ, f.n)
	c.hit = vector.Resize(c.hit, f.n)
	c.rest = vector.Resize(c.rest, f.n)
	left := rows
	for i, w := range c.whens {
		hit, err := w.choose(f, left, c.hit)
		if err != nil {
			return nil, err
		}
		if len(hit) == 0 {
			continue
		}
		if err := c.out.take(f, c.thens[i], hit); err != nil {
			return nil, err
		}
		if left = without(left, f.n, hit, c.rest); len(left) == 0 {
			return &c.out.Vector, nil
		}
	}
	return &c.out.Vector, c.out.take(f, c.other, left)
}

// take evaluates nd for the rows and copies its values there.
func (r *result) take(f *frame, nd node, rows []int32) error {
	if countRows(rows, f.n) == 0 {
		return nil
	}
	v, err := nd.eval(f, rows)
	if err != nil {
		return err
	}
	return r.copyRows(v, listed(rows, f.n))
}

// copyRows sets rows of the result to those of v, which has the same storage.
func (r *result) copyRows(v *vector.Vector, rows []int32) error {
	if v.MayHaveNulls() {
		for _, i := range rows {
			if v.IsNull(int(i)) {
				r.null(int(i))
			}
		}
	}
	return r.CopyValues(v, rows)
}

// coalesceNode asks each operand only for the rows where all before it were NULL.
type coalesceNode struct {
	args []node
	typ  vector.Type

	out       result
	hit, rest []int32
}

func (e *Coalesce) compile() node { return &coalesceNode{args: compileAll(e.Args), typ: e.T} }

func (c *coalesceNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	c.out.reset(c.typ, f.n)
	c.hit = vector.Resize(c.hit, f.n)
	c.rest = vector.Resize(c.rest, f.n)
	left := rows
	for _, a := range c.args {
		if countRows(left, f.n) == 0 {
			break
		}
		v, err := a.eval(f, left)
		if err != nil {
			return nil, err
		}
		hit, k := c.hit[:0], 0
		for _, i := range listed(left, f.n) {
			if c.rest[k] = i; v.IsNull(int(i)) {
				k++
				continue
			}
			hit = append(hit, i)
		}
		if len(hit) > 0 {
			if err := c.out.copyRows(v, hit); err != nil {
				return nil, err
			}
		}
		left = c.rest[:k]
	}
	for _, i := range left {
		c.out.null(int(i))
	}
	return &c.out.Vector, nil
}

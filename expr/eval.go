package expr

import "github.com/parquetsql/parquetsql/vector"

// frame is the batch at hand.
type frame struct {
	cols []*vector.Vector
	n    int
}

// node is an expression's runtime state in one goroutine: its operands' nodes
// and scratch memory, which later batches reuse.
type node interface {
	// eval computes the rows listed, or all n where rows is nil. The result has
	// n rows, the others hold anything, and belongs to the node until its next
	// eval. Rows that are not listed raise no error.
	eval(f *frame, rows []int32) (*vector.Vector, error)
}

// chooser is a node that finds the rows where it is TRUE without making a
// vector of booleans first.
type chooser interface {
	node
	// choose writes the rows where the condition is TRUE to into, ascending.
	// into has room for all rows asked for and may be the memory of rows.
	choose(f *frame, rows []int32, into []int32) ([]int32, error)
}

// Evaluator computes an expression batch by batch. It belongs to one goroutine.
type Evaluator struct {
	root node
	f    frame
}

// NewEvaluator prepares the evaluation of e.
func NewEvaluator(e Expr) *Evaluator { return &Evaluator{root: e.compile()} }

// Eval is the expression's value for each row that the batch selects, aligned
// with the batch: b.Len rows, of which the unselected ones hold anything. It is
// valid until the next call and may be one of the batch's own columns.
func (ev *Evaluator) Eval(b *vector.Batch) (*vector.Vector, error) {
	ev.f = frame{cols: b.Cols, n: b.Len}
	return ev.root.eval(&ev.f, b.Sel)
}

// identity is 0, 1, 2, …: the selection of all rows, for loops whose body costs
// more than the indirection.
var identity = func() []int32 {
	rows := make([]int32, vector.BatchSize)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}()

// listed is rows, or all n rows spelled out where it is nil.
func listed(rows []int32, n int) []int32 {
	switch {
	case rows != nil:
		return rows
	case n <= len(identity):
		return identity[:n]
	}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func countRows(rows []int32, n int) int {
	if rows != nil {
		return len(rows)
	}
	return n
}

// columnNode reads a column of the batch.
type columnNode struct{ index int }

func (c *Column) compile() node { return columnNode{c.Index} }

func (c columnNode) eval(f *frame, _ []int32) (*vector.Vector, error) { return f.cols[c.index], nil }

// constNode is one value for all rows.
type constNode struct{ v *vector.Vector }

func (c *Const) compile() node { return constNode{vector.NewConstant(c.Value, 1)} }

func (c constNode) eval(f *frame, _ []int32) (*vector.Vector, error) {
	c.v.Len = f.n
	return c.v, nil
}

// result is a node's output vector with the memory that it owns. Its validity
// may be borrowed from an operand until a row is made NULL.
type result struct {
	vector.Vector
	memory vector.Validity
	owned  bool
}

// reset makes the result n flat rows without NULLs.
func (r *result) reset(t vector.Type, n int) {
	r.Vector.Reset(t, n)
	r.owned = false
}

// null makes row i NULL.
func (r *result) null(i int) {
	if !r.owned {
		words := (r.Len + 63) / 64
		r.memory = vector.Resize(r.memory, words)
		if r.Valid == nil {
			for w := range r.memory {
				r.memory[w] = ^uint64(0)
			}
		} else {
			copy(r.memory, r.Valid[:words])
		}
		r.Valid, r.owned = r.memory, true
	}
	r.Valid.Clear(i)
}

// restrict makes the rows NULL that v has as NULL.
func (r *result) restrict(valid vector.Validity) {
	words := (r.Len + 63) / 64
	switch {
	case valid == nil:
	case r.Valid == nil:
		r.Valid = valid
	case r.owned:
		for w := range words {
			r.Valid[w] &= valid[w]
		}
	default:
		r.memory = vector.Resize(r.memory, words)
		for w := range words {
			r.memory[w] = r.Valid[w] & valid[w]
		}
		r.Valid, r.owned = r.memory, true
	}
}

// setConstant makes the result one value, at index 0, for n rows.
func (r *result) setConstant(n int) *vector.Vector {
	r.Form, r.Len = vector.Constant, n
	return &r.Vector
}

// setNull makes the result NULL for n rows.
func (r *result) setNull(t vector.Type, n int) *vector.Vector {
	r.reset(t, 1)
	r.null(0)
	return r.setConstant(n)
}

// keepValid drops the rows that are NULL from rows, in place.
func keepValid(rows []int32, valid vector.Validity) []int32 {
	if valid == nil {
		return rows
	}
	k := 0
	for _, i := range rows {
		rows[k] = i
		k += int(valid[i>>6] >> (uint32(i) & 63) & 1)
	}
	return rows[:k]
}

// validRows writes the rows of rows (all n where nil) that are not NULL to into.
func validRows(rows []int32, n int, valid vector.Validity, into []int32) []int32 {
	if rows == nil {
		k := 0
		for i := range n {
			into[k] = int32(i)
			k += int(valid[i>>6] >> (uint(i) & 63) & 1)
		}
		return into[:k]
	}
	k := 0
	for _, i := range rows {
		into[k] = i
		k += int(valid[i>>6] >> (uint32(i) & 63) & 1)
	}
	return into[:k]
}

// without writes rows (all n where nil) that are not in drop to into; both ascend.
func without(rows []int32, n int, drop, into []int32) []int32 {
	k, d := 0, 0
	for _, i := range listed(rows, n) {
		if d < len(drop) && drop[d] == i {
			d++
			continue
		}
		into[k] = i
		k++
	}
	return into[:k]
}

// asChooser is nd itself where it finds rows by itself, else a wrapper that
// reads its booleans.
func asChooser(nd node) chooser {
	if c, ok := nd.(chooser); ok {
		return c
	}
	return &booleanChooser{nd}
}

type booleanChooser struct{ node }

func (c *booleanChooser) choose(f *frame, rows, into []int32) ([]int32, error) {
	v, err := c.eval(f, rows)
	if err != nil {
		return nil, err
	}
	return chooseTrue(v, rows, f.n, into), nil
}

// chooseTrue writes the rows that are TRUE to into.
func chooseTrue(v *vector.Vector, rows []int32, n int, into []int32) []int32 {
	if v.Type.Kind == vector.Null {
		return into[:0]
	}
	k := 0
	switch v.Form {
	case vector.Constant:
		if v.IsNull(0) || !v.Bool[0] {
			return into[:0]
		}
		return into[:copy(into, listed(rows, n))]
	case vector.Dictionary:
		for _, i := range listed(rows, n) {
			into[k] = i
			if v.Dict.Bool[v.Codes[i]] {
				k++
			}
		}
	default:
		for _, i := range listed(rows, n) {
			into[k] = i
			if v.Bool[i] {
				k++
			}
		}
	}
	return keepValid(into[:k], v.Valid)
}

package kernel

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Frame is the batch that is evaluated.
type Frame struct {
	Cols   []*vector.Vector
	Params []*vector.Vector // of the lambdas whose body is evaluated
	N      int
	Meter  *quota.Meter // bounds what the nodes make; may be nil
}

// Node is an expression's runtime state in one goroutine: its operands' nodes
// and scratch memory, which later batches reuse.
type Node interface {
	// Eval computes the listed rows, or all N where rows is nil. The result has N
	// rows; those not listed hold arbitrary values and raise no error. It belongs to
	// the node until the next Eval.
	Eval(f *Frame, rows []int32) (*vector.Vector, error)
}

// Selector is a node that finds the rows where it is TRUE without a vector of
// booleans.
type Selector interface {
	Node
	// Select writes the rows where the condition is TRUE to into, ascending. into has
	// room for all listed rows and may be the memory of rows.
	Select(f *Frame, rows []int32, into []int32) ([]int32, error)
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

// Listed returns rows, or 0 to n-1 if rows is nil.
func Listed(rows []int32, n int) []int32 {
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

// CountRows is the number of listed rows; nil lists all n.
func CountRows(rows []int32, n int) int {
	if rows != nil {
		return len(rows)
	}
	return n
}

// Result is a node's output vector with the memory that it owns. Its validity
// may be borrowed from an operand until a row is made NULL.
type Result struct {
	vector.Vector
	memory vector.Validity
	picks  [][]int32        // of the last ListBuilder
	built  []*vector.Vector // the children that it made; nil: their memory is not used again
	Owned  bool
	Meter  *quota.Meter // of the batch: what makes long values asks it first; may be nil
}

// Reset makes the result n flat rows without NULLs.
func (r *Result) Reset(t vector.Type, n int) {
	r.Vector.Reset(t, n)
	r.Owned = false
	if t.Storage() == vector.StoreString {
		clear(r.Str) // long texts of the batch before must not stay alive
	}
}

// Begin is Reset for the batch of f.
func (r *Result) Begin(t vector.Type, f *Frame) {
	r.Reset(t, f.N)
	r.Meter = f.Meter
}

// Null makes row i NULL.
func (r *Result) Null(i int) {
	if !r.Owned {
		words := (r.Len + 63) / 64
		r.memory = vector.Resize(r.memory, words)
		if r.Valid == nil {
			for w := range r.memory {
				r.memory[w] = ^uint64(0)
			}
		} else {
			copy(r.memory, r.Valid[:words])
		}
		r.Valid, r.Owned = r.memory, true
	}
	r.Valid.Clear(i)
}

// restrict makes the rows that are not valid NULL.
func (r *Result) restrict(valid vector.Validity) {
	words := (r.Len + 63) / 64
	switch {
	case valid == nil:
	case r.Valid == nil:
		r.Valid = valid
	case r.Owned:
		for w := range words {
			r.Valid[w] &= valid[w]
		}
	default:
		r.memory = vector.Resize(r.memory, words)
		for w := range words {
			r.memory[w] = r.Valid[w] & valid[w]
		}
		r.Valid, r.Owned = r.memory, true
	}
}

// setConstant makes the result a constant for n rows, whose value is at index 0.
func (r *Result) setConstant(n int) *vector.Vector {
	r.Form, r.Len = vector.Constant, n
	return &r.Vector
}

// SetNull makes the result NULL for n rows.
func (r *Result) SetNull(t vector.Type, n int) *vector.Vector {
	r.Reset(t, 1)
	r.Null(0)
	return r.setConstant(n)
}

// KeepValid removes the NULL rows from rows, in place.
func KeepValid(rows []int32, valid vector.Validity) []int32 {
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

// Without writes rows (all n where nil) that are not in drop to into; both ascend.
func Without(rows []int32, n int, drop, into []int32) []int32 {
	k, d := 0, 0
	for _, i := range Listed(rows, n) {
		if d < len(drop) && drop[d] == i {
			d++
			continue
		}
		into[k] = i
		k++
	}
	return into[:k]
}

// AsSelector returns nd itself if it is a Selector, else a wrapper that reads its
// booleans.
func AsSelector(nd Node) Selector {
	if c, ok := nd.(Selector); ok {
		return c
	}
	return &booleanSelector{nd}
}

type booleanSelector struct{ Node }

func (c *booleanSelector) Select(f *Frame, rows, into []int32) ([]int32, error) {
	v, err := c.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	return selectTrue(v, rows, f.N, into), nil
}

// selectTrue writes the rows that are TRUE to into.
func selectTrue(v *vector.Vector, rows []int32, n int, into []int32) []int32 {
	if v.Type.Kind == vector.Null {
		return into[:0]
	}
	k := 0
	switch v.Form {
	case vector.Constant:
		if v.IsNull(0) || !v.Bool[0] {
			return into[:0]
		}
		return into[:copy(into, Listed(rows, n))]
	case vector.Dictionary:
		for _, i := range Listed(rows, n) {
			into[k] = i
			if v.Dict.Bool[v.Codes[i]] {
				k++
			}
		}
	default:
		for _, i := range Listed(rows, n) {
			into[k] = i
			if v.Bool[i] {
				k++
			}
		}
	}
	return KeepValid(into[:k], v.Valid)
}

// Take evaluates nd for the rows and copies the values to the same rows of the result.
func (r *Result) Take(f *Frame, nd Node, rows []int32) error {
	if CountRows(rows, f.N) == 0 {
		return nil
	}
	v, err := nd.Eval(f, rows)
	if err != nil {
		return err
	}
	return r.CopyRows(v, Listed(rows, f.N))
}

// CopyRows sets rows of the result to those of v, which has the same storage.
func (r *Result) CopyRows(v *vector.Vector, rows []int32) error {
	if v.MayHaveNulls() {
		for _, i := range rows {
			if v.IsNull(int(i)) {
				r.Null(int(i))
			}
		}
	}
	return r.CopyValues(v, rows)
}

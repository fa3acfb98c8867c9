package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctNode is IS [NOT] DISTINCT FROM: never NULL.
type distinctNode struct {
	same interface {
		Select(f *kernel.Frame, rows, into []int32) ([]int32, error) // as of kernel.Selector
	}
	not  bool
	rows []int32
	out  kernel.Result
}

func (e *DistinctFrom) compile(by *Compiler) kernel.Node {
	if c, ok := e.R.(*Const); ok && !c.Value.Null { // no row is NULL as the constant is
		equal := by.Node(&Compare{Op: scalar.OpEq, L: e.L, R: e.R})
		return &distinctNode{same: kernel.AsSelector(equal), not: e.Not}
	}
	return &distinctNode{not: e.Not, same: &sameValues{
		l: by.Node(e.L), r: by.Node(e.R), equal: kernel.Compares(scalar.OpEq, e.L.Type()), argv: make([]*vector.Vector, 2),
	}}
}

func (e *distinctNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	e.rows = vector.Resize(e.rows, f.N)
	same, err := e.same.Select(f, rows, e.rows)
	if err != nil {
		return nil, err
	}
	e.out.Reset(vector.Of(vector.Boolean), f.N)
	for _, i := range kernel.Listed(rows, f.N) {
		e.out.Bool[i] = !e.not
	}
	for _, i := range same {
		e.out.Bool[i] = e.not
	}
	return &e.out.Vector, nil
}

func (e *distinctNode) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	if e.not {
		return e.same.Select(f, rows, into)
	}
	e.rows = vector.Resize(e.rows, f.N)
	same, err := e.same.Select(f, rows, e.rows)
	if err != nil {
		return nil, err
	}
	return kernel.Without(rows, f.N, same, into), nil
}

// sameValues selects the rows where both values are equal or both are NULL.
type sameValues struct {
	l, r  kernel.Node
	equal kernel.Predicate

	argv        []*vector.Vector
	flat        []kernel.Result
	live, nulls []int32
}

func (e *sameValues) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	var err error
	if e.argv[0], err = e.l.Eval(f, rows); err != nil {
		return nil, err
	}
	if e.argv[1], err = e.r.Eval(f, rows); err != nil {
		return nil, err
	}
	kernel.Flatten(e.argv, &e.flat, rows, f.N)
	l, r := e.argv[0], e.argv[1]
	if l.Valid == nil && r.Valid == nil {
		return e.equal(e.argv, rows, f.N, into)
	}
	e.live, e.nulls = vector.Resize(e.live, f.N), vector.Resize(e.nulls, f.N)
	live := present(r, present(l, rows, f.N, true, e.live), f.N, true, e.live)
	if live, err = e.equal(e.argv, live, f.N, live); err != nil {
		return nil, err
	}
	nulls := present(r, present(l, rows, f.N, false, e.nulls), f.N, false, e.nulls)
	return union(live, nulls, into), nil
}

// present writes the rows that have a value or, where set is false, that are NULL to into.
func present(v *vector.Vector, rows []int32, n int, set bool, into []int32) []int32 {
	if v.Type.Kind != vector.Null && v.Form != vector.Constant && v.Valid != nil {
		return v.Valid.Select(rows, n, set, into)
	}
	listed := kernel.Listed(rows, n) // all rows are alike
	if len(listed) == 0 || v.IsNull(int(listed[0])) == set {
		return into[:0]
	}
	return into[:copy(into, listed)]
}

// union writes the rows of two ascending lists that have none in common to into.
func union(a, b, into []int32) []int32 {
	if len(b) == 0 {
		return into[:copy(into, a)]
	}
	k, j := 0, 0
	for _, i := range a {
		for ; j < len(b) && b[j] < i; j++ {
			into[k] = b[j]
			k++
		}
		into[k] = i
		k++
	}
	return into[:k+copy(into[k:], b[j:])]
}

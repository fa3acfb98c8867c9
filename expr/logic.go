package expr

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// logicNode is AND or OR. Each operand is evaluated for the undecided rows only:
// FALSE decides a row of AND, TRUE decides a row of OR.
type logicNode struct {
	or     bool
	args   []kernel.Selector
	needed []kernel.Selector // of OR: TRUE where it is

	out       kernel.Result
	undecided []int32
	found     []int32
	likely    []int32 // the rows that are needed
	marked    []bool
	unknown   vector.Validity // rows where an operand was NULL
}

func (e *Logic) compile(by *Compiler) kernel.Node {
	if by.alone {
		return e.node(by)
	}
	if oneColumn(e) >= 0 {
		return e.ofOneColumn(by)
	}
	n := e.node(by)
	if l, ok := n.(*logicNode); ok {
		for _, n := range e.needed() {
			l.needed = append(l.needed, kernel.AsSelector(by.Node(n)))
		}
	}
	return n
}

// node evaluates the operands one after the other.
func (e *Logic) node(by *Compiler) kernel.Node {
	args := e.operands()
	if len(args) == 1 {
		return by.Node(args[0])
	}
	l := &logicNode{or: e.Or, args: make([]kernel.Selector, len(args))}
	for i, a := range args {
		if i < KeptOperands {
			l.args[i] = kernel.AsSelector(by.Node(a))
		} else {
			l.args[i] = brief{a}
		}
	}
	return l
}

// KeptOperands is how many operands of AND and OR keep the vectors that they compute, some
// 16 KB each, from batch to batch. Making them anew takes about as long as computing them.
const KeptOperands = 250

// brief is an operand that is compiled for each batch and then forgotten.
type brief struct{ e Expr }

func (b brief) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	f.Meter.Made(b.bytes(f))
	return newCompiler(f.Meter).Node(b.e).Eval(f, rows)
}

func (b brief) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	f.Meter.Made(b.bytes(f))
	return kernel.AsSelector(newCompiler(f.Meter).Node(b.e)).Select(f, rows, into)
}

// bytes is about how much is garbage after an evaluation.
func (b brief) bytes(f *kernel.Frame) int64 {
	return int64(f.N*Operations(context.Background(), []Expr{b.e})) * valueBytes
}

func (l *logicNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	l.out.Reset(vector.Of(vector.Boolean), f.N)
	l.unknown = vector.Resize(l.unknown, (f.N+63)/64)
	clear(l.unknown)
	l.undecided = vector.Resize(l.undecided, f.N)
	left, anyUnknown := rows, false
	for _, a := range l.args {
		if kernel.CountRows(left, f.N) == 0 {
			break
		}
		v, err := a.Eval(f, left)
		if err != nil {
			return nil, err
		}
		k := 0
		if v.Form == vector.Flat && v.Valid == nil {
			left = l.undecided[:l.decide(v.Bool, kernel.Listed(left, f.N))]
			continue
		}
		for _, i := range kernel.Listed(left, f.N) {
			l.undecided[k] = i
			switch known, value := truth(v, i); {
			case !known:
				l.unknown.Set(int(i))
				anyUnknown = true
				k++
			case value == l.or:
				l.out.Bool[i] = value
				l.unknown.Clear(int(i))
			default:
				k++
			}
		}
		left = l.undecided[:k]
	}
	for _, i := range left {
		l.out.Bool[i] = !l.or
	}
	if anyUnknown {
		for _, i := range left {
			if l.unknown.Get(int(i)) {
				l.out.Null(int(i))
			}
		}
	}
	return &l.out.Vector, nil
}

// decide decides the rows of an operand without NULLs, and lists the others; it returns how many there
// are. The values of those are written when all operands are known.
func (l *logicNode) decide(values []bool, rows []int32) int {
	k, or := 0, l.or
	for _, i := range rows {
		l.undecided[k] = i
		l.out.Bool[i] = or
		if values[i] != or {
			k++
		}
	}
	return k
}

// truth is row i of a boolean vector.
func truth(v *vector.Vector, i int32) (known, value bool) {
	if v.IsNull(int(i)) {
		return false, false
	}
	switch v.Form {
	case vector.Constant:
		return true, v.Bool[0]
	case vector.Dictionary:
		return true, v.Dict.Bool[v.Codes[i]]
	}
	return true, v.Bool[i]
}

func (l *logicNode) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	if l.or {
		return l.selectAny(f, rows, into)
	}
	for _, a := range l.args {
		selected, err := a.Select(f, rows, into)
		if err != nil || len(selected) == 0 {
			return selected, err
		}
		rows = selected
	}
	return rows, nil
}

// selectAny is Select of OR. It marks the rows where an operand is TRUE, so that
// they come out in ascending order.
func (l *logicNode) selectAny(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	l.undecided = vector.Resize(l.undecided, f.N)
	l.found = vector.Resize(l.found, f.N)
	l.marked = vector.Resize(l.marked, f.N)
	clear(l.marked)
	for _, n := range l.needed {
		l.likely = vector.Resize(l.likely, f.N)
		var err error
		if rows, err = n.Select(f, rows, l.likely); err != nil || len(rows) == 0 {
			return into[:0], err
		}
	}
	left := rows
	for k, a := range l.args {
		found, err := a.Select(f, left, l.found)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			l.marked[i] = true
		}
		if k == len(l.args)-1 {
			break
		}
		if left = l.unmarked(left, f.N); len(left) == 0 {
			break
		}
	}
	k := 0
	for _, i := range kernel.Listed(rows, f.N) {
		into[k] = i
		if l.marked[i] {
			k++
		}
	}
	return into[:k], nil
}

// unmarked returns the rows that are not marked.
func (l *logicNode) unmarked(rows []int32, n int) []int32 {
	k := 0
	for _, i := range kernel.Listed(rows, n) {
		l.undecided[k] = i
		if !l.marked[i] {
			k++
		}
	}
	return l.undecided[:k]
}

// notNode is NOT of an expression that the builder could not negate.
type notNode struct {
	x   kernel.Node
	out kernel.Result
}

func (e *Not) compile(by *Compiler) kernel.Node { return &notNode{x: by.Node(e.X)} }

func (e *notNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := e.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	e.out.Reset(vector.Of(vector.Boolean), f.N)
	for _, i := range kernel.Listed(rows, f.N) {
		known, value := truth(v, i)
		if e.out.Bool[i] = !value; !known {
			e.out.Null(int(i))
		}
	}
	return &e.out.Vector, nil
}

// isNode evaluates IS NULL, IS TRUE and IS FALSE, which are never NULL.
type isNode struct {
	x      kernel.Node
	answer func(v *vector.Vector, i int32) bool
	out    kernel.Result
}

func (e *IsNull) compile(by *Compiler) kernel.Node {
	not := e.Not
	return &isNullNode{not: not, isNode: isNode{
		x: by.Node(e.X), answer: func(v *vector.Vector, i int32) bool { return v.IsNull(int(i)) != not },
	}}
}

func (e *IsBool) compile(by *Compiler) kernel.Node {
	want, not := e.Value, e.Not
	return &isNode{x: by.Node(e.X), answer: func(v *vector.Vector, i int32) bool {
		known, value := truth(v, i)
		return (known && value == want) != not
	}}
}

func (e *isNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := e.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	e.out.Reset(vector.Of(vector.Boolean), f.N)
	for _, i := range kernel.Listed(rows, f.N) {
		e.out.Bool[i] = e.answer(v, i)
	}
	return &e.out.Vector, nil
}

func (e *isNode) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	v, err := e.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	k := 0
	for _, i := range kernel.Listed(rows, f.N) {
		into[k] = i
		if e.answer(v, i) {
			k++
		}
	}
	return into[:k], nil
}

// isNullNode is isNode for IS [NOT] NULL.
type isNullNode struct {
	isNode
	not bool
}

func (e *isNullNode) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	v, err := e.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	return present(v, rows, f.N, e.not, into), nil
}

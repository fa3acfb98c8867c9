package list

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

func reduce(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOf(call, args)
	if err != nil {
		return nil, err
	}
	x := args[0]
	if x.Type().Kind == vector.Null {
		return x, nil
	}
	t := l.Params[0].T
	if t.Kind == vector.Null { // all elements are NULL
		l = &expr.Lambda{Params: l.Params, Body: expr.NewConst(vector.NullOf(t))}
	}
	if l, err = l.Cast(t); err != nil {
		return nil, err
	}
	list := []expr.Expr{x, l}
	var begin expr.Expr
	if len(args) > 2 {
		if begin, err = expr.ImplicitCast(args[2], t); err != nil {
			return nil, err
		}
		list = append(list, begin)
	}
	return expr.NewCall(call, list, t, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		n := &reduceNode{x: by.Node(x), body: by.Node(l.Body), capture: expr.NewCapture(l), typ: t, element: x.Type().Fields[0].Type, sofar: &vector.Vector{}, other: &vector.Vector{}}
		if begin != nil {
			n.begin = by.Node(begin)
		}
		return n
	}}), nil
}

// reduceNode takes one element of each row in each round, so that the body is evaluated
// over vectors.
type reduceNode struct {
	x, begin, body kernel.Node
	capture        *expr.Capture
	typ, element   vector.Type

	rows     []int32        // those that are not done
	next     []kernel.Range // their elements that are left
	sofar    *vector.Vector // by row of rows
	other    *vector.Vector // memory for the next sofar
	values   vector.Vector
	places   []int32
	left     []int32
	ended    []int32
	done     *vector.Vector // the results of the rows that are done, by the order of finished
	finished []int32
	out      kernel.Result
}

func (n *reduceNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if kernel.CountRows(rows, f.N) == 0 {
		return n.out.SetNull(n.typ, f.N), nil
	}
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	if len(v.Children) == 0 || v.Form == vector.Constant && v.IsNull(0) {
		return n.out.SetNull(n.typ, f.N), nil
	}
	if err := n.start(f, v, rows); err != nil {
		return nil, err
	}
	elements := v.Children[0]
	for round := int64(1); ; round++ {
		if err := f.Meter.Work(roundWork * (1 + len(n.rows))); err != nil {
			return nil, err
		}
		if err := n.finish(); err != nil {
			return nil, err
		}
		if len(n.rows) == 0 {
			break
		}
		if err := n.step(f, elements, round); err != nil {
			return nil, err
		}
	}
	return n.result(f)
}

// roundWork is what a row takes in a round, in bytes of simpler work.
const roundWork = 256

// start takes the values that the rows begin with.
func (n *reduceNode) start(f *kernel.Frame, v *vector.Vector, rows []int32) error {
	lists := kernel.ListsOf(v)
	n.rows, n.next, n.finished, n.done = n.rows[:0], n.next[:0], n.finished[:0], vector.New(n.typ, 0)
	var first []int32
	for _, i := range kernel.Listed(rows, f.N) {
		if v.IsNull(int(i)) {
			continue
		}
		r := lists.At(i)
		if n.begin == nil {
			if r.Len() == 0 {
				return errReduceEmpty
			}
			first = append(first, r.From)
			r.From++
		}
		n.rows, n.next = append(n.rows, i), append(n.next, r)
	}
	if n.begin == nil {
		return n.sofar.Gather(lists.Elements, first)
	}
	b, err := n.begin.Eval(f, rows)
	if err != nil {
		return err
	}
	return n.sofar.Gather(b, n.rows)
}

// finish moves the rows without further elements to those that are done.
func (n *reduceNode) finish() error {
	left, ended := n.left[:0], n.ended[:0]
	for k, r := range n.next {
		if r.Len() == 0 {
			ended = append(ended, int32(k))
			n.finished = append(n.finished, n.rows[k])
		} else {
			left = append(left, int32(k))
		}
	}
	if n.left, n.ended = left, ended; len(ended) == 0 {
		return nil
	}
	if err := n.done.Append(n.sofar, ended); err != nil {
		return err
	}
	if err := n.other.Gather(n.sofar, left); err != nil {
		return err
	}
	n.sofar, n.other = n.other, n.sofar
	for k, at := range left {
		n.rows[k], n.next[k] = n.rows[at], n.next[at]
	}
	n.rows, n.next = n.rows[:len(left)], n.next[:len(left)]
	return nil
}

// step takes an element of each row that is left.
func (n *reduceNode) step(f *kernel.Frame, elements *vector.Vector, round int64) error {
	places := vector.Resize(n.places, len(n.next))
	n.places = places
	for k := range n.next {
		places[k] = n.next[k].From
		n.next[k].From++
	}
	if n.begin == nil {
		round++
	}
	if err := n.values.Gather(elements, places); err != nil {
		return err
	}
	inner, err := n.capture.Frame(f, n.rows, n.sofar, &n.values, vector.NewConstant(vector.IntScalar(round), len(places)))
	if err != nil {
		return err
	}
	made, err := n.body.Eval(inner, nil)
	if err != nil {
		return err
	}
	if err := n.other.Gather(made, nil); err != nil {
		return err
	}
	n.sofar, n.other = n.other, n.sofar
	return nil
}

// result puts the rows in their places.
func (n *reduceNode) result(f *kernel.Frame) (*vector.Vector, error) {
	picks := make([]vector.Pick, f.N) // source 0 is NULL
	for k, row := range n.finished {
		picks[row] = vector.Pick{Source: 1, Row: int32(k)}
	}
	n.out.Owned = false
	return &n.out.Vector, n.out.Pick(n.typ, []*vector.Vector{vector.NewConstant(vector.NullOf(n.typ), 1), n.done}, picks)
}

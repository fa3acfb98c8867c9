package list

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// LambdaFunctions apply a lambda to the elements of a LIST. Its last parameter may be the
// element's position, from 1.
var LambdaFunctions = []expr.Function{
	{Name: "LIST_TRANSFORM", Aliases: []string{"ARRAY_TRANSFORM", "LIST_APPLY", "ARRAY_APPLY", "APPLY"}, Help: "the LIST of what a lambda makes of each element",
		Example: "LIST_TRANSFORM([1, 2], x -> x + 1) → [2,3]", Lambda: elementLambda, Binding: define.Custom(transform, "LIST(T), lambda → LIST")},
	{Name: "LIST_FILTER", Aliases: []string{"ARRAY_FILTER", "FILTER"}, Help: "the elements for which a lambda is true",
		Example: "LIST_FILTER([1, 2, 3], x -> x > 1) → [2,3]", Lambda: elementLambda, Binding: define.Custom(filter, "LIST(T), lambda → LIST(T)")},
	{Name: "LIST_REDUCE", Aliases: []string{"ARRAY_REDUCE", "REDUCE"}, Help: "what is left when a lambda has put the elements together one by one, beginning with the first one or with a given value",
		Example: "LIST_REDUCE([1, 2, 3], (a, x) -> a + x) → 6", Lambda: reduceLambda,
		Binding: define.Overloaded(define.Custom(reduce, "LIST(T), lambda → T"), define.Custom(reduce, "LIST(T), lambda, T → T"))},
}

// listArgument is the type of the elements of the first argument.
func listArgument(name string, args []expr.Expr) (vector.Type, error) {
	if len(args) == 0 || args[0] == nil {
		return vector.Type{}, fmt.Errorf("%s takes a LIST and a lambda", name)
	}
	switch t := args[0].Type(); t.Kind {
	case vector.Null:
		return t, nil
	case vector.List:
		return t.Fields[0].Type, nil
	default:
		return t, fmt.Errorf("%s takes a LIST and a lambda, not %s", name, t)
	}
}

// elementLambda is for lambdas of an element and its position.
func elementLambda(name string, args []expr.Expr, count int, bind func([]vector.Type) (*expr.Lambda, error)) (*expr.Lambda, error) {
	t, err := listArgument(name, args)
	if err != nil {
		return nil, err
	}
	if count > 2 {
		return nil, fmt.Errorf("the lambda of %s has the element and its position as parameters, not %d", name, count)
	}
	return bind([]vector.Type{t, define.TypeInt}[:count])
}

// reduceLambda is for lambdas of what there is so far, an element and its position.
func reduceLambda(name string, args []expr.Expr, count int, bind func([]vector.Type) (*expr.Lambda, error)) (*expr.Lambda, error) {
	t, err := listArgument(name, args)
	if err != nil {
		return nil, err
	}
	if count < 2 || count > 3 {
		return nil, fmt.Errorf("the lambda of %s has what there is so far, the element and its position as parameters, not %d", name, count)
	}
	sofar := t
	if len(args) > 2 {
		if sofar, err = expr.CommonType(t, args[2].Type()); err != nil {
			return nil, err
		}
	}
	return bind([]vector.Type{sofar, t, define.TypeInt}[:count])
}

// lambdaOf is the second argument.
func lambdaOf(call expr.Callee, args []expr.Expr) (*expr.Lambda, error) {
	l, ok := args[1].(*expr.Lambda)
	if !ok {
		return nil, fmt.Errorf("%s takes a lambda as its second argument: x -> x + 1", call.Name)
	}
	return l, nil
}

func transform(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOf(call, args)
	if err != nil {
		return nil, err
	}
	if args[0].Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(args[0].Type())), nil
	}
	t := expr.ListType(l.Type())
	return expr.NewCall(call, args, t, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &transformNode{elements: newElementNode(by, args[0], l), typ: t}
	}}), nil
}

func filter(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOf(call, args)
	if err != nil {
		return nil, err
	}
	x := args[0]
	if x.Type().Kind == vector.Null {
		return x, nil
	}
	if l, err = l.Cast(define.TypeBoolean); err != nil {
		return nil, fmt.Errorf("%s: %w", call.Name, err)
	}
	return expr.NewCall(call, []expr.Expr{x, l}, x.Type(), &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &filterNode{elements: newElementNode(by, x, l), typ: x.Type()}
	}}), nil
}

// elementNode evaluates a lambda for the elements of LISTs, a batch of elements at a time.
type elementNode struct {
	x       kernel.Node
	body    kernel.Node
	chosen  kernel.Selector
	capture *expr.Capture

	owners, places []int32
	positions      []int64
	values         *vector.Vector // of the elements of a batch: gathered, or view
	gathered, view vector.Vector
	position       vector.Vector
}

func newElementNode(by *expr.Compiler, x expr.Expr, l *expr.Lambda) elementNode {
	body := by.Node(l.Body)
	return elementNode{x: by.Node(x), body: body, chosen: kernel.AsSelector(body), capture: expr.NewCapture(l)}
}

// each calls f with the batches of the elements of the listed rows that are not NULL: the
// batch for the body, the rows that the elements belong to, and their places.
func (n *elementNode) each(f *kernel.Frame, v *vector.Vector, rows []int32, do func(inner *kernel.Frame) error) error {
	lists := kernel.ListsOf(v)
	owners, places, positions := vector.Resize(n.owners, vector.BatchSize), vector.Resize(n.places, vector.BatchSize), vector.Resize(n.positions, vector.BatchSize)
	n.owners, n.places, n.positions = owners, places, positions
	k, apart := 0, false // how many elements are in the batch, and whether they are not behind each other
	flush := func() error {
		if k == 0 {
			return nil
		}
		n.owners = owners[:k]
		if apart {
			n.values, apart = &n.gathered, false
			if err := n.gathered.Gather(lists.Elements, places[:k]); err != nil {
				return err
			}
		} else {
			n.values = &n.view
			n.view.Slice(lists.Elements, int(places[0]), k)
		}
		n.position = vector.Vector{Type: define.TypeInt, Len: k, I64: positions[:k]}
		inner, err := n.capture.Frame(f, n.owners, n.values, &n.position)
		if err != nil {
			return err
		}
		if err := f.Meter.Elements(int64(inner.N)); err != nil {
			return err
		}
		k = 0
		return do(inner)
	}
	for _, i := range kernel.Listed(rows, f.N) {
		if v.IsNull(int(i)) {
			continue
		}
		for r, e := lists.At(i), int32(0); e < r.Len(); {
			some := int(min(r.Len()-e, int32(vector.BatchSize-k)))
			apart = apart || k > 0 && r.From+e != places[k-1]+1
			for at := k; at < k+some; at++ {
				owners[at], places[at], positions[at] = i, r.From+e, int64(e)+1
				e++
			}
			if k += some; k == vector.BatchSize {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// lists evaluates the argument; none is true if all rows are NULL or no row is listed.
func (n *elementNode) lists(f *kernel.Frame, rows []int32) (v *vector.Vector, none bool, err error) {
	if kernel.CountRows(rows, f.N) == 0 {
		return nil, true, nil
	}
	v, err = n.x.Eval(f, rows)
	return v, err == nil && (len(v.Children) == 0 || v.Form == vector.Constant && v.IsNull(0)), err
}

type transformNode struct {
	elements elementNode
	typ      vector.Type
	out      kernel.Result
}

func (t *transformNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, none, err := t.elements.lists(f, rows)
	if err != nil {
		return nil, err
	}
	if none {
		return t.out.SetNull(t.typ, f.N), nil
	}
	t.out.Begin(t.typ, f)
	child := t.out.Child(0, kernel.FewElements(v, rows))
	if err := t.elements.each(f, v, rows, func(inner *kernel.Frame) error {
		made, err := t.elements.body.Eval(inner, nil)
		if err != nil {
			return err
		}
		return child.Append(made, nil)
	}); err != nil {
		return nil, err
	}
	sizes(&t.out, v, rows, f.N, func(r kernel.Range, _ int32) int32 { return r.Len() })
	return &t.out.Vector, nil
}

// sizes sets the offsets of a LIST by the number of elements of each listed row.
func sizes(out *kernel.Result, v *vector.Vector, rows []int32, n int, size func(r kernel.Range, row int32) int32) {
	lists, total, next := kernel.ListsOf(v), int32(0), 0
	for _, i := range kernel.Listed(rows, n) {
		for ; next <= int(i); next++ {
			out.Offsets[next] = total
		}
		if v.IsNull(int(i)) {
			out.Null(int(i))
			continue
		}
		total += size(lists.At(i), i)
	}
	for ; next <= n; next++ {
		out.Offsets[next] = total
	}
}

type filterNode struct {
	elements elementNode
	typ      vector.Type
	out      kernel.Result
	into     []int32
	counts   []int32
}

func (t *filterNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, none, err := t.elements.lists(f, rows)
	if err != nil {
		return nil, err
	}
	if none {
		return t.out.SetNull(t.typ, f.N), nil
	}
	t.out.Begin(t.typ, f)
	child := t.out.Child(0, kernel.FewElements(v, rows))
	t.counts = vector.Resize(t.counts, f.N)
	clear(t.counts)
	if err := t.elements.each(f, v, rows, func(inner *kernel.Frame) error {
		t.into = vector.Resize(t.into, inner.N)
		kept, err := t.elements.chosen.Select(inner, nil, t.into)
		if err != nil || len(kept) == 0 {
			return err
		}
		for _, k := range kept {
			t.counts[t.elements.owners[k]]++
		}
		return child.Append(t.elements.values, kept)
	}); err != nil {
		return nil, err
	}
	sizes(&t.out, v, rows, f.N, func(_ kernel.Range, row int32) int32 { return t.counts[row] })
	return &t.out.Vector, nil
}

var errReduceEmpty = errors.New("LIST_REDUCE of an empty LIST needs a value to begin with, as its third argument")

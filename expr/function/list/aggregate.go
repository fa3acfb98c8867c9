package list

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// AggregateFunctions apply an aggregate function to the elements of each LIST.
var AggregateFunctions = append([]expr.Function{
	{Name: "LIST_AGGREGATE", Aliases: []string{"LIST_AGGR", "ARRAY_AGGREGATE", "ARRAY_AGGR", "AGGREGATE"}, Help: "what an aggregate function makes of the elements; further arguments are those of the function",
		Example: "LIST_AGGREGATE([1, 2, 3], 'max') → 3", Binding: define.Custom(aggregated, "LIST(T), 'max' → T", "LIST(VARCHAR), 'string_agg', 'separator' → VARCHAR")},
}, named()...)

// named are LIST_SUM and the like. Each of the aggregate functions with one argument that
// exists has one.
func named() (list []expr.Function) {
	for _, f := range aggregate.Functions() {
		names := []string{}
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if ofElements[name] {
				names = append(names, "LIST_"+name)
			}
		}
		if len(names) == 0 {
			continue
		}
		list = append(list, expr.Function{Name: names[0], Aliases: names[1:], Help: f.Help + ", over the elements", Example: names[0] + exampleOf(f.Name),
			Binding: define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
				return aggregatedBy(call, strings.TrimPrefix(call.Name, "LIST_"), args, args[:1])
			}, signatureOf(f.Name))})
	}
	return list
}

// ofElements are the aggregate functions that have a function of LISTs.
var ofElements = wordSet(`ANY_VALUE APPROX_COUNT_DISTINCT AVG BIT_AND BIT_OR BIT_XOR BOOL_AND BOOL_OR COUNT ENTROPY FIRST HISTOGRAM KURTOSIS KURTOSIS_POP LAST MAD MAX
	MEDIAN MIN MODE PRODUCT SEM SKEWNESS STDDEV_POP STDDEV_SAMP STRING_AGG SUM VAR_POP VAR_SAMP`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// exampleOf is the argument and the result of an example.
func exampleOf(name string) string {
	switch name {
	case "COUNT":
		return "([1, NULL]) → 1"
	case "BOOL_AND":
		return "([true, false]) → false"
	case "BOOL_OR":
		return "([true, false]) → true"
	case "STRING_AGG":
		return "(['a', 'b']) → a,b"
	case "HISTOGRAM":
		return "([1, 1]) → {\"1\":2}"
	case "STDDEV", "VARIANCE", "STDDEV_POP", "VAR_POP", "SKEWNESS", "KURTOSIS", "KURTOSIS_POP", "SEM", "ENTROPY", "MAD":
		return "([NULL]) → " + map[bool]string{true: "0.0", false: "NULL"}[name == "ENTROPY"]
	case "AVG", "MEDIAN", "PRODUCT":
		return "([2]) → 2.0"
	case "APPROX_COUNT_DISTINCT":
		return "([2]) → 1"
	}
	return "([2]) → 2"
}

func signatureOf(name string) string {
	switch name {
	case "BOOL_AND", "BOOL_OR":
		return "LIST(BOOLEAN) → BOOLEAN"
	case "STRING_AGG":
		return "LIST(VARCHAR) → VARCHAR"
	case "COUNT", "APPROX_COUNT_DISTINCT":
		return "LIST(T) → BIGINT"
	case "ANY_VALUE", "FIRST", "LAST", "MIN", "MAX", "MODE":
		return "LIST(T) → T"
	case "HISTOGRAM":
		return "LIST(T) → MAP"
	case "SUM", "BIT_AND", "BIT_OR", "BIT_XOR":
		return "LIST(BIGINT) → BIGINT"
	}
	return "LIST(DOUBLE) → DOUBLE"
}

// aggregated is LIST_AGGREGATE(list, 'name', …).
func aggregated(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	name, err := define.ConstantText(call.Name, "name of the function", args[1])
	if err != nil {
		return nil, err
	}
	return aggregatedBy(call, name, args, append([]expr.Expr{args[0]}, args[2:]...))
}

// aggregatedBy applies a function to the LIST and the parameters in list; args are the
// arguments of the call.
func aggregatedBy(call expr.Callee, name string, args, list []expr.Expr) (expr.Expr, error) {
	x, err := wantList(call.Name, list[0])
	if err != nil {
		return nil, err
	}
	if at := edgeOf(name); at != 0 && len(list) == 1 && x.Type().Kind == vector.List {
		return NewPath(call, args, x, []Step{{Key: expr.NewConst(vector.IntScalar(at)), Base: 1}})
	}
	element := expr.NewColumn(0, "element", x.Type().Fields[0].Type)
	agg, err := aggregate.New(name, append([]expr.Expr{element}, list[1:]...), false, nil)
	if err != nil {
		return nil, err
	}
	impl := &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		n := &aggregateNode{x: by.Node(x), agg: agg}
		for _, a := range agg.Args() {
			n.args = append(n.args, expr.NewEvaluator(a))
		}
		return n
	}}
	return expr.NewCall(call, append([]expr.Expr{x}, args[1:]...), agg.Type(), impl), nil
}

// edgeOf is the position of the element that FIRST or LAST is, which may be NULL; 0 for other functions.
func edgeOf(name string) int64 {
	switch strings.ToUpper(name) {
	case "FIRST":
		return 1
	case "LAST":
		return -1
	}
	return 0
}

// aggregateNode has a group for each row of the batch.
type aggregateNode struct {
	x    kernel.Node
	agg  *aggregate.Call
	args []*expr.Evaluator
	out  kernel.Result

	groups []uint32 // of elements: their rows,
	places []int32  // and their places
	values vector.Vector
	batch  vector.Batch
	passed []*vector.Vector

	state aggregate.State // of the batch before; nil if it cannot begin again
}

func (n *aggregateNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if kernel.CountRows(rows, f.N) == 0 {
		return n.out.SetNull(n.agg.Type(), f.N), nil
	}
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	if v.Form == vector.Constant && v.IsNull(0) {
		return n.out.SetNull(n.agg.Type(), f.N), nil
	}
	state := n.begin(f)
	lists := kernel.ListsOf(v)
	groups, places := n.groups[:0], n.places[:0]
	listed := kernel.Listed(rows, f.N)
	for k, i := range listed {
		if !v.IsNull(int(i)) {
			r := lists.At(i)
			for e := r.From; e < r.To; e++ {
				groups, places = append(groups, uint32(i)), append(places, e)
				if len(places) == vector.BatchSize {
					if err := f.Meter.Work(elementWork * len(places)); err != nil {
						return nil, err
					}
					if err := n.update(state, lists.Elements, groups, places); err != nil {
						return nil, err
					}
					groups, places = groups[:0], places[:0]
				}
			}
		}
		if k == len(listed)-1 && len(places) > 0 {
			if err := n.update(state, lists.Elements, groups, places); err != nil {
				return nil, err
			}
		}
	}
	n.groups, n.places, n.out = groups, places, kernel.Result{}
	if err := state.Result(0, f.N, &n.out.Vector); err != nil {
		return nil, err
	}
	for _, i := range listed {
		if v.IsNull(int(i)) {
			n.out.Null(int(i))
		}
	}
	return &n.out.Vector, nil
}

// begin is an empty state with a group for each row.
func (n *aggregateNode) begin(f *kernel.Frame) aggregate.State {
	state := n.state
	if state != nil {
		state.(aggregate.Reusable).Reset()
	} else if state = n.agg.NewState(); isReusable(state) { // of others the values are of no use later
		n.state = state
	}
	if long, ok := state.(aggregate.Interruptible); ok {
		long.Interrupt(f.Meter.Work, nil)
	}
	state.Resize(f.N)
	return state
}

func isReusable(s aggregate.State) bool { _, ok := s.(aggregate.Reusable); return ok }

// update adds elements to the groups of their rows.
func (n *aggregateNode) update(state aggregate.State, elements *vector.Vector, groups []uint32, places []int32) error {
	if err := n.values.Gather(elements, places); err != nil {
		return err
	}
	n.batch = vector.Batch{Cols: append(n.batch.Cols[:0], &n.values), Len: len(places)}
	n.passed = n.passed[:0]
	for _, a := range n.args {
		v, err := a.Eval(&n.batch)
		if err != nil {
			return err
		}
		n.passed = append(n.passed, v)
	}
	return state.Update(groups, n.passed, &n.batch)
}

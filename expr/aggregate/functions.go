package aggregate

import (
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Function describes an aggregate function. Tests check its claims on random rows.
type Function struct {
	Name       string
	Aliases    []string
	Signatures []expr.Signature // of calls without DISTINCT; literals are parameters of the state

	// Help is one line that says what the function returns. Example is what follows
	// SELECT, and its result as text: SUM(x) FROM (VALUES (1), (2)) t(x) → 3. A test
	// runs it.
	Help    string
	Example string

	// OrderMatters says that the result depends on the order of rows, so ORDER BY
	// inside the parentheses applies.
	OrderMatters bool
	// KeepsNulls says that NULL arguments are values; other functions skip them.
	KeepsNulls bool
	// DistinctIgnored says that DISTINCT is dropped: equal arguments after the first
	// change nothing, or the function takes only one row (FIRST, LAST).
	DistinctIgnored bool
	// ZeroOnEmpty says that the result over no values is 0; else it is NULL.
	ZeroOnEmpty bool
	// Combines says that the state of a group has a fixed size; see Call.Combines.
	Combines bool

	// bind casts the arguments of a call and sets its type and its state. One of the
	// signatures has as many arguments.
	bind func(*Call) error
}

// table lists the aggregate functions.
var table = []Function{
	{Name: "COUNT", Combines: true, ZeroOnEmpty: true, Signatures: signatures("→ BIGINT", "any, ... → BIGINT"), bind: bindCount},
	{Name: "COUNT_IF", Aliases: []string{"COUNTIF"}, Combines: true, ZeroOnEmpty: true, Signatures: signatures("BOOLEAN → BIGINT"), bind: bindCountIf},
	{Name: "APPROX_COUNT_DISTINCT", Combines: true, DistinctIgnored: true, ZeroOnEmpty: true, Signatures: signatures("any → BIGINT"), bind: bindApproxCountDistinct},
	{Name: "SUM", Combines: true, Signatures: signatures("integer | BOOLEAN → BIGINT", "FLOAT | DOUBLE → DOUBLE", "DECIMAL(p,s) → DECIMAL(38,s)"), bind: bindSum},
	{Name: "AVG", Aliases: []string{"MEAN"}, Combines: true, Signatures: signatures("number → DOUBLE"), bind: bindAvg},
	{Name: "MIN", Combines: true, DistinctIgnored: true, Signatures: signatures("T → T"), bind: func(a *Call) error { return bindExtreme(a, false) }},
	{Name: "MAX", Combines: true, DistinctIgnored: true, Signatures: signatures("T → T"), bind: func(a *Call) error { return bindExtreme(a, true) }},
	{Name: "ANY_VALUE", OrderMatters: true, DistinctIgnored: true, Signatures: signatures("T → T"), bind: func(a *Call) error { return bindEdge(a, edgeState{}) }},
	{Name: "FIRST", Aliases: []string{"ARBITRARY"}, OrderMatters: true, KeepsNulls: true, DistinctIgnored: true, Signatures: signatures("T → T"),
		bind: func(a *Call) error { return bindEdge(a, edgeState{nulls: true}) }},
	{Name: "LAST", OrderMatters: true, KeepsNulls: true, DistinctIgnored: true, Signatures: signatures("T → T"), bind: func(a *Call) error { return bindEdge(a, edgeState{nulls: true, last: true}) }},
	{Name: "STDDEV", Aliases: []string{"STDDEV_SAMP"}, Combines: true, Signatures: signatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, true, true) }},
	{Name: "STDDEV_POP", Combines: true, Signatures: signatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, false, true) }},
	{Name: "VARIANCE", Aliases: []string{"VAR_SAMP"}, Combines: true, Signatures: signatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, true, false) }},
	{Name: "VAR_POP", Combines: true, Signatures: signatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, false, false) }},
	{Name: "BOOL_AND", Aliases: []string{"EVERY"}, Combines: true, DistinctIgnored: true, Signatures: signatures("BOOLEAN → BOOLEAN"), bind: func(a *Call) error { return bindBits(a, bitAnd, true) }},
	{Name: "BOOL_OR", Combines: true, DistinctIgnored: true, Signatures: signatures("BOOLEAN → BOOLEAN"), bind: func(a *Call) error { return bindBits(a, bitOr, true) }},
	{Name: "BIT_AND", Combines: true, DistinctIgnored: true, Signatures: signatures("integer → integer"), bind: func(a *Call) error { return bindBits(a, bitAnd, false) }},
	{Name: "BIT_OR", Combines: true, DistinctIgnored: true, Signatures: signatures("integer → integer"), bind: func(a *Call) error { return bindBits(a, bitOr, false) }},
	{Name: "BIT_XOR", Combines: true, Signatures: signatures("integer → integer"), bind: func(a *Call) error { return bindBits(a, bitXor, false) }},
	{Name: "STRING_AGG", Aliases: []string{"GROUP_CONCAT", "LISTAGG"}, OrderMatters: true, Signatures: signatures("VARCHAR → VARCHAR", "VARCHAR, 'separator' → VARCHAR"), bind: bindText},
	{Name: "MEDIAN", Signatures: signatures("number → DOUBLE"), bind: bindMedian},
	{Name: "QUANTILE_CONT", Signatures: signatures("number, DOUBLE literal → DOUBLE"), bind: bindQuantile},
}

func signatures(texts ...string) []expr.Signature {
	var out []expr.Signature
	for _, text := range texts {
		out = append(out, expr.NewSignature(text))
	}
	return out
}

// functions are the aggregate functions by all their names. init fills the map, because
// binders read it.
var functions = map[string]*Function{}

// functionNames are the names in order, so that messages are always the same.
var functionNames []string

func init() {
	for i := range table {
		f := &table[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			functions[name] = f
		}
	}
	functionNames = slices.Sorted(maps.Keys(functions))
}

// Is reports whether name, in any case, is an aggregate function.
func Is(name string) bool { return functions[strings.ToUpper(name)] != nil }

func unknownAggregate(name string) error {
	return &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(strings.ToUpper(name), functionNames)}
}

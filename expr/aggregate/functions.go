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

// jsonGroup is what JSON_GROUP_ARRAY and its kin are short for: JSON texts, with commas between them, between two brackets. It is
// not listed.
var jsonGroup = Function{Name: "JSON_GROUP", Help: "texts of JSON as one", OrderMatters: true, Signatures: expr.NewSignatures("VARCHAR, 'brackets' → JSON"), bind: bindJSON}

// table lists the aggregate functions.
var table = slices.Concat(basicFunctions, quantileFunctions, statisticFunctions, geometryFunctions)

// basicFunctions are those of the SQL standard and their kin.
var basicFunctions = []Function{
	{Name: "COUNT", Aliases: []string{"COUNT_STAR"}, Help: "the number of rows, or of values that are not NULL", Example: "COUNT(x) FROM (VALUES (1), (NULL)) t(x) → 1",
		Combines: true, ZeroOnEmpty: true, Signatures: expr.NewSignatures("→ BIGINT", "any, ... → BIGINT"), bind: bindCount},
	{Name: "COUNT_IF", Aliases: []string{"COUNTIF"}, Help: "the number of rows for which the condition is true; NULL if it is NULL for all", Example: "COUNT_IF(x > 1) FROM (VALUES (1), (2)) t(x) → 1",
		Combines: true, Signatures: expr.NewSignatures("BOOLEAN → BIGINT"), bind: bindCountIf},
	{Name: approxCountDistinct, Help: approxHelp, Example: "APPROX_COUNT_DISTINCT(x) FROM (VALUES (1), (1)) t(x) → 1",
		DistinctIgnored: true, ZeroOnEmpty: true, Signatures: expr.NewSignatures("any → BIGINT"), bind: bindApproxCountDistinct},
	{Name: "SUM", Help: "the sum", Example: "SUM(x) FROM (VALUES (1), (2)) t(x) → 3",
		Combines: true, Signatures: expr.NewSignatures("integer | BOOLEAN → BIGINT", "FLOAT | DOUBLE → DOUBLE", "DECIMAL(p,s) → DECIMAL(38,s)", "INTERVAL → INTERVAL"), bind: bindSum},
	{Name: "AVG", Aliases: []string{"MEAN"}, Help: "the mean", Example: "AVG(x) FROM (VALUES (1), (2)) t(x) → 1.5",
		Combines: true, Signatures: expr.NewSignatures("number → DOUBLE", "DATE | TIMESTAMP → TIMESTAMP", "TIMESTAMPTZ → TIMESTAMPTZ", "TIME → TIME", "INTERVAL → INTERVAL"), bind: bindAvg},
	{Name: "MIN", Help: "the least value", Example: "MIN(x) FROM (VALUES (1), (2)) t(x) → 1",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("T → T", "T, BIGINT literal → LIST(T)"), bind: func(a *Call) error { return bindExtreme(a, false) }},
	{Name: "MAX", Help: "the greatest value", Example: "MAX(x) FROM (VALUES (1), (2)) t(x) → 2",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("T → T", "T, BIGINT literal → LIST(T)"), bind: func(a *Call) error { return bindExtreme(a, true) }},
	{Name: "ANY_VALUE", Help: "the first value that is not NULL", Example: "ANY_VALUE(x) FROM (VALUES (NULL), (2)) t(x) → 2",
		OrderMatters: true, DistinctIgnored: true, Signatures: expr.NewSignatures("T → T"), bind: func(a *Call) error { return bindEdge(a, edgeState{}) }},
	{Name: "FIRST", Aliases: []string{"ARBITRARY"}, Help: "the value of the first row", Example: "FIRST(x ORDER BY x) FROM (VALUES (2), (1)) t(x) → 1",
		OrderMatters: true, KeepsNulls: true, DistinctIgnored: true, Signatures: expr.NewSignatures("T → T"),
		bind: func(a *Call) error { return bindEdge(a, edgeState{nulls: true}) }},
	{Name: "LAST", Help: "the value of the last row", Example: "LAST(x ORDER BY x) FROM (VALUES (2), (1)) t(x) → 2",
		OrderMatters: true, KeepsNulls: true, DistinctIgnored: true, Signatures: expr.NewSignatures("T → T"), bind: func(a *Call) error { return bindEdge(a, edgeState{nulls: true, last: true}) }},
	{Name: "STDDEV", Aliases: []string{"STDDEV_SAMP"}, Help: "the standard deviation of a sample", Example: "STDDEV(x) FROM (VALUES (1), (3)) t(x) → 1.4142135623730951",
		Combines: true, Signatures: expr.NewSignatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, momentState{sample: true, root: true}) }},
	{Name: "STDDEV_POP", Help: "the standard deviation of a population", Example: "STDDEV_POP(x) FROM (VALUES (1), (3)) t(x) → 1.0",
		Combines: true, Signatures: expr.NewSignatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, momentState{root: true}) }},
	{Name: "VARIANCE", Aliases: []string{"VAR_SAMP"}, Help: "the variance of a sample", Example: "VARIANCE(x) FROM (VALUES (1), (3)) t(x) → 2.0",
		Combines: true, Signatures: expr.NewSignatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, momentState{sample: true}) }},
	{Name: "VAR_POP", Help: "the variance of a population", Example: "VAR_POP(x) FROM (VALUES (1), (3)) t(x) → 1.0",
		Combines: true, Signatures: expr.NewSignatures("number → DOUBLE"), bind: func(a *Call) error { return bindMoment(a, momentState{}) }},
	{Name: "BOOL_AND", Aliases: []string{"EVERY", "LOGICAL_AND"}, Help: "whether all values are true", Example: "BOOL_AND(x > 1) FROM (VALUES (1), (2)) t(x) → false",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("BOOLEAN → BOOLEAN"), bind: func(a *Call) error { return bindBits(a, bitAnd, true) }},
	{Name: "BOOL_OR", Aliases: []string{"LOGICAL_OR"}, Help: "whether any value is true", Example: "BOOL_OR(x > 1) FROM (VALUES (1), (2)) t(x) → true",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("BOOLEAN → BOOLEAN"), bind: func(a *Call) error { return bindBits(a, bitOr, true) }},
	{Name: "BIT_AND", Help: "the bits that are set in all values", Example: "BIT_AND(x) FROM (VALUES (3), (6)) t(x) → 2",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("integer → integer", "DECIMAL(38,0) → DECIMAL(38,0)"), bind: func(a *Call) error { return bindBits(a, bitAnd, false) }},
	{Name: "BIT_OR", Help: "the bits that are set in any value", Example: "BIT_OR(x) FROM (VALUES (3), (6)) t(x) → 7",
		Combines: true, DistinctIgnored: true, Signatures: expr.NewSignatures("integer → integer", "DECIMAL(38,0) → DECIMAL(38,0)"), bind: func(a *Call) error { return bindBits(a, bitOr, false) }},
	{Name: "BIT_XOR", Help: "the bits that are set in an odd number of values", Example: "BIT_XOR(x) FROM (VALUES (3), (6)) t(x) → 5",
		Combines: true, Signatures: expr.NewSignatures("integer → integer", "DECIMAL(38,0) → DECIMAL(38,0)"), bind: func(a *Call) error { return bindBits(a, bitXor, false) }},
	{Name: "STRING_AGG", Aliases: []string{"GROUP_CONCAT", "LISTAGG"}, Help: "the values as one text, with a separator between them", Example: "STRING_AGG(x, '; ' ORDER BY x) FROM (VALUES ('b'), ('a')) t(x) → a; b",
		OrderMatters: true, Signatures: expr.NewSignatures("VARCHAR → VARCHAR", "VARCHAR, 'separator' → VARCHAR"), bind: bindText},
	{Name: "LIST", Aliases: []string{"ARRAY_AGG"}, Help: "the values as a LIST, NULLs among them", Example: "LIST(x ORDER BY x) FROM (VALUES (2), (1)) t(x) → [1,2]",
		OrderMatters: true, KeepsNulls: true, Signatures: expr.NewSignatures("T → LIST(T)"), bind: bindList},
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
	functions[jsonGroup.Name] = &jsonGroup
}

// Functions are the aggregate functions, as documents list them.
func Functions() []Function { return slices.Clone(table) }

// Is reports whether name, in any case, is an aggregate function.
func Is(name string) bool { return functions[strings.ToUpper(name)] != nil }

// TakesText reports whether an aggregate function is one of texts.
func TakesText(name string) bool {
	f := functions[strings.ToUpper(name)]
	return f != nil && f.Name == "STRING_AGG"
}

func unknownAggregate(name string) error {
	return &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(strings.ToUpper(name), functionNames)}
}

// Package function has SQL's scalar functions by name. The functions are in families,
// each a package below this one: text, number, temporal, list, json. Each function
// is an expr.Function: its names, its help, its signatures, a binder that casts the
// arguments of a call and binds code for their types, and what is known about its
// results (whether it can fail, whether it can be NULL, whether it keeps an order). The
// planner and expr/probe read the descriptor and never the name.
//
// # Adding a function
//
// Add an entry to the table of its family, for example
//
//	{Name: "STRLEN", Help: "the number of bytes", Example: "STRLEN('né') → 3",
//		Total: true, NotNull: true, Binding: define.Fixed(define.TypeInt, kernel.Map1(countBytes), false, define.WantText)},
//
// Package define has the helpers. define.Fixed is for a function whose types do not depend
// on the call. It takes the type of the result, a kernel (usually kernel.Map1, Map2 … over
// a Go function of one row, kernel.Try1 … if it can fail, kernel.Text1 … if it makes
// text), and a define.Want for each argument; the signature follows from these.
// define.Custom takes a binder that checks the types of the arguments, and the signatures
// as text. The binder gets an expr.Callee, which it hands on to define.Strict,
// define.Condition or expr.NewCall. define.Overloaded combines forms with different
// numbers of arguments, define.ByType forms with different types.
//
// Help is one line that completes "returns". Example is an expression, an arrow and its
// result as text; a test runs it. A table of a family that is new goes to families.
// TestSignatures and TestClaims then check the entry; add cases for its results to
// testdata/slt and to expr/func_test.go, which evaluates them over every form of
// vectors.
package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/geo"
	"github.com/parquetsql/parquetsql/expr/function/json"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/expr/function/number"
	"github.com/parquetsql/parquetsql/expr/function/record"
	"github.com/parquetsql/parquetsql/expr/function/session"
	"github.com/parquetsql/parquetsql/expr/function/temporal"
	"github.com/parquetsql/parquetsql/expr/function/text"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Family is functions that documents list together.
type Family struct {
	Title     string
	Functions []expr.Function
}

// families are the tables of scalar functions.
var families = []Family{
	{"Text", slices.Concat(text.Functions, []expr.Function{text.Split}, text.PadFunctions, text.SearchFunctions, text.GraphemeFunctions, text.NormalizeFunctions)},
	{"Comparing and showing", slices.Concat(text.SimilarityFunctions, text.FormatFunctions, text.ToCharFunctions, text.SizeFunctions)},
	{"Paths", text.PathFunctions},
	{"Text, lists and maps", sharedFunctions},
	{"Regular expressions", slices.Concat(text.RegexpFunctions, text.RegexpListFunctions, text.GlobFunctions)},
	{"Hashes and encodings", slices.Concat(text.HashFunctions, text.NumberHashFunctions, text.BaseFunctions)},
	{"Numbers", slices.Concat(number.Functions, number.RoundFunctions, number.MoreFunctions, number.BucketFunctions)},
	{"Dates and times", slices.Concat(temporal.Functions, temporal.MathFunctions, temporal.MakeFunctions, temporal.FormatFunctions, temporal.ParseFunctions, temporal.ZoneFunctions, temporal.UUIDFunctions)},
	{"Lists", list.All()},
	{"Structs and maps", record.All()},
	{"JSON", slices.Concat(json.Functions, json.MoreFunctions, json.BuildFunctions, json.TransformFunctions, json.EachFunctions)},
	{"VARIANT", json.VariantFunctions},
	{"Geometries", geo.All()},
	{"Conditions", conditionalFunctions},
	{"Random values", randomFunctions},
	{"The session and the catalog", session.Functions},
}

// Families are all scalar functions, as documents list them.
func Families() []Family {
	return append(slices.Clone(families), Family{"The query", described()})
}

// functions are the scalar functions by all their names. init fills the map, because
// binding a call reads it.
var functions = map[string]*expr.Function{}

// constants are the functions that have one value in a query, by all their names.
var constants = map[string]*constantFunction{}

// functionNames are the names in order, so that messages are always the same.
var functionNames []string

func init() {
	for _, family := range families {
		for i := range family.Functions {
			f := &family.Functions[i]
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				functions[name] = f
			}
		}
	}
	for i := range constantFunctions {
		f := &constantFunctions[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			constants[name] = f
		}
	}
	names := slices.Collect(maps.Keys(functions))
	functionNames = slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(constants))))
}

// New builds the call of a scalar function by one of its names, in any letter case.
func New(name string, args []expr.Expr) (expr.Expr, error) {
	upper := strings.ToUpper(name)
	f, ok := functions[upper]
	if c := constants[upper]; c != nil {
		return nil, expr.WrongCount(upper, c.Signatures, len(args))
	}
	if !ok {
		return nil, missing(name)
	}
	if upper == "CONCAT" && slices.ContainsFunc(args, func(a expr.Expr) bool { return a.Type().Kind == vector.List }) {
		return functions["LIST_CONCAT"].Call(upper, args) // the elements of LISTs, as in DuckDB
	}
	if upper == "MAKE_DATE" && len(args) == 1 && args[0].Type().Kind == vector.Struct {
		parts, err := dateParts(args[0])
		if err != nil {
			return nil, err
		}
		args = parts
	}
	return f.Call(upper, args)
}

// dateParts is the fields of a STRUCT of year, month and day.
func dateParts(x expr.Expr) ([]expr.Expr, error) {
	if n := len(x.Type().Fields); n != 3 {
		return nil, fmt.Errorf("MAKE_DATE takes a STRUCT of year, month and day, not one of %d fields", n)
	}
	var out []expr.Expr
	for _, name := range []string{"year", "month", "day"} {
		part, err := Field(x, vector.FieldPath(name))
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// NewNamed is New for a call with names of arguments, which are empty where none is given.
// An argument that is a column has the column's name.
func NewNamed(name string, args []expr.Expr, names []string) (expr.Expr, error) {
	f := functions[strings.ToUpper(name)]
	given := slices.ContainsFunc(names, func(s string) bool { return s != "" })
	switch {
	case f != nil && f.Named != nil && given:
		return f.Named(names, args)
	case f != nil && f.Named == nil && given:
		return nil, fmt.Errorf("%s has no arguments with names", strings.ToUpper(name))
	}
	return New(name, args)
}

// NewLambda makes the lambda that is the second argument of a function; see expr.Function.
func NewLambda(name string, args []expr.Expr, count int, bind func([]vector.Type) (*expr.Lambda, error)) (*expr.Lambda, error) {
	upper := strings.ToUpper(name)
	f := functions[upper]
	if f == nil || f.Lambda == nil {
		return nil, fmt.Errorf("%s takes no lambda", upper)
	}
	return f.Lambda(upper, args, count, bind)
}

// TakesNames reports whether the arguments of a function have names.
func TakesNames(name string) bool {
	f := functions[strings.ToUpper(name)]
	return f != nil && f.Named != nil
}

// Is reports whether a scalar function has the name.
func Is(name string) bool { return functions[strings.ToUpper(name)] != nil }

// Element is x[key].
func Element(args []expr.Expr) (expr.Expr, error) {
	if args[0].Type().Kind != vector.JSON {
		return New("ELEMENT_AT", args)
	}
	if s, ok := expr.Literal(args[1]); ok && s.Type.IsText() {
		return Field(args[0], vector.FieldPath(s.Str))
	}
	if !args[1].Type().IsInteger() {
		return nil, errs.Unsupported("a name in brackets that is not a literal, behind JSON; use the function JSON_EXTRACT")
	}
	path, err := expr.NewConcat(expr.NewConst(vector.StringScalar("$[")), args[1])
	if err != nil {
		return nil, err
	}
	if path, err = expr.NewConcat(path, expr.NewConst(vector.StringScalar("]"))); err != nil {
		return nil, err
	}
	return New("->", []expr.Expr{args[0], path})
}

// OfJSON is a cast of JSON to a nested type.
func OfJSON(x expr.Expr, t vector.Type, try bool) (expr.Expr, error) { return json.Cast(x, t, try) }

// Field is the value of a field of a VARIANT, STRUCT, MAP or JSON value, as x.name means it.
func Field(x expr.Expr, path vector.Path) (expr.Expr, error) {
	for x.Type().Kind == vector.Struct && len(path) > 0 {
		field, err := New("STRUCT_EXTRACT", []expr.Expr{x, expr.NewConst(vector.StringScalar(path[0].Name))})
		if err != nil {
			return nil, err
		}
		x, path = field, path[1:]
	}
	if len(path) == 0 {
		return x, nil
	}
	switch t := x.Type(); t.Kind {
	case vector.JSON, vector.BSON, vector.Variant, vector.Map, vector.Null:
	default:
		return nil, fmt.Errorf("%s has no field %q: only a STRUCT, MAP, JSON and VARIANT have fields", t, path[0].Name)
	}
	return json.Field(expr.Callee{Function: functions["->"], Name: "->"}, x, path)
}

package aggregate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// functions checks a call's arguments, casts them, and sets its type
// and state, by the function's name.
var functions = map[string]func(*Call) error{
	"COUNT":                 bindCount,
	"COUNT_IF":              bindCountIf,
	"COUNTIF":               bindCountIf,
	"APPROX_COUNT_DISTINCT": bindApproxCountDistinct,
	"SUM":                   bindSum,
	"AVG":                   bindAvg,
	"MEAN":                  bindAvg,
	"MIN":                   func(a *Call) error { return bindExtreme(a, false) },
	"MAX":                   func(a *Call) error { return bindExtreme(a, true) },
	"ANY_VALUE":             func(a *Call) error { return bindEdge(a, edgeState{}) },
	"ARBITRARY":             func(a *Call) error { return bindEdge(a, edgeState{nulls: true}) },
	"FIRST":                 func(a *Call) error { return bindEdge(a, edgeState{nulls: true}) },
	"LAST":                  func(a *Call) error { return bindEdge(a, edgeState{nulls: true, last: true}) },
	"STDDEV":                func(a *Call) error { return bindMoment(a, true, true) },
	"STDDEV_SAMP":           func(a *Call) error { return bindMoment(a, true, true) },
	"STDDEV_POP":            func(a *Call) error { return bindMoment(a, false, true) },
	"VARIANCE":              func(a *Call) error { return bindMoment(a, true, false) },
	"VAR_SAMP":              func(a *Call) error { return bindMoment(a, true, false) },
	"VAR_POP":               func(a *Call) error { return bindMoment(a, false, false) },
	"BOOL_AND":              func(a *Call) error { return bindBits(a, bitAnd, true) },
	"EVERY":                 func(a *Call) error { return bindBits(a, bitAnd, true) },
	"BOOL_OR":               func(a *Call) error { return bindBits(a, bitOr, true) },
	"BIT_AND":               func(a *Call) error { return bindBits(a, bitAnd, false) },
	"BIT_OR":                func(a *Call) error { return bindBits(a, bitOr, false) },
	"BIT_XOR":               func(a *Call) error { return bindBits(a, bitXor, false) },
	"STRING_AGG":            bindText,
	"GROUP_CONCAT":          bindText,
	"LISTAGG":               bindText,
	"MEDIAN":                bindQuantile,
	"QUANTILE_CONT":         bindQuantile,
}

// functionNames are the names in order, so that messages do not vary.
var functionNames = slices.Sorted(maps.Keys(functions))

// orderMatters names the aggregates that ORDER BY in their parentheses changes.
var orderMatters = map[string]bool{
	"STRING_AGG": true, "GROUP_CONCAT": true, "LISTAGG": true,
	"ANY_VALUE": true, "ARBITRARY": true, "FIRST": true, "LAST": true,
}

func (a *Call) want(n int) error {
	if len(a.args) != n {
		return fmt.Errorf("parquet: %s takes %d argument(s), not %d", a.name, n, len(a.args))
	}
	return nil
}

func (a *Call) reject(t vector.Type, hint string) error {
	return fmt.Errorf("parquet: %s of a %s: %s", a.name, t, hint)
}

// cast converts argument i.
func (a *Call) cast(i int, t vector.Type) error {
	if a.args[i].Type().Equal(t) {
		return nil
	}
	e, err := expr.NewCast(a.args[i], t, false)
	if err != nil {
		return err
	}
	a.args = slices.Clone(a.args)
	a.args[i] = e
	return nil
}

func bindCount(a *Call) error {
	switch {
	case len(a.args) == 0 && a.distinct:
		return fmt.Errorf("parquet: COUNT(DISTINCT *) names no value to tell apart; name the columns")
	case len(a.args) > 1 && !a.distinct:
		return fmt.Errorf("parquet: COUNT takes one argument or *, not %d", len(a.args))
	}
	a.typ = vector.Of(vector.BigInt)
	a.state = func() State { return &countState{} }
	return nil
}

// bindCountIf makes COUNT_IF(x) what it is: COUNT(*) FILTER (WHERE x).
func bindCountIf(a *Call) error {
	if err := a.want(1); err != nil {
		return err
	}
	if k := a.args[0].Type().Kind; k != vector.Boolean && k != vector.Null {
		return a.reject(a.args[0].Type(), "it counts where a condition is true")
	}
	condition := a.args[0]
	if a.filter != nil {
		var err error
		if condition, err = expr.NewAnd(a.filter, condition); err != nil {
			return err
		}
	}
	a.name, a.args, a.filter, a.distinct = "COUNT", nil, condition, false
	return bindCount(a)
}

// bindApproxCountDistinct answers exactly, which is an approximation too.
func bindApproxCountDistinct(a *Call) error {
	if err := a.want(1); err != nil {
		return err
	}
	a.distinct = true
	return bindCount(a)
}

func bindSum(a *Call) error {
	if err := a.want(1); err != nil {
		return err
	}
	if a.args[0].Type().Kind == vector.Boolean { // TRUE counts one
		if err := a.cast(0, vector.Of(vector.BigInt)); err != nil {
			return err
		}
	}
	t := a.args[0].Type()
	switch {
	case t.IsFloat():
		a.typ = vector.Of(vector.Double)
		a.state = func() State { return &floatSumState{agg: a} }
		return nil
	case t.IsInteger() || t.Kind == vector.Null:
		a.typ = vector.Of(vector.BigInt)
	case t.Kind == vector.Decimal && t.Precision <= 38:
		a.typ = vector.DecimalType(38, t.Scale)
	case t.Kind == vector.Decimal:
		return errs.Unsupported("%s of a %s, a result has at most 38 digits; CAST it to DECIMAL(38, n) or DOUBLE", a.name, t)
	default:
		return a.reject(t, "it needs numbers; CAST the argument")
	}
	a.state = func() State { return newExactSum(a) }
	return nil
}

func newExactSum(a *Call) State {
	if s := a.args[0].Type().Storage(); s == vector.StoreUint64 || s == vector.StoreInt128 {
		return &wideSumState{agg: a}
	}
	return &intSumState{agg: a}
}

func bindAvg(a *Call) error {
	if err := a.want(1); err != nil {
		return err
	}
	t := a.args[0].Type()
	a.typ = vector.Of(vector.Double)
	switch {
	case t.IsFloat():
	case t.IsInteger() || t.Kind == vector.Null || t.Kind == vector.Decimal && t.Precision <= 38:
		a.state = func() State { return newExactSum(a) }
		return nil
	case t.Kind == vector.Decimal:
		if err := a.cast(0, a.typ); err != nil {
			return err
		}
	default:
		return a.reject(t, "it needs numbers; CAST the argument")
	}
	a.state = func() State { return &floatSumState{agg: a} }
	return nil
}

func bindExtreme(a *Call, greatest bool) error {
	if err := a.want(1); err != nil {
		return err
	}
	t := a.args[0].Type()
	switch t.Shown().Kind {
	case vector.List, vector.Map, vector.Struct, vector.Variant, vector.BSON, vector.Geometry, vector.Geography:
		return a.reject(t, "its values have no order")
	}
	a.typ, a.distinct = t, false
	a.state = extremeStates(t, greatest)
	return nil
}

// extremeStates is the states of MIN or MAX over a type.
func extremeStates(t vector.Type, greatest bool) func() State {
	sign := -1
	if greatest {
		sign = 1
	}
	switch t.Storage() {
	case vector.StoreInt64:
		return extremeOf(t, greatest, takeMin[int64], takeMax[int64])
	case vector.StoreUint64:
		return extremeOf(t, greatest, takeMin[uint64], takeMax[uint64])
	case vector.StoreFloat32:
		return extremeOf(t, greatest, takeMinFloat[float32], takeMaxFloat[float32])
	case vector.StoreFloat64:
		return extremeOf(t, greatest, takeMinFloat[float64], takeMaxFloat[float64])
	case vector.StoreInt128:
		take := takeBy(sign, vector.Int128.Cmp)
		return extremeOf(t, greatest, take, take)
	case vector.StoreInterval:
		take := takeBy(sign, vector.IntervalValue.Compare)
		return extremeOf(t, greatest, take, take)
	case vector.StoreString:
		return func() State { return &extremeStrings{typ: t, max: greatest} }
	}
	take := takeBy(sign, compareBools)
	return extremeOf(t, greatest, take, take) // BOOLEAN, and NULL which has no values
}

func extremeOf[T vector.Value](t vector.Type, greatest bool, least, most func([]extreme[T], []T, *picked)) func() State {
	if greatest {
		least = most
	}
	return func() State { return &extremeState[T]{typ: t, take: least} }
}

func bindEdge(a *Call, kind edgeState) error {
	if err := a.want(1); err != nil {
		return err
	}
	kind.typ = a.args[0].Type()
	a.typ, a.distinct = kind.typ, false
	a.state = func() State { s := kind; return &s }
	return nil
}

func bindMoment(a *Call, sample, root bool) error {
	if err := a.want(1); err != nil {
		return err
	}
	if err := a.castToDouble(); err != nil {
		return err
	}
	a.state = func() State { return &momentState{sample: sample, root: root} }
	return nil
}

func (a *Call) castToDouble() error {
	a.typ = vector.Of(vector.Double)
	if t := a.args[0].Type(); !t.IsNumeric() && t.Kind != vector.Null {
		return a.reject(t, "it needs numbers; CAST the argument")
	}
	return a.cast(0, a.typ)
}

func bindBits(a *Call, op bitOp, boolean bool) error {
	if err := a.want(1); err != nil {
		return err
	}
	t := a.args[0].Type()
	switch {
	case t.Kind == vector.Null:
		t = vector.Of(vector.BigInt)
		if boolean {
			t = vector.Of(vector.Boolean)
		}
		if err := a.cast(0, t); err != nil {
			return err
		}
	case boolean && t.Kind != vector.Boolean:
		return a.reject(t, "it needs BOOLEAN values")
	case !boolean && !t.IsInteger():
		return a.reject(t, "it needs integers")
	}
	a.typ = t
	a.distinct = a.distinct && op == bitXor
	a.state = func() State { return &bitState{op: op, typ: t} }
	return nil
}

func bindText(a *Call) error {
	separator := ","
	if len(a.args) == 2 {
		c, ok := a.args[1].(*expr.Const)
		if !ok || c.Value.Null || !c.Value.Type.IsText() {
			return fmt.Errorf("parquet: the separator of %s is not a constant string", a.name)
		}
		separator, a.args, a.params = c.Value.Str, a.args[:1], a.args[1:]
	}
	if err := a.want(1); err != nil {
		return err
	}
	a.typ = vector.Of(vector.Varchar)
	a.state = func() State { return &textState{separator: separator} }
	return a.cast(0, a.typ)
}

func bindQuantile(a *Call) error {
	at := 0.5
	if a.name == "QUANTILE_CONT" {
		if err := a.want(2); err != nil {
			return err
		}
		if err := a.cast(1, vector.Of(vector.Double)); err != nil {
			return err
		}
		c, ok := a.args[1].(*expr.Const)
		if !ok || c.Value.Null || !(c.Value.F64 >= 0 && c.Value.F64 <= 1) {
			return fmt.Errorf("parquet: the second argument of %s is not a constant from 0 to 1", a.name)
		}
		at, a.args, a.params = c.Value.F64, a.args[:1], a.args[1:]
	}
	if err := a.want(1); err != nil {
		return err
	}
	if err := a.castToDouble(); err != nil {
		return err
	}
	a.state = func() State { return &quantileState{at: at} }
	return nil
}

func unknownAggregate(name string) error {
	return &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(name, functionNames)}
}

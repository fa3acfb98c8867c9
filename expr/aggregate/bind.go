package aggregate

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

func (a *Call) reject(t vector.Type, hint string) error {
	return fmt.Errorf("%s of a %s: %s", a.name, t, hint)
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
		return fmt.Errorf("COUNT(DISTINCT *) names no value to distinguish; name the columns")
	case len(a.args) > 1 && !a.distinct:
		return fmt.Errorf("COUNT takes one argument or *, not %d", len(a.args))
	}
	a.name, a.typ, a.part = "COUNT", vector.Of(vector.BigInt), countPart
	a.state = func() State { return &countState{} }
	return nil
}

// bindCountIf rewrites COUNT_IF(x) to SUM(CAST(x AS BIGINT)), which as in DuckDB is NULL where
// no condition is true or false.
func bindCountIf(a *Call) error {
	if k := a.args[0].Type().Kind; k != vector.Boolean && k != vector.Null {
		return a.reject(a.args[0].Type(), "it counts where a condition is true")
	}
	if err := a.cast(0, vector.Of(vector.BigInt)); err != nil {
		return err
	}
	a.name, a.function = "SUM", functions["SUM"]
	return bindSum(a)
}

func bindSum(a *Call) error {
	a.part = sumPart
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
	case t.Kind == vector.Interval:
		a.typ, a.part = t, noPart
		a.state = func() State { return &intervalState{} }
		return nil
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
	a.part = meanPart
	t := a.args[0].Type()
	a.typ = vector.Of(vector.Double)
	switch {
	case t.IsFloat():
	case t.Kind == vector.Interval, t.Kind == vector.Date, t.IsTimestamp(), t.Kind == vector.Time:
		return bindTimeMean(a)
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
	if len(a.args) == 2 {
		return bindFirst(a, 0, greatest)
	}
	t := a.args[0].Type()
	switch {
	case t.IsNested() && !expr.HasVariant(t):
	case t.Shown().IsNested() || t.Kind == vector.Variant || t.Kind == vector.BSON || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return a.reject(t, "its values have no order")
	}
	a.typ = t
	a.state = extremeStates(t, greatest)
	return nil
}

// extremeStates returns the constructor of the states of MIN or MAX over a type.
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
	case vector.StoreNested:
		return func() State { return newExtremeNested(t, sign) }
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
	t := a.args[0].Type()
	a.typ, a.edge = t, &kind
	a.state = func() State { return newEdgeState(t, kind) }
	a.sorted = &Sorted{Ordering: inArrival, Result: edgeOf(kind.last)}
	if !kind.nulls {
		a.sorted.NotNull = []int{0}
	}
	return nil
}

func bindMoment(a *Call, kind momentState) error {
	if err := a.castToDouble(); err != nil {
		return err
	}
	kind.name = a.name
	a.state = func() State { s := kind; return &s }
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
	case !boolean && t.Equal(hugeInt):
		a.typ = t
		a.state = func() State { return &wideBits{op: op} }
		return nil
	case !boolean && !t.IsInteger():
		return a.reject(t, "it needs integers")
	}
	a.typ = t
	a.state = func() State { return &bitState{op: op, typ: t} }
	return nil
}

func bindText(a *Call) error {
	separator := ","
	if len(a.args) == 2 {
		c, ok := a.args[1].(*expr.Const)
		switch {
		case ok && c.Value.Null: // NULL, whatever the values are
			a.filter = expr.NewConst(vector.BoolScalar(false))
		case !ok || !c.Value.Type.IsText():
			return fmt.Errorf("the separator of %s is not a constant string", a.name)
		}
		separator, a.args, a.params = c.Value.Str, a.args[:1], a.args[1:]
	}
	a.typ = vector.Of(vector.Varchar)
	a.state = func() State { return &textState{separator: separator, typ: a.typ} }
	return a.cast(0, a.typ)
}

// bindJSON is for texts of JSON.
func bindJSON(a *Call) error {
	c, ok := a.args[1].(*expr.Const)
	if !ok || len(c.Value.Str) != 2 {
		return fmt.Errorf("the brackets of %s are not two constant letters", a.name)
	}
	a.args, a.params = a.args[:1], a.args[1:]
	a.typ = vector.Of(vector.JSON)
	a.state = func() State { return &textState{separator: ",", brackets: c.Value.Str, typ: a.typ} }
	return a.cast(0, vector.Of(vector.Varchar))
}

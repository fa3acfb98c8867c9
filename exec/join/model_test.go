package join_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// sides is the schema of both inputs.
var sides = vector.Schema{
	{Name: "k", Type: vector.Of(vector.BigInt), Nullable: true},
	{Name: "f", Type: vector.Of(vector.Double), Nullable: true},
	{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true},
	{Name: "d", Type: vector.DecimalType(30, 4), Nullable: true},
	{Name: "l", Type: vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Varchar), Nullable: true}), Nullable: true},
	{Name: "id", Type: vector.Of(vector.BigInt)},
}

const (
	colK = iota
	colF
	colS
	colD
	colL
	colID
)

// randomRows makes n rows in which few values are frequent, and some are NULL.
func randomRows(r *rand.Rand, n, distinct int) []exectest.Row {
	rows := make([]exectest.Row, n)
	nulls := r.IntN(3)
	for i := range rows {
		row := make(exectest.Row, len(sides))
		for c := range row {
			row[c].Type = sides[c].Type
		}
		row[colK].I64 = r.Int64N(int64(distinct))
		row[colF].F64 = []float64{0, math.Copysign(0, -1), math.NaN(), 1.5, float64(r.IntN(distinct))}[r.IntN(5)]
		row[colS].Str = fmt.Sprint("value ", r.IntN(distinct))
		row[colD].I128 = vector.MulInt64(r.Int64N(int64(distinct)), 1e18)
		row[colL] = exectest.RandomValue(r, sides[colL].Type, 3)
		row[colID].I64 = int64(i)
		for c := range row {
			if sides[c].Nullable && (nulls == 2 && r.IntN(6) == 0 || nulls == 1 && c == colK && r.IntN(2) == 0) {
				row[c] = vector.NullOf(sides[c].Type)
			}
		}
		rows[i] = row
	}
	return rows
}

// truth is a value of three-valued logic: NOT is 2-x, AND the least, OR the greatest.
type truth int

const (
	no truth = iota
	null
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// condition is a conjunct and, on its own, what it means for two rows.
type condition struct {
	key  *join.Key
	e    expr.Expr
	test func(p, b exectest.Row) truth

	rejects []int // columns of the probe side of which a NULL makes it NULL
}

func same(a, b vector.Scalar) bool {
	if a.Type.Storage() == vector.StoreNested {
		return exectest.Text(a) == exectest.Text(b)
	}
	return exectest.CompareScalars(a, b) == 0
}

// equality is column c of both sides, compared as Null says.
func equality(t *testing.T, c int, nulls hashtable.Equality) condition {
	p, b := expr.NewColumn(c, sides[c].Name, sides[c].Type), expr.NewColumn(len(sides)+c, sides[c].Name, sides[c].Type)
	build := expr.NewColumn(c, sides[c].Name, sides[c].Type)
	must := exectest.Must(t)
	out := condition{key: &join.Key{Probe: p, Build: build, Null: nulls}}
	if nulls == hashtable.Equals {
		out.e = must(expr.NewCompare(expr.OpEq, p, b))
	} else {
		out.e = must(expr.NewDistinctFrom(p, b, true))
	}
	out.test = func(p, b exectest.Row) truth {
		switch {
		case nulls == hashtable.NotDistinct && (p[c].Null || b[c].Null):
			return truthOf(p[c].Null && b[c].Null)
		case p[c].Null || b[c].Null:
			return null
		}
		return truthOf(same(p[c], b[c]))
	}
	return out
}

// computed is p.k + 1 = b.id.
func computed(t *testing.T) condition {
	must := exectest.Must(t)
	one := expr.NewConst(vector.IntScalar(1))
	p, b := expr.NewColumn(colK, "k", sides[colK].Type), expr.NewColumn(colID, "id", sides[colID].Type)
	sum := must(expr.NewArith(expr.OpAdd, p, one))
	return condition{
		key: &join.Key{Probe: sum, Build: b, Null: hashtable.Equals},
		e:   must(expr.NewCompare(expr.OpEq, sum, expr.NewColumn(len(sides)+colID, "id", sides[colID].Type))),
		test: func(p, b exectest.Row) truth {
			if p[colK].Null {
				return null
			}
			return truthOf(p[colK].I64+1 == b[colID].I64)
		},
	}
}

// residuals are conditions that are no keys.
func residuals(t *testing.T) []condition {
	must := exectest.Must(t)
	p := func(c int) expr.Expr { return expr.NewColumn(c, sides[c].Name, sides[c].Type) }
	b := func(c int) expr.Expr { return expr.NewColumn(len(sides)+c, sides[c].Name, sides[c].Type) }
	less := func(c int) condition {
		return condition{rejects: []int{c}, e: must(expr.NewCompare(expr.OpLt, p(c), b(c))), test: func(p, b exectest.Row) truth {
			if p[c].Null || b[c].Null {
				return null
			}
			return truthOf(exectest.CompareScalars(p[c], b[c]) < 0)
		}}
	}
	third := must(expr.NewArith(expr.OpMod, must(expr.NewArith(expr.OpAdd, p(colID), b(colID))), expr.NewConst(vector.IntScalar(3))))
	return []condition{
		less(colK), less(colF), less(colS), less(colID),
		{e: must(expr.NewCompare(expr.OpEq, third, expr.NewConst(vector.IntScalar(0)))), test: func(p, b exectest.Row) truth {
			return truthOf((p[colID].I64+b[colID].I64)%3 == 0)
		}},
		{e: expr.NewIsNull(p(colK), false), test: func(p, _ exectest.Row) truth { return truthOf(p[colK].Null) }},
		{e: expr.NewConst(vector.BoolScalar(false)), test: func(_, _ exectest.Row) truth { return no }},
	}
}

// and is the conjunction of conditions.
func and(t *testing.T, list []condition) (expr.Expr, func(p, b exectest.Row) truth) {
	var parts []expr.Expr
	for _, c := range list {
		parts = append(parts, c.e)
	}
	test := func(p, b exectest.Row) truth {
		out := yes
		for _, c := range list {
			out = min(out, c.test(p, b))
		}
		return out
	}
	if parts == nil {
		return nil, test
	}
	return exectest.Must(t)(expr.NewAnd(parts...)), test
}

// trial is a random join with its reference.
type trial struct {
	spec join.Spec
	on   func(p, b exectest.Row) truth
	test func(p, b exectest.Row) truth
	name string
}

func pick(r *rand.Rand, from []condition, n int) []condition {
	var out []condition
	for _, i := range r.Perm(len(from))[:n] {
		out = append(out, from[i])
	}
	return out
}

func newTrial(t *testing.T, r *rand.Rand) trial {
	equalities := []condition{computed(t)}
	for c := range sides {
		equalities = append(equalities, equality(t, c, hashtable.Equals), equality(t, c, hashtable.NotDistinct))
	}
	keys := pick(r, equalities, r.IntN(3))
	rest := pick(r, residuals(t), max(0, r.IntN(4)-1))
	var x trial
	x.spec = join.Spec{Result: []join.Result{join.MarkProbe, join.MarkProbe, 0, 1, 2, 3, 4, 5}[r.IntN(8)]}
	for _, k := range keys {
		x.spec.Keys = append(x.spec.Keys, *k.key)
	}
	for _, c := range rest {
		x.spec.Rejects = append(x.spec.Rejects, c.rejects...)
	}
	x.spec.On, _ = and(t, rest)
	_, x.on = and(t, append(keys, rest...))
	switch x.spec.Result {
	case join.Pairs:
		x.spec.KeepProbe, x.spec.KeepBuild, x.spec.BuildFirst = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
	case join.MarkProbe:
		var tests []condition
		if hashed := r.IntN(2) == 0; hashed {
			for range 1 + r.IntN(3) {
				tests = append(tests, equality(t, r.IntN(len(sides)), hashtable.Equals))
				x.spec.TestKeys = append(x.spec.TestKeys, *tests[len(tests)-1].key)
			}
		} else {
			tests = pick(r, residuals(t), r.IntN(3))
		}
		x.spec.Test, x.test = and(t, tests)
	}
	if x.spec.TestKeys == nil && r.IntN(3) == 0 && !x.spec.KeepBuild && x.spec.Result != join.UnmatchedBuild && r.IntN(2) == 0 {
		band := x.band(t, r)
		on := x.on
		x.on = func(p, b exectest.Row) truth { return min(on(p, b), band(p, b)) }
	} else if x.spec.TestKeys == nil && r.IntN(3) == 0 && (len(keys) == 0 || !x.spec.KeepBuild && x.spec.Result != join.UnmatchedBuild) {
		bounds := x.order(t, r)
		on := x.on
		x.on = func(p, b exectest.Row) truth { return min(on(p, b), bounds(p, b)) }
	}
	if len(keys) == 0 && x.spec.Order == nil && x.spec.Test == nil && x.spec.TestKeys == nil && r.IntN(2) == 0 {
		either := x.either(equalities, r)
		on := x.on
		x.on = func(p, b exectest.Row) truth { return min(on(p, b), either(p, b)) }
	}
	x.spec.Schema = schemaOf(x.spec)
	x.name = fmt.Sprintf("result %d, %d keys, %d alternatives, on %v, keep %v %v, test %v, order %v", x.spec.Result, len(keys), len(x.spec.Either), x.spec.On, x.spec.KeepProbe, x.spec.KeepBuild, x.spec.Test, x.spec.Order)
	return x
}

// order adds one or two comparisons with a column of the build side.
func (x *trial) order(t *testing.T, r *rand.Rand) func(p, b exectest.Row) truth {
	c := []int{colK, colF, colS, colD, colID}[r.IntN(5)]
	column := expr.NewColumn(c, sides[c].Name, sides[c].Type)
	x.spec.Order = &join.Order{Build: column}
	for range 1 + r.IntN(3) {
		op := []expr.Op{expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe}[r.IntN(4)]
		x.spec.Order.Bounds = append(x.spec.Order.Bounds, join.Bound{Op: op, Probe: column})
	}
	second := func(p, b exectest.Row) truth { return yes }
	if len(x.spec.Keys) == 0 && r.IntN(2) == 0 {
		c := []int{colK, colF, colS, colD, colID}[r.IntN(5)]
		column := expr.NewColumn(c, sides[c].Name, sides[c].Type)
		op := []expr.Op{expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe}[r.IntN(4)]
		x.spec.Order.Reach = &join.Reach{Build: column, Bound: join.Bound{Op: op, Probe: column}}
		second = func(p, b exectest.Row) truth {
			if p[c].Null || b[c].Null {
				return null
			}
			return truthOf(ordered(op, exectest.CompareScalars(p[c], b[c])))
		}
		build := expr.NewColumn(len(sides)+c, sides[c].Name, sides[c].Type)
		both, err := expr.NewCompare(op, column, build)
		if err != nil {
			t.Fatal(err)
		}
		if x.spec.On != nil {
			if both, err = expr.NewAnd(x.spec.On, both); err != nil {
				t.Fatal(err)
			}
		}
		x.spec.On = both
	}
	if len(x.spec.Keys) > 0 && x.spec.On == nil && len(x.spec.Order.Bounds) == 1 && r.IntN(2) == 0 {
		both, err := expr.NewCompare(x.spec.Order.Bounds[0].Op, column, expr.NewColumn(len(sides)+c, sides[c].Name, sides[c].Type))
		if err != nil {
			t.Fatal(err)
		}
		x.spec.On, x.spec.Order.Asked, x.spec.Order.Alone = both, true, true
	}
	return func(p, b exectest.Row) truth {
		if p[c].Null || b[c].Null {
			return null
		}
		out := second(p, b)
		for _, bound := range x.spec.Order.Bounds {
			out = min(out, truthOf(ordered(bound.Op, exectest.CompareScalars(p[c], b[c]))))
		}
		return out
	}
}

// ordered reports whether x op y, which compare as n.
func ordered(op expr.Op, n int) bool {
	switch op {
	case expr.OpLt:
		return n < 0
	case expr.OpLe:
		return n <= 0
	case expr.OpGt:
		return n > 0
	}
	return n >= 0
}

func schemaOf(s join.Spec) vector.Schema {
	out := append(vector.Schema{}, sides...)
	switch s.Result {
	case join.Pairs:
		out = append(out, sides...)
		for i := range out {
			out[i].Nullable = true
		}
	case join.MarkProbe:
		out = append(out, vector.Column{Name: "mark", Type: vector.Of(vector.Boolean), Nullable: true})
	}
	return out
}

func nulls() exectest.Row {
	row := make(exectest.Row, len(sides))
	for i, c := range sides {
		row[i] = vector.NullOf(c.Type)
	}
	return row
}

// want is the result of the join, pair by pair.
func (x *trial) want(probe, build []exectest.Row) []exectest.Row {
	var out []exectest.Row
	pair := func(p, b exectest.Row) {
		if x.spec.BuildFirst {
			p, b = b, p
		}
		out = append(out, append(append(exectest.Row{}, p...), b...))
	}
	hasMatch := make([]bool, len(build))
	for _, p := range probe {
		matches, mark := 0, no
		for i, b := range build {
			if x.on(p, b) != yes {
				continue
			}
			matches++
			hasMatch[i] = true
			if x.spec.Result == join.Pairs {
				pair(p, b)
			}
			if x.test != nil {
				mark = max(mark, x.test(p, b))
			}
		}
		switch {
		case x.spec.Result == join.Pairs && x.spec.KeepProbe && matches == 0:
			pair(p, nulls())
		case x.spec.Result == join.MatchedProbe && matches > 0, x.spec.Result == join.UnmatchedProbe && matches == 0:
			out = append(out, p)
		case x.spec.Result == join.MarkProbe:
			value := vector.BoolScalar(mark == yes)
			if mark == null {
				value = vector.NullOf(value.Type)
			}
			out = append(out, append(append(exectest.Row{}, p...), value))
		}
	}
	for i, b := range build {
		switch {
		case x.spec.Result == join.Pairs && x.spec.KeepBuild && !hasMatch[i]:
			pair(nulls(), b)
		case x.spec.Result == join.MatchedBuild && hasMatch[i], x.spec.Result == join.UnmatchedBuild && !hasMatch[i]:
			out = append(out, b)
		}
	}
	return out
}

// sources divides rows among workers.
func sources(r *rand.Rand, rows []exectest.Row, workers, size int) []exec.Operator {
	parts := make([][]exectest.Row, workers)
	for _, row := range rows {
		w := r.IntN(workers)
		parts[w] = append(parts[w], row)
	}
	out := make([]exec.Operator, workers)
	for w := range out {
		out[w] = exectest.NewSource(sides, parts[w], size, rand.New(rand.NewPCG(r.Uint64(), 0)))
	}
	return out
}

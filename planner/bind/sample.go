package bind

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Plans of samples: USING SAMPLE, TABLESAMPLE and LIMIT n %.

// sampleOf is a sample of the rows of a node, in their order. A row's place in the sample depends
// on its number and on the seed alone, so that a seed gives the same rows each time; seed
// counts where the sample has none.
func sampleOf(ids *logical.IDs, in logical.Node, s *ast.Sample, seed uint64) (logical.Node, error) {
	if s.Seed != nil {
		seed = *s.Seed
	}
	numbered, number, err := logical.NewNumbered(ids, in, nil, nil)
	if err != nil {
		return nil, err
	}
	place, err := function.Scattered(number.Ref(), seed)
	if err != nil {
		return nil, err
	}
	if !s.Exact {
		return chosen(in, numbered, place, s.Amount/100)
	}
	keys := []expr.SortKey{{Expr: place}}
	var part logical.Node
	if s.Percent {
		p := expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: s.Amount})
		part, err = sampleRows{Keys: keys, Percent: p}.Of(ids, numbered)
	} else {
		part = &logical.Limit{In: &logical.Sort{In: numbered, Keys: keys}, Limit: int64(s.Amount)}
	}
	if err != nil {
		return nil, err
	}
	return only(in, &logical.Sort{In: part, Keys: []expr.SortKey{{Expr: number.Ref()}}}), nil
}

// chosen is each row with a chance: place has all values of a BIGINT equally often.
func chosen(in, numbered logical.Node, place expr.Expr, chance float64) (logical.Node, error) {
	if chance >= 1 {
		return in, nil
	}
	end := int64(uint64(math.Ldexp(chance, 64)) ^ 1<<63) // so many above the least
	below, err := expr.NewCompare(expr.OpLt, place, expr.NewConst(vector.IntScalar(end)))
	if err != nil {
		return nil, err
	}
	return only(in, &logical.Filter{In: numbered, Conjuncts: []expr.Expr{below}}), nil
}

// only has the columns of in.
func only(in, n logical.Node) logical.Node {
	p := &logical.Project{In: n}
	for _, c := range in.Columns() {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p
}

// sampleRows is LIMIT and OFFSET whose values are known only when the query runs: a condition on
// the number of a row.
type sampleRows struct {
	Keys    []expr.SortKey // the order by which rows are numbered
	Skipped expr.Expr      // nil: 0
	Most    expr.Expr      // how many rows; nil: all
	Percent expr.Expr      // how many of 100, instead of Most
	// Below puts what the expressions need below them; nil: nothing.
	Below func(logical.Node) logical.Node
}

// sampleOf is those rows of a node, in order.
func (r sampleRows) Of(ids *logical.IDs, in logical.Node) (logical.Node, error) {
	w, number, err := logical.NewNumbered(ids, in, nil, r.Keys)
	if err != nil {
		return nil, err
	}
	var below logical.Node = w
	most := r.Most
	if r.Percent != nil {
		if below, most, err = share(ids, w, r.Percent); err != nil {
			return nil, err
		}
	}
	if r.Below != nil {
		below = r.Below(below)
	}
	conds, err := r.conditions(number.Ref(), most)
	if err != nil {
		return nil, err
	}
	var out logical.Node = &logical.Filter{In: below, Conjuncts: conds}
	if r.Keys != nil {
		out = &logical.Sort{In: out, Keys: r.Keys}
	}
	return only(in, out), nil
}

func (r sampleRows) conditions(number, most expr.Expr) ([]expr.Expr, error) {
	place := number
	var out []expr.Expr
	if r.Skipped != nil {
		first, err := expr.NewCompare(expr.OpGt, number, r.Skipped)
		if err != nil {
			return nil, err
		}
		if place, err = expr.NewArith(expr.OpSub, number, r.Skipped); err != nil {
			return nil, err
		}
		out = append(out, first)
	}
	if most == nil {
		return out, nil
	}
	last, err := expr.NewCompare(expr.OpLe, place, most)
	return append(out, last), err
}

// share adds the number of all rows to a node; the result is a percentage of it, rounded
// down.
func share(ids *logical.IDs, in logical.Node, percent expr.Expr) (logical.Node, expr.Expr, error) {
	call, err := window.New("count", nil, window.Options{})
	if err != nil {
		return nil, nil, err
	}
	total := logical.NewWindowCall(ids, call)
	w := &logical.Window{In: in, Calls: []logical.WindowCall{total}}
	part, err := expr.NewArith(expr.OpMul, total.Ref(), percent)
	if err != nil {
		return nil, nil, err
	}
	part, err = expr.NewArith(expr.OpDiv, part, expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 100}))
	if err != nil {
		return nil, nil, err
	}
	if part, err = function.New("floor", []expr.Expr{part}); err != nil {
		return nil, nil, err
	}
	most, err := expr.NewCast(part, vector.Of(vector.BigInt), false)
	return w, most, err
}

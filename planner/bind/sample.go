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
	if n := drawn(in, s, seed); n != nil {
		return n, nil
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
		part, err = sampleRows{Keys: keys, Percent: p, Rounded: true}.Of(ids, numbered)
	} else {
		part = &logical.Limit{In: &logical.Sort{In: numbered, Keys: keys}, Limit: int64(s.Amount)}
	}
	if err != nil {
		return nil, err
	}
	return only(in, &logical.Sort{In: part, Keys: []expr.SortKey{{Expr: number.Ref()}}}), nil
}

// maxDrawn is how many values are drawn while the rows are read, but for samples of a batch
// of rows: they and as many more stay in memory. More are sorted by chance, on disk where they must.
const maxDrawn = 1 << 14

// drawn is a sample whose rows are drawn while they are read; nil: there are too many, or what
// they are sampled of depends on rows outside, so that each of these has a sample of its own.
func drawn(in logical.Node, s *ast.Sample, seed uint64) logical.Node {
	out := &logical.Sample{In: in, Seed: seed}
	switch {
	case !(s.Amount >= 1) && !s.Percent, s.Amount == 0:
		return &logical.Limit{In: in}
	case s.Percent && s.Amount == 100:
		return in
	case !logical.Free(in).Empty():
		return nil
	case !s.Exact:
		out.Chance = s.Amount / 100
	case !s.Percent:
		if s.Amount > vector.BatchSize && s.Amount*float64(len(in.Columns())) > maxDrawn || s.Amount > maxDrawn {
			return nil
		}
		out.Size = int(s.Amount)
	default:
		if out.Size, out.Of = partOf(s.Amount); out.Of == 0 {
			return nil
		}
	}
	return out
}

// partOf is a percentage as a number of rows of each so many, which are few; of is 0 where it has
// too many digits for that.
func partOf(percent float64) (size int, of int64) {
	for of = 1000; of <= 10_000; of *= 10 {
		n := percent * float64(of) / 100
		if whole := math.Round(n); math.Abs(n-whole) < 1e-9 && whole > 0 {
			return int(whole), of
		}
	}
	return 0, 0
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
	Rounded bool           // Percent of the rows is rounded; else rounded down
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
		if below, most, err = r.share(ids, w); err != nil {
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

// share adds the number of all rows to a node; the result is a percentage of it.
func (r sampleRows) share(ids *logical.IDs, in logical.Node) (logical.Node, expr.Expr, error) {
	call, err := window.New("count", nil, window.Options{})
	if err != nil {
		return nil, nil, err
	}
	total := logical.NewWindowCall(ids, call)
	w := &logical.Window{In: in, Calls: []logical.WindowCall{total}}
	hundred := expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 100})
	part, err := expr.NewArith(expr.OpDiv, r.Percent, hundred)
	if err != nil {
		return nil, nil, err
	}
	if part, err = expr.NewArith(expr.OpMul, part, total.Ref()); err != nil {
		return nil, nil, err
	}
	whole := "floor"
	if r.Rounded {
		whole = "round"
	}
	if part, err = function.New(whole, []expr.Expr{part}); err != nil {
		return nil, nil, err
	}
	most, err := expr.NewCast(part, vector.Of(vector.BigInt), false)
	return w, most, err
}

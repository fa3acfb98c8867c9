package group

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// Sets describes GROUP BY with grouping sets: ROLLUP, CUBE and the like.
type Sets struct {
	Keys []expr.Expr
	Aggs []*aggregate.Call
	// Numbers are the sets, each different. Bit i is set if Keys[i] is not in the set: the
	// key is NULL in the rows of the set then. The bits above those of the keys distinguish
	// sets of the same keys.
	Numbers []int64
	// Schema describes the result: the keys, the number of the set, the aggregates.
	Schema vector.Schema
}

// NewSets aggregates the rows of all inputs once per grouping set. A set without keys
// has one row, even if there are no input rows.
//
// Each row is repeated for each set, with NULLs in place of keys, and grouped by the
// keys and the number of the set. Where the states of all aggregates allow it, rows are
// grouped by all keys before that, see finestGroups.
func NewSets(env exec.Env, in []exec.Operator, s Sets) ([]exec.Operator, error) {
	p := &projection{}
	for _, k := range s.Keys {
		p.append(k)
	}
	p.keys = len(s.Keys)
	aggs := make([]*aggregate.Call, len(s.Aggs))
	for i, a := range s.Aggs {
		var err error
		if aggs[i], err = a.Transform(p.argument(a.Filter() != nil)); err != nil {
			return nil, err
		}
	}
	finest := len(s.Keys) > 0
	for _, a := range aggs {
		finest = finest && a.Combines()
	}
	all := slices.Concat(p.schema, vector.Schema{{Name: "grouping set", Type: vector.Of(vector.BigInt)}})
	out := make([]exec.Operator, len(in))
	for i := range in {
		out[i] = exec.NewProject(env, in[i], p.exprs, p.schema)
		if !finest {
			out[i] = newExpand(out[i], len(s.Keys), s.Numbers, all)
		}
	}
	keys := columns(all, len(s.Keys))
	number := expr.NewColumn(len(p.schema), all[len(p.schema)].Name, all[len(p.schema)].Type)
	by := append(keys[:len(keys):len(keys)], number)
	if aggregate.GroupsByNumber(by, aggs) {
		op := newDistinctGroups(env, out, by, aggs, s.Schema)
		op.always = s.withoutKeys()
		return []exec.Operator{op}, nil
	}
	op := newAggregation(env, out, by, aggs, s.Schema)
	op.always = s.withoutKeys()
	if finest {
		op.finest = newFinestGroups(env, keys, aggs, s.Numbers)
	}
	return op.operators(), nil
}

// withoutKeys is the groups of the sets that have no key: NULLs and the set's number.
func (s *Sets) withoutKeys() *vector.Batch {
	var numbers []int64
	for _, n := range s.Numbers {
		if all := int64(1)<<len(s.Keys) - 1; n&all == all {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	b := &vector.Batch{Len: len(numbers)}
	for _, k := range s.Keys {
		b.Cols = append(b.Cols, vector.NewConstant(vector.NullOf(k.Type()), b.Len))
	}
	v := vector.New(vector.Of(vector.BigInt), b.Len)
	copy(v.I64, numbers)
	b.Cols = append(b.Cols, v)
	return b
}

// addAlways makes the groups that there are even if no row is in them.
func (a *aggregation) addAlways(to *groups) error {
	if a.always == nil {
		return nil
	}
	ids := make([]uint32, a.always.Len)
	if err := to.table.FindOrInsert(a.always.Cols, a.always, ids); err != nil {
		return err
	}
	to.resize()
	return nil
}

// addAlways gives numbers to the groups that there are even if no row is in them.
func (d *distinctGroups) addAlways() error {
	if d.always == nil {
		return nil
	}
	_, err := d.numbers.of(d.always.Cols, d.always, make([]uint32, d.always.Len))
	return err
}

// projection is what is computed before rows are repeated: keys and arguments.
type projection struct {
	keys   int // the first expressions
	exprs  []expr.Expr
	schema vector.Schema

	arguments expr.Unique // exprs behind the keys
}

func (p *projection) append(e expr.Expr) {
	p.exprs = append(p.exprs, e)
	p.schema = append(p.schema, vector.Column{Name: e.String(), Type: e.Type(), Nullable: true})
}

// add finds or adds an expression behind the keys: arguments are not NULL where a key is
// not in the set.
func (p *projection) add(e expr.Expr) *expr.Column {
	at, added := p.arguments.Add(e)
	if added {
		p.append(e)
	}
	return expr.NewColumn(p.keys+at, e.String(), e.Type())
}

// argument adds an argument. With a FILTER only its columns are added: in rows that do
// not pass, computing it may fail.
func (p *projection) argument(filtered bool) func(expr.Expr) (expr.Expr, error) {
	if !filtered {
		return func(e expr.Expr) (expr.Expr, error) {
			if _, constant := e.(*expr.Const); constant {
				return e, nil
			}
			return p.add(e), nil
		}
	}
	return func(e expr.Expr) (expr.Expr, error) {
		return expr.Transform(e, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				return p.add(c)
			}
			return x
		})
	}
}

// expand repeats each batch for each grouping set.
type expand struct {
	in      exec.Operator
	schema  vector.Schema
	numbers []int64

	batch  *vector.Batch // of in
	sel    []int32       // of batch
	at     int           // the next set
	repeat repeater
}

func newExpand(in exec.Operator, keys int, numbers []int64, schema vector.Schema) exec.Operator {
	types := make([]vector.Type, keys)
	for i, c := range schema[:keys] {
		types[i] = c.Type
	}
	return &expand{in: in, schema: schema, numbers: numbers, at: len(numbers), repeat: newRepeater(types)}
}

func (e *expand) Schema() vector.Schema { return e.schema }
func (e *expand) Close() error          { return e.in.Close() }

func (e *expand) Next(ctx context.Context) (*vector.Batch, error) {
	if e.at == len(e.numbers) {
		b, err := e.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		e.batch, e.sel, e.at = b, b.Sel, 0
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.at++
	return e.repeat.batch(e.batch, e.sel, e.numbers[e.at-1]), nil
}

package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// maxGroupingSets is that of CUBE with 12 keys.
const maxGroupingSets = 1 << 12

// keySet is the keys of a grouping set: bit i is set if key i is in it.
type keySet uint64

// groupBy binds the keys of GROUP BY. The result is its grouping sets: one, if there is
// no ROLLUP or the like.
func (k *block) groupBy(t *typer) ([]keySet, error) {
	sets := []keySet{0}
	for _, g := range k.s.GroupBy {
		own, err := k.grouping(t, g)
		if err != nil {
			return nil, err
		}
		if len(sets)*len(own) > maxGroupingSets {
			return nil, tooManySets()
		}
		sets = crossed(sets, own)
	}
	return sets, nil
}

func tooManySets() error {
	return errs.Unsupported("GROUP BY with more than %d grouping sets", maxGroupingSets)
}

// crossed is every set of a with every set of b.
func crossed(a, b []keySet) []keySet {
	out := make([]keySet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x|y)
		}
	}
	return out
}

// grouping is the sets of one element.
func (k *block) grouping(t *typer, g *ast.Grouping) ([]keySet, error) {
	if g.Kind == ast.GroupKeys {
		set, err := k.keys(t, g.Keys)
		return []keySet{set}, err
	}
	var parts []keySet // of ROLLUP and CUBE: one each
	for _, p := range g.Parts {
		own, err := k.grouping(t, p)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, own...); len(parts) > maxGroupingSets {
			return nil, tooManySets()
		}
	}
	switch g.Kind {
	case ast.GroupRollup:
		return rollup(parts), nil
	case ast.GroupCube:
		return cube(parts)
	}
	return parts, nil
}

// rollup is all parts, all but the last, and so on, down to none.
func rollup(parts []keySet) []keySet {
	out := make([]keySet, len(parts)+1)
	for i, p := range parts {
		for n := range len(parts) - i {
			out[n] |= p
		}
	}
	return out
}

// cube is every choice of parts.
func cube(parts []keySet) ([]keySet, error) {
	if 1<<min(len(parts), 32) > maxGroupingSets {
		return nil, tooManySets()
	}
	out := []keySet{0}
	for _, p := range parts {
		out = crossed(out, []keySet{p, 0})
	}
	return out, nil
}

// keys binds keys and adds them to the aggregation.
func (k *block) keys(t *typer, list []ast.Expr) (keySet, error) {
	var set keySet
	for _, g := range list {
		k.agg.simple = k.agg.simple && k.named(g)
		x, name, err := k.groupKey(t, g)
		if err != nil {
			return 0, err
		}
		at, err := k.agg.addGroup(x, name)
		if err != nil {
			return 0, err
		}
		set |= 1 << at
	}
	return set, nil
}

// ofSets makes the aggregation one over several grouping sets. Keys get new IDs: in
// some sets they are NULL.
func (a *aggregation) ofSets(sets []keySet) error {
	if len(sets) == 1 {
		return nil
	}
	if len(a.groups) > logical.MaxSetKeys {
		return errs.Unsupported("grouping sets with more than %d keys", logical.MaxSetKeys)
	}
	a.number = logical.NewNumber(a.in.b.ids)
	for _, s := range sets {
		a.sets = append(a.sets, logical.Grouping(^s&(1<<len(a.groups)-1)))
	}
	for i := range a.groups {
		a.groups[i].ID = a.in.b.ids.New()
	}
	return nil
}

// isGrouping reports whether a call is GROUPING(…), which reads the grouping set of a row.
func isGrouping(e *ast.Call) bool {
	return e.Over == nil && (strings.EqualFold(e.Name, "GROUPING") || strings.EqualFold(e.Name, "GROUPING_ID"))
}

// grouping binds GROUPING(a, b): a bit for each argument, the last one the lowest, that
// is 1 where the key is not in the set of the row.
func (a *aggregation) grouping(e *ast.Call) (expr.Expr, error) {
	name := strings.ToUpper(e.Name)
	if len(e.Args) == 0 || len(e.Args) > 63 || e.Star || e.Distinct || e.Filter != nil || e.OrderBy != nil || e.IgnoreNulls {
		return nil, fmt.Errorf("parquet: %s takes keys of GROUP BY, at most 63, and nothing else", name)
	}
	var out expr.Expr = expr.NewConst(vector.IntScalar(0))
	for i, arg := range e.Args {
		x, err := a.in.bind(arg)
		if err != nil {
			return nil, err
		}
		key := a.find(x)
		if key < 0 {
			return nil, fmt.Errorf("parquet: %s: %s is no key of GROUP BY", name, x)
		}
		if a.sets == nil {
			continue
		}
		bit, err := a.lacks(key, len(e.Args)-1-i)
		if err == nil {
			out, err = expr.NewArith(expr.OpBitOr, out, bit)
		}
		if err != nil {
			return nil, err
		}
	}
	return expr.NewCast(out, vector.Of(vector.BigInt), false)
}

// lacks is 1<<place in rows whose set lacks a key, else 0.
func (a *aggregation) lacks(key, place int) (expr.Expr, error) {
	shifted, err := expr.NewArith(expr.OpShiftRight, a.number.Ref(), expr.NewConst(vector.IntScalar(int64(key))))
	if err != nil {
		return nil, err
	}
	bit, err := expr.NewArith(expr.OpBitAnd, shifted, expr.NewConst(vector.IntScalar(1)))
	if err != nil {
		return nil, err
	}
	return expr.NewArith(expr.OpShiftLeft, bit, expr.NewConst(vector.IntScalar(int64(place))))
}

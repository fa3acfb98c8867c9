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

// groupBy binds the keys of GROUP BY. The result is its grouping sets: one, if there is
// no ROLLUP or the like.
func (k *block) groupBy(t *typer) ([]groupingSet, error) {
	found := []groupingSet{0}
	for _, g := range k.s.GroupBy {
		own, err := k.grouping(t, g)
		if err != nil {
			return nil, err
		}
		if len(found)*len(own) > mostSets {
			return nil, tooManySets()
		}
		found = crossedSets(found, own)
	}
	return found, nil
}

// grouping is the sets of one element.
func (k *block) grouping(t *typer, g *ast.Grouping) ([]groupingSet, error) {
	if g.Kind == ast.GroupKeys {
		set, err := k.keys(t, g.Keys)
		return []groupingSet{set}, err
	}
	var parts []groupingSet // of ROLLUP and CUBE: one each
	for _, p := range g.Parts {
		own, err := k.grouping(t, p)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, own...); len(parts) > mostSets {
			return nil, tooManySets()
		}
	}
	switch g.Kind {
	case ast.GroupRollup:
		return rollupSets(parts), nil
	case ast.GroupCube:
		return cubeSets(parts)
	}
	return parts, nil
}

// keys binds keys and adds them to the aggregation.
func (k *block) keys(t *typer, list []ast.Expr) (groupingSet, error) {
	var set groupingSet
	for _, g := range list {
		k.agg.simple = k.agg.simple && k.named(g)
		x, name, err := k.groupKey(t, g)
		if err != nil {
			return 0, err
		}
		at, err := k.agg.addKey(x, name)
		if err != nil {
			return 0, err
		}
		set |= 1 << at
	}
	return set, nil
}

// ofSets makes the aggregation one over several grouping sets. Keys get new IDs: in
// some sets they are NULL.
func (a *aggregation) ofSets(all []groupingSet) error {
	if len(all) == 1 {
		return nil
	}
	if len(a.groups) > logical.MaxSetKeys {
		return errs.Unsupported("grouping sets with more than %d keys", logical.MaxSetKeys)
	}
	a.number = logical.NewNumber(a.in.b.ids)
	for _, s := range all {
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
		return nil, fmt.Errorf("%s takes keys of GROUP BY, at most 63, and nothing else", name)
	}
	var out expr.Expr = expr.NewConst(vector.IntScalar(0))
	for i, arg := range e.Args {
		x, err := a.in.bind(arg)
		if err != nil {
			return nil, err
		}
		key := a.find(x)
		if key < 0 {
			return nil, fmt.Errorf("%s: %s is no key of GROUP BY", name, x)
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

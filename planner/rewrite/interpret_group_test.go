package rewrite_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregate knows COUNT(*), COUNT(x), MIN(x) and MAX(x) of integers and BOOLEANs, and FIRST in one order for all.
func (p *interpreter) aggregate(n *logical.Aggregate) ([]row, error) {
	in, err := p.rows(n.In)
	if err != nil {
		return nil, err
	}
	for _, a := range n.Aggs {
		if a.Call.Name() == "FIRST" {
			order := []expr.SortKey{{Expr: a.Call.Args()[1], Desc: strings.Contains(a.Call.String(), "DESC")}}
			if in, err = p.sorted(in, order); err != nil {
				return nil, err
			}
			break
		}
	}
	var out []row
	at := map[string]int{}
	if len(n.Groups) == 0 {
		out, at[""] = append(out, row{}), 0
	}
	for _, r := range in {
		group := row{}
		for _, g := range n.Groups {
			if group[g.ID], err = p.value(g.Expr, r); err != nil {
				return nil, err
			}
		}
		key := ""
		if len(n.Groups) > 0 {
			key = shownRows(n.Columns()[:len(n.Groups)], []row{group})[0]
		}
		if _, ok := at[key]; !ok {
			at[key], out = len(out), append(out, group)
		}
		for _, a := range n.Aggs {
			if a.Call.Name() == "FIRST" {
				if _, seen := out[at[key]][a.ID]; !seen {
					if out[at[key]][a.ID], err = p.value(a.Call.Args()[0], r); err != nil {
						return nil, err
					}
				}
				continue
			}
			v := vector.IntScalar(1)
			for _, arg := range a.Call.Args() {
				if v, err = p.value(arg, r); err != nil {
					return nil, err
				}
			}
			if v.Null {
				continue
			}
			old, seen := out[at[key]][a.ID]
			switch a.Call.Name() {
			case "COUNT":
				out[at[key]][a.ID] = vector.IntScalar(old.I64 + 1)
			case "MAX":
				if !seen || below(old, v) {
					out[at[key]][a.ID] = v
				}
			case "MIN":
				if !seen || below(v, old) {
					out[at[key]][a.ID] = v
				}
			default:
				return nil, fmt.Errorf("the interpreter does not know %s", a.Call)
			}
		}
	}
	for _, r := range out {
		for _, a := range n.Aggs {
			if _, seen := r[a.ID]; !seen && a.Call.Name() == "COUNT" {
				r[a.ID] = vector.IntScalar(0)
			} else if !seen {
				r[a.ID] = vector.NullOf(a.Type)
			}
		}
	}
	return out, nil
}

// below is for two integers, or two BOOLEANs.
func below(a, b vector.Scalar) bool {
	if a.Type.Kind == vector.Boolean {
		return !a.Bool && b.Bool
	}
	return a.I64 < b.I64
}

// window knows ROW_NUMBER.
func (p *interpreter) window(n *logical.Window) ([]row, error) {
	in, err := p.rows(n.In)
	if err != nil {
		return nil, err
	}
	if in, err = p.sorted(in, n.OrderBy); err != nil {
		return nil, err
	}
	count := map[string]int64{}
	var out []row
	for _, r := range in {
		key := ""
		for _, e := range n.Partition {
			v, err := p.value(e, r)
			if err != nil {
				return nil, err
			}
			key += expr.NewConst(v).String() + " "
		}
		count[key]++
		out = append(out, merged(r, row{n.Calls[0].ID: vector.IntScalar(count[key])}))
	}
	return out, nil
}

// sorted is the rows in the order of integer keys.
func (p *interpreter) sorted(in []row, keys []expr.SortKey) ([]row, error) {
	in = slices.Clone(in)
	var failed error
	slices.SortStableFunc(in, func(a, b row) int {
		for _, k := range keys {
			x, err := p.value(k.Expr, a)
			if err != nil {
				failed = err
			}
			y, err := p.value(k.Expr, b)
			if err != nil {
				failed = err
			}
			switch {
			case x.Null && y.Null:
			case x.Null:
				return 1
			case y.Null:
				return -1
			case x.I64 != y.I64:
				return int(x.I64 - y.I64)
			}
		}
		return 0
	})
	return in, failed
}

package estimate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// elements is how many rows an unnest makes of one row.
func elements(u *logical.Unnest) float64 {
	if u.Series == nil || u.Series.From.T.Kind != vector.BigInt {
		return unknownElements
	}
	p, ok := u.In.(*logical.Project)
	if !ok {
		return unknownElements
	}
	var values [3]float64
	for i, c := range []*expr.Column{u.Series.From, u.Series.To, u.Series.Step} {
		at := p.Columns().Position(logical.ColumnID(c.Index))
		if at < 0 {
			return unknownElements
		}
		known, ok := p.Items[at].Expr.(*expr.Const)
		if !ok {
			return unknownElements
		}
		values[i] = float64(known.Value.I64)
	}
	if values[2] == 0 {
		return unknownElements
	}
	return max(0, (values[1]-values[0])/values[2])
}

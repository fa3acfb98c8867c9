package bind

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// fieldOfKey is k.x where k is a key, or a.k.x where a.k is one.
func (a *aggregation) fieldOfKey(e ast.Expr) (expr.Expr, bool, error) {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil, false, nil
	}
	m, err := a.in.scope.Resolve(id.Parts)
	if err != nil {
		return nil, false, nil // it is no column of FROM
	}
	for n := len(m.Rest) - 1; n >= 0; n-- {
		whole, err := fields(m.Ref(), m.Rest[:n])
		if err != nil {
			return nil, false, err
		}
		if key, ok, err := a.key(whole); ok || err != nil {
			if err == nil {
				key, err = fields(key, m.Rest[n:])
			}
			return key, true, err
		}
	}
	for _, whole := range a.in.scope.Wholes(m.Column) {
		way := slices.Concat(strings.Split(whole.Column.Name, "."), whole.Rest, m.Rest)
		if !slices.EqualFunc(way, id.Parts[max(0, len(id.Parts)-len(way)):], strings.EqualFold) {
			continue // a name with a dot is no way to a field
		}
		if key, ok, err := a.key(whole.Ref()); ok && err == nil {
			if key, err = fields(key, append(whole.Rest, m.Rest...)); err == nil {
				return key, true, nil
			}
		}
	}
	return nil, false, nil
}

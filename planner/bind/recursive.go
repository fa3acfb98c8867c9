package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// recursion is a recursive entry of WITH whose sides are being bound.
type recursion struct {
	id      logical.CommonID
	name    string
	columns []string        // the names t(a, b)
	output  logical.Columns // nil while the left side is bound
}

// previous is the rows of the previous step.
func (r *recursion) previous(ids *logical.IDs) (logical.Node, error) {
	if r.output == nil {
		return nil, fmt.Errorf("WITH RECURSIVE: only the right side of UNION may name %s", r.name)
	}
	return logical.NewReuse(ids, r.id, r.name, r.output), nil
}

// entryQuery binds the query of an entry of WITH.
func (b *binder) entryQuery(def *ast.CTE, outer *typer) (logical.Node, error) {
	if !def.Recursive || b.uses[def].Own == 0 {
		return b.query(def.Query, outer)
	}
	q := def.Query
	for inner, ok := q.Body.(*ast.Query); ok && !q.Trimmed() && len(q.With) == 0; inner, ok = q.Body.(*ast.Query) {
		q = inner
	}
	op, ok := q.Body.(*ast.SetOp)
	if !ok || op.Kind != ast.Union || op.ByName {
		return nil, fmt.Errorf("WITH RECURSIVE %s must be a query, UNION or UNION ALL, and a query that names %s", def.Name, def.Name)
	}
	if q.Trimmed() {
		return nil, fmt.Errorf("WITH RECURSIVE %s may have no ORDER BY, LIMIT or OFFSET; write it where %s is used", def.Name, def.Name)
	}
	saved := b.ctes
	defer func() { b.ctes = saved }()
	step := &recursion{name: def.Name, columns: def.Columns}
	b.ctes = &cte{def: def, next: b.ctes, step: step}
	if err := b.entries(q.With, outer); err != nil {
		return nil, err
	}
	init, _, err := b.operand(op.L, outer)
	if err != nil {
		return nil, err
	}
	return b.recursive(op, step, init, outer)
}

// recursive binds the right side of a recursive entry over the columns of the left one.
// If a column is NULL on the left, its type is that on the right, which is then bound a
// second time.
func (b *binder) recursive(op *ast.SetOp, step *recursion, init logical.Node, outer *typer) (logical.Node, error) {
	shown, err := scope.Distinct(step.name, init.Columns(), step.columns)
	if err != nil {
		return nil, err
	}
	columns := init.Columns()
	for i := range columns {
		columns[i].Name, columns[i].Nullable, columns[i].Counts = shown[i].Name, true, false
	}
	for pass := 0; ; pass++ {
		step.id, step.output = b.ids.NewCommon(), nil
		for _, c := range columns {
			c.ID = b.ids.New()
			step.output = append(step.output, c)
		}
		before := len(b.shared)
		right, _, err := b.operand(op.R, outer)
		if err != nil {
			return nil, err
		}
		right = b.withShared(right, before)
		got := right.Columns()
		if len(got) != len(columns) {
			return nil, fmt.Errorf("WITH RECURSIVE %s: the left side of UNION has %s, the right side %d", step.name, errs.Count(len(columns), "column"), len(got))
		}
		learned := false
		for i, c := range got {
			if columns[i].Type.Kind == vector.Null && c.Type.Kind != vector.Null && pass == 0 {
				columns[i].Type, learned = c.Type, true
			}
		}
		if !learned {
			r := &logical.Recursive{ID: step.id, Name: step.name, Output: step.output, All: op.All, Init: init, Step: right}
			return r, castSides(b.ids, r)
		}
	}
}

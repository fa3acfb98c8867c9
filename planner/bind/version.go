package bind

import (
	"context"
	"fmt"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// Versions is a Catalog whose tables may have versions.
type Versions interface {
	// TableAt is a version of a table: by its number or, where that is nil, the newest that is
	// not younger than a time.
	TableAt(ctx context.Context, name string, version *int64, at *time.Time) (logical.Table, error)
}

// lookUp is how tables are found: in a version, if one is meant.
func (b *binder) lookUp(v *ast.Version) (func(name string) (logical.Table, error), error) {
	if given := b.instead; given != nil {
		return func(string) (logical.Table, error) { return given, nil }, nil
	}
	if v == nil {
		return func(name string) (logical.Table, error) { return b.env.Catalog.Table(b.ctx, name) }, nil
	}
	c, ok := b.env.Catalog.(Versions)
	if !ok {
		return nil, errs.At(v.Pos, v.End, errs.Unsupported("versions of tables"))
	}
	number, at, err := b.versionOf(v)
	if err != nil {
		return nil, errs.At(v.Pos, v.End, err)
	}
	return func(name string) (logical.Table, error) { return c.TableAt(b.ctx, name, number, at) }, nil
}

// versionOf is the constant of a version: its number, or a time.
func (b *binder) versionOf(v *ast.Version) (*int64, *time.Time, error) {
	t, clause := vector.Of(vector.BigInt), "VERSION AS OF"
	if v.Time {
		t, clause = vector.TimestampType(vector.Micros, true), "TIMESTAMP AS OF"
	}
	x, err := (&typer{b: b, scope: &scope.Scope{}, clause: clause}).bind(v.Value)
	if err != nil {
		return nil, nil, err
	}
	if v.Time && x.Type().IsNumeric() {
		return nil, nil, fmt.Errorf("%s needs a time, not %s", clause, x.Type())
	}
	if x, err = expr.NewCast(x, t, false); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", clause, err)
	}
	s, err := expr.EvalConstant(x)
	switch {
	case len(expr.ColumnsOf(x)) > 0:
		return nil, nil, fmt.Errorf("%s needs a constant", clause)
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", clause, err)
	case s.Null:
		return nil, nil, fmt.Errorf("%s is NULL", clause)
	case v.Time:
		at := time.UnixMicro(s.I64).UTC()
		return nil, &at, nil
	}
	return &s.I64, nil, nil
}

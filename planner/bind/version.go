package bind

import (
	"context"
	"fmt"
	"strings"
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

// deltaScan binds delta_scan('path', version => 3), as DuckDB has it: a Delta table below the
// location.
func (b *binder) deltaScan(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	if len(f.Args) != 1 {
		return nil, nil, fmt.Errorf("%s takes the path of a Delta table, and its version", f.Name)
	}
	t := typer{b: b, scope: &scope.Scope{}, clause: "the arguments of " + f.Name, outer: outer}
	x, err := t.bind(f.Args[0])
	if err != nil {
		return nil, nil, err
	}
	paths, ok := textLiterals(x)
	if !ok || len(paths) != 1 {
		return nil, nil, fmt.Errorf("%s takes the path of a Delta table, not %s", f.Name, x)
	}
	var number *int64
	for _, o := range f.Options {
		if !strings.EqualFold(o.Name, "version") {
			return nil, nil, errs.Unsupported("the option %s of %s; there is version", o.Name, f.Name)
		}
		if number, _, err = b.versionOf(&ast.Version{Span: o.Span, Value: o.Value}); err != nil {
			return nil, nil, err
		}
	}
	c, ok := b.env.Catalog.(Versions)
	if !ok {
		return nil, nil, errs.Unsupported("versions of tables")
	}
	found, err := c.TableAt(b.ctx, paths[0], number, nil)
	if err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: f.Alias}
	if f.Alias == "" {
		src.Alias = f.Name
	}
	node := b.scan(src, found)
	return node, &scope.Scope{Sources: []*scope.Source{src}}, src.Rename(f.Columns)
}

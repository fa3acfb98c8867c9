package planner

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/vector"
)

// Check looks up the statement's names without running it. It returns the error
// that a query would return. If the statement has placeholders, whose values may
// change the error, it reports only names that do not exist.
func (s *Statement) Check(ctx context.Context, se *Session) error {
	_, err := s.Columns(ctx, se, nil)
	var missing *errs.NotFoundError
	if s.NumInput() != 0 && !errors.As(err, &missing) {
		return nil
	}
	return err
}

// Columns describes the columns of the statement's result without running it.
// Without arguments every placeholder has the type NULL, which becomes the type of
// the other operands; if there are none, the column's type is NULL.
func (s *Statement) Columns(ctx context.Context, se *Session, args []Arg) (vector.Schema, error) {
	schema, err := s.columns(ctx, se, tables{se.Snapshot}, args)
	return schema, errs.InText(err, s.text)
}

func (s *Statement) columns(ctx context.Context, se *Session, shown bind.Catalog, args []Arg) (schema vector.Schema, err error) {
	defer errs.Recover(&err)
	arg := func(*ast.Param) (vector.Scalar, error) { return vector.NullOf(vector.Of(vector.Null)), nil }
	if len(args) > 0 {
		if arg, err = s.arguments(args); err != nil {
			return nil, err
		}
	}
	r := s.bindWith(ctx, se, shown, arg)
	switch tree := s.tree.(type) {
	case *ast.Query:
		return r.columns(tree)
	case *ast.Explain:
		if q, ok := tree.Statement.(*ast.Query); ok {
			if _, err := r.columns(q); err != nil {
				return nil, err
			}
			return explained, nil
		}
	}
	return r.columns(bind.Listing(s.tree))
}

func (r *run) columns(q *ast.Query) (vector.Schema, error) {
	bound, err := bind.Query(r.ctx, r.env, q)
	if err != nil {
		return nil, err
	}
	return bound.Rendered().Root.Columns().Schema(), nil
}

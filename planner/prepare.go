package planner

import (
	"context"
	"errors"
	"slices"

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
		if arg, err = s.arguments(ctx, args); err != nil {
			return nil, err
		}
	}
	return s.bindWith(ctx, se, shown, arg).statementColumns(s.tree)
}

// statementColumns is the columns of the rows of a statement.
func (r *run) statementColumns(s ast.Statement) (vector.Schema, error) {
	switch tree := s.(type) {
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
	return r.columns(bind.Listing(s))
}

func (r *run) columns(q *ast.Query) (vector.Schema, error) {
	bound, err := bind.Query(r.ctx, r.env, q)
	if err != nil {
		return nil, err
	}
	return bound.Rendered().Root.Columns().Schema(), nil
}

// Describe is the columns of the result, and the types that the placeholders $1, $2 … or ? have:
// those of args, whose values may be NULL, or else those that they take on from what they stand
// beside. NULL is the type of a placeholder of which nothing is known.
func (s *Statement) Describe(ctx context.Context, se *Session, args []Arg) (vector.Schema, []vector.Type, error) {
	given, err := s.described(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	// What a placeholder turns out to be may say what stands beside it, in the second pass.
	var schema vector.Schema
	for range 2 {
		known := slices.Clone(given)
		schema, err = s.describe(ctx, se, known)
		if slices.EqualFunc(known, given, vector.Type.Equal) {
			break
		}
		given = known
	}
	return schema, given, errs.InText(err, s.text)
}

// described is the types of the placeholders as far as arguments say them.
func (s *Statement) described(ctx context.Context, args []Arg) ([]vector.Type, error) {
	if s.params.Names != nil {
		return nil, errors.New("the statement names its placeholders: only those by number can be described")
	}
	args, err := cast(ctx, args)
	if err != nil {
		return nil, err
	}
	types := make([]vector.Type, s.params.Count)
	for i := range types {
		types[i] = vector.Of(vector.Null)
	}
	for i, a := range args {
		if i < len(types) {
			types[i] = a.Value.Type
		}
	}
	return types, nil
}

// describe binds the statement with NULLs of some types. Types that are not known yet are changed
// where the statement tells them.
func (s *Statement) describe(ctx context.Context, se *Session, types []vector.Type) (schema vector.Schema, err error) {
	defer errs.Recover(&err)
	now := slices.Clone(types)
	r := s.bindWith(ctx, se, tables{se.Snapshot}, func(p *ast.Param) (vector.Scalar, error) {
		return vector.NullOf(now[p.Ordinal-1]), nil
	})
	r.env.Typed = func(p *ast.Param, t vector.Type) {
		if n := p.Ordinal - 1; types[n].Kind == vector.Null {
			types[n] = t
		}
	}
	return r.statementColumns(s.tree)
}

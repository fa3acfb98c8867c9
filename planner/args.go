package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/vector"
)

// forArguments is the statement with these arguments: @x is the absolute value of a column
// where there is no argument with this name.
func (s *Statement) forArguments(ctx context.Context, args []Arg) (*Statement, error) {
	if slices.ContainsFunc(args, func(a Arg) bool { return a.Name == "" }) {
		return s, nil // an error, which arguments describes
	}
	var columns []string
	for _, name := range s.params.At {
		if !slices.ContainsFunc(args, func(a Arg) bool { return a.Name == name }) {
			columns = append(columns, name)
		}
	}
	if len(columns) == 0 {
		return s, nil
	}
	tree, params, err := dialect.Parse(ctx, s.text, columns...)
	if err != nil {
		return nil, errs.InText(err, s.text)
	}
	return &Statement{text: s.text, tree: tree, params: params}, nil
}

// arguments checks that there is exactly one argument per placeholder. It returns
// the function that finds an argument.
func (s *Statement) arguments(ctx context.Context, args []Arg) (func(*ast.Param) (vector.Scalar, error), error) {
	args, err := cast(ctx, args)
	if err != nil {
		return nil, err
	}
	if s.params.Names != nil {
		return s.named(args)
	}
	values := make([]*vector.Scalar, s.params.Count)
	for i := range args {
		a := &args[i]
		if a.Name != "" {
			return nil, fmt.Errorf("there is an argument named %q, but the statement has no :%s", a.Name, a.Name)
		}
		n := a.Ordinal
		if n == 0 {
			n = i + 1
		}
		if n < 1 || n > len(values) {
			return nil, errs.State("42P02", fmt.Errorf("the statement has %s, but %s", errs.Count(s.params.Count, "placeholder"), given(len(args))))
		}
		values[n-1] = &a.Value
	}
	for i, v := range values {
		if v == nil {
			return nil, s.about(ast.Param{Ordinal: i + 1}, errs.State("42P02", fmt.Errorf("the statement has %s, but the argument for number %d is missing", errs.Count(s.params.Count, "placeholder"), i+1)))
		}
	}
	return func(p *ast.Param) (vector.Scalar, error) { return *values[p.Ordinal-1], nil }, nil
}

// cast is the arguments as values of the types that they are said to have.
func cast(ctx context.Context, args []Arg) ([]Arg, error) {
	out := slices.Clone(args)
	for i, a := range out {
		for _, name := range a.Types {
			t, err := dialect.Type(ctx, name)
			if err != nil {
				return nil, fmt.Errorf("the type %q of an argument: %w", name, err)
			}
			if out[i].Value, err = bind.Cast(out[i].Value, t); err != nil {
				return nil, fmt.Errorf("an argument as %s: %w", name, err)
			}
		}
	}
	return out, nil
}

func (s *Statement) named(args []Arg) (func(*ast.Param) (vector.Scalar, error), error) {
	values := map[string]vector.Scalar{}
	for _, a := range args {
		if a.Name == "" {
			return nil, fmt.Errorf("the statement names its placeholders (:%s): pass its arguments by name, with sql.Named or, to the program parquetsql, as :%[1]s=VALUE", s.params.Names[0])
		}
		values[a.Name] = a.Value
	}
	for _, n := range s.params.Names {
		if _, ok := values[n]; !ok {
			return nil, s.about(ast.Param{Name: n}, fmt.Errorf("the argument for :%s is missing%s", n, s.unknown(args)))
		}
	}
	for _, a := range args {
		if !slices.Contains(s.params.Names, a.Name) {
			return nil, fmt.Errorf("there is an argument named %q, but the statement has no :%s", a.Name, a.Name)
		}
	}
	return func(p *ast.Param) (vector.Scalar, error) { return values[p.Name], nil }, nil
}

// unknown says which argument has a name that no placeholder has.
func (s *Statement) unknown(args []Arg) string {
	for _, a := range args {
		if !slices.Contains(s.params.Names, a.Name) {
			return fmt.Sprintf("; there is one named %q, but no :%s in the statement", a.Name, a.Name)
		}
	}
	return ""
}

// about is an error at the first place of a placeholder.
func (s *Statement) about(which ast.Param, err error) error {
	for _, p := range s.params.All {
		if p.Ordinal == which.Ordinal && p.Name == which.Name {
			return errs.At(p.Pos, p.End, err)
		}
	}
	return err
}

func given(n int) string {
	if n == 1 {
		return "1 argument was given"
	}
	return errs.Count(n, "argument") + " were given"
}

package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// maxSource is the number of bytes of an expression that an error shows.
const maxSource = 60

// namesSource lets the errors of a cast say where the value comes from, which of many casts
// in a query it is, and how to go on without the value.
func namesSource(cast func() kernel.Func, source Expr) func() kernel.Func {
	return func() kernel.Func {
		f := cast()
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			err := f(args, rows, n, out)
			if err == nil {
				return nil
			}
			var value *scalar.CastError
			if !errors.As(err, &value) {
				return err
			}
			switch text := sourceText(source); {
			case text == "": // of values that have no name, which nobody can cast
				return &kernel.ExplainedError{Err: err}
			case len(text) <= maxSource:
				return &kernel.ExplainedError{Err: fmt.Errorf("%w (in %s; TRY_CAST gives NULL)", err, text)}
			}
			return &kernel.ExplainedError{Err: fmt.Errorf("%w (TRY_CAST gives NULL)", err)}
		}
	}
}

// source lets the errors of an operation say which of many in a query it is.
type source struct{ e Expr }

// Explain implements kernel.Source. Errors that say something about the query stay what they are,
// and so do those of expressions without a column, which the position in the statement names.
func (s source) Explain(err error) error {
	if !kernel.OfValue(err) {
		return err
	}
	var explained *kernel.ExplainedError
	var marked *errs.StatementError
	if !errors.As(err, &explained) && !errors.As(err, &marked) && len(ColumnsOf(s.e)) > 0 {
		err = &kernel.ExplainedError{Err: err, Where: s.where}
	}
	return spanOf(s.e).Mark(err)
}

// where is the expression, or the columns of a long one.
func (s source) where() string {
	if text := sourceText(s.e); len(text) <= maxSource {
		return text
	}
	var names []string
	Walk(s.e, func(n Expr) bool {
		if c, ok := n.(*Column); ok && c.Name != "" && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
		return len(names) < maxNames
	})
	if len(names) == 0 {
		return ""
	}
	return "an expression over " + strings.Join(names, ", ")
}

// sourceText is an expression with the names of its columns as a statement has them.
func sourceText(e Expr) string {
	var pairs []string
	Walk(e, func(n Expr) bool {
		if c, ok := n.(*Column); ok && errs.Written(c.Name) != c.Name && !slices.Contains(pairs, c.Name) {
			pairs = append(pairs, c.Name, errs.Written(c.Name))
		}
		return true
	})
	return strings.NewReplacer(pairs...).Replace(e.String())
}

// maxNames is how many columns an error names.
const maxNames = 3

package expr

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
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
			if text := source.String(); len(text) <= maxSource {
				return fmt.Errorf("%w (in %s; TRY_CAST gives NULL)", err, text)
			}
			return fmt.Errorf("%w (TRY_CAST gives NULL)", err)
		}
	}
}

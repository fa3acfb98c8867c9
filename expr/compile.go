package expr

import (
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

var errTooLong = errors.New("a text is longer than an operation may make it")

// ErrBatchTooLong is returned where an operation would make more text of a batch
// than a query should hold; of fewer rows at once it may succeed.
var ErrBatchTooLong = errors.New("an operation makes too much text of one batch of rows")

func unsupportedNested(what string, t vector.Type) error {
	return errs.Unsupported("%s over %s", what, t)
}

func (e *Compare) compile() node {
	return newPredicate([]Expr{e.L, e.R}, compareTester(e.Op, e.L.Type()), false)
}

func (e *Call) compile() node {
	if e.impl.node != nil {
		return e.impl.node()
	}
	return newStrict(e.T, e.impl)
}

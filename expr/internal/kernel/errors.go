package kernel

import (
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

var ErrTooLong = errors.New("a text is longer than an operation may make it")

// errBatchTooLong: see expr.ErrBatchTooLong.
var ErrBatchTooLong = errors.New("an operation makes too much text of one batch of rows")

func UnsupportedNested(what string, t vector.Type) error {
	return errs.Unsupported("%s over %s", what, t)
}

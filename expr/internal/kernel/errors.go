package kernel

import (
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// ErrTooLong is the error of a value that is longer than MaxValueText or MaxRowBytes.
var ErrTooLong = errors.New("the result is longer than the limit for one value")

// ErrBatchTooLong: see expr.ErrBatchTooLong.
var ErrBatchTooLong = errors.New("an operation makes too much text from one batch of rows")

func UnsupportedNested(what string, t vector.Type) error {
	return errs.Unsupported("%s over %s", what, t)
}

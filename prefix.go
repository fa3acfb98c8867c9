package parquetsql

import (
	"context"
	"database/sql/driver"
	"io"
)

// driverError is an error of any layer as it leaves the driver. The layers say what is
// wrong; only this type adds whose error it is, so that the prefix comes once and first.
type driverError struct{ err error }

func (e *driverError) Error() string { return "parquet: " + e.err.Error() }

func (e *driverError) Unwrap() error { return e.err }

// prefix makes *err a driverError. Every function that hands errors to database/sql or
// to the user defers it, and some of these call others. The errors that callers compare
// with == stay as they are.
func prefix(err *error) {
	switch *err {
	case nil, driver.ErrBadConn, io.EOF, context.Canceled, context.DeadlineExceeded:
		return
	}
	if _, ok := (*err).(*driverError); !ok {
		*err = &driverError{*err}
	}
}

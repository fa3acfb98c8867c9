package errs

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was caught at the root of a goroutine or at the
// surface of the driver, because it would else end the host program. It is
// always a bug of this project; tests fail on it.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("parquet: internal error (a bug in the driver, please report it): %v\n%s", e.Value, e.Stack)
}

// Recover is deferred at every goroutine root: it turns a panic into *err.
//
//	defer errs.Recover(&err)
func Recover(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}

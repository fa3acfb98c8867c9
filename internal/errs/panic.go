package errs

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was recovered at the start of a goroutine or in the
// driver's methods; otherwise it would end the user's program. It is always a bug
// of this project, and tests fail on it.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error (a bug in the driver, please report it): %v\n%s", e.Value, e.Stack)
}

// Recover turns a panic into *err. Every goroutine defers it first.
//
//	defer errs.Recover(&err)
func Recover(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}

package kernel

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Source is what an operation is compiled from. Explain adds to an error what is computed.
type Source interface{ Explain(err error) error }

// Operator is a node of one operation, whose errors say what it is compiled from.
type Operator interface {
	Node
	// SetSource has an effect only the first time.
	SetSource(s Source)
}

// origin is the source of a node, or nothing.
type origin struct{ source Source }

func (o *origin) SetSource(s Source) {
	if o.source == nil {
		o.source = s
	}
}

func (o *origin) explain(err error) error {
	if err == nil || o.source == nil {
		return err
	}
	return o.source.Explain(err)
}

// ExplainedError is an error to which nothing is added on its way out of an expression.
type ExplainedError struct {
	Err   error
	Where func() string // what is computed; nil: the error says so itself
}

func (e *ExplainedError) Error() string {
	if e.Where != nil {
		if where := e.Where(); where != "" {
			return e.Err.Error() + " (in " + where + ")"
		}
	}
	return e.Err.Error()
}

func (e *ExplainedError) Unwrap() error { return e.Err }

// OfValue reports whether an error says something about a value, and not about the query.
func OfValue(err error) bool {
	for _, other := range []error{errs.ErrMemoryLimit, errs.ErrUnsupported, errs.ErrChanged, errs.ErrKeyMissing, quota.ErrTooLong, quota.ErrBatchTooLong, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, other) {
			return false
		}
	}
	return true
}

func UnsupportedNested(what string, t vector.Type) error {
	return errs.Unsupported("%s over %s", what, t)
}

package scalar

import (
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// CastError is a value that a type cannot represent.
type CastError struct {
	From, To vector.Type
	Value    string // as a literal; long ones are cut
}

func (e *CastError) Error() string {
	msg := fmt.Sprintf("cannot cast %s to %s: %s", e.From, e.To, e.Value)
	if form := written[e.To.Kind]; form != "" && e.From.Kind == vector.Varchar {
		msg += "; " + form
	}
	return msg
}

// Is tells a text that is no value of a type from a value that a type is too small for.
func (e *CastError) Is(target error) bool {
	switch e.From.Kind {
	case vector.Varchar, vector.Enum, vector.JSON:
		return target == errs.ErrInvalidValue
	}
	return target == errs.ErrOutOfRange
}

// written is how values of the types are written whose form people get wrong.
var written = map[vector.Kind]string{
	vector.Date:        "a DATE is written 2025-12-31; STRPTIME reads other forms",
	vector.Timestamp:   "a TIMESTAMP is written 2025-12-31 23:59:59; STRPTIME reads other forms",
	vector.TimestampTZ: "a TIMESTAMPTZ is written 2025-12-31 23:59:59+01; STRPTIME reads other forms",
	vector.Time:        "a TIME is written 23:59:59",
	vector.Interval:    "an INTERVAL is written 3 days or P3D",
}

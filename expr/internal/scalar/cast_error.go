package scalar

import (
	"fmt"
	"regexp"

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
	form := written[e.To.Kind]
	switch parts := formed.FindStringSubmatch(e.Value); {
	case form == "" || e.From.Kind != vector.Varchar:
	case parts == nil || (e.To.Kind == vector.Time) != (parts[1] == "") || e.To.Kind == vector.Interval:
		msg += "; " + form
	case parts[2] == "" || e.To.Kind == vector.Date:
		msg += "; there is no such day"
	case e.To.Kind == vector.Time:
		msg += "; there is no such time"
	default:
		msg += "; there is no such day or time"
	}
	return msg
}

// formed is texts that are written as a date, a time or both are.
var formed = regexp.MustCompile(`^'(\d{4}-\d\d?-\d\d?)?[ T]?(\d\d?:\d\d(:\d\d(\.\d*)?)?)?([+-]\d\d(:\d\d)?|Z)?'$`)

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

package kernel

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// LiteralText is a value as a SQL literal.
func LiteralText(s vector.Scalar) string {
	switch t := s.Type; {
	case s.Null:
		return "NULL"
	case t.Kind == vector.Boolean:
		return strings.ToUpper(strconv.FormatBool(s.Bool))
	case t.IsText() || t.Kind == vector.Rendered:
		return quote(s.Str)
	case t.Storage() == vector.StoreNested:
		return t.String()
	case t.Kind == vector.Blob || t.Kind == vector.BSON || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return "x'" + hex.EncodeToString([]byte(s.Str)) + "'"
	}
	text := ScalarText(s)
	switch s.Type.Kind {
	case vector.Date, vector.Time, vector.Timestamp, vector.TimestampTZ, vector.Interval, vector.UUID:
		return s.Type.Kind.String() + " " + quote(text)
	}
	return text
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// ScalarText is the text of a value that is not NULL.
func ScalarText(s vector.Scalar) string {
	plan, ok := textPlan(s.Type)
	if !ok {
		return s.Str
	}
	var out Result
	out.Reset(vector.Of(vector.Varchar), 1)
	if err := plan.Make()([]*vector.Vector{vector.NewConstant(s, 1)}, nil, 1, &out); err != nil {
		return "?"
	}
	return out.Str[0]
}

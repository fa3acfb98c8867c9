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
	case t.IsNested():
		return nestedLiteral(s.Nested, 0)
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

// shownElements is the number of elements of a long list that a literal shows.
const shownElements = 20

// nestedLiteral is a row of a flat nested vector as a literal.
func nestedLiteral(v *vector.Vector, row int) string {
	var parts []string
	open, closing := "{", "}"
	switch v.Type.Kind {
	case vector.Struct:
		for i, f := range v.Type.Fields {
			name := quote(f.Name) + ": "
			if f.Name == "" {
				open, closing, name = "ROW(", ")", ""
			}
			parts = append(parts, name+LiteralText(v.Children[i].Get(row)))
		}
		return open + strings.Join(parts, ", ") + closing
	case vector.List:
		open, closing = "[", "]"
	default:
		open = "MAP {"
	}
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	for e := from; e < min(to, from+shownElements); e++ {
		text := LiteralText(v.Children[0].Get(e))
		if len(v.Children) > 1 {
			text += ": " + LiteralText(v.Children[1].Get(e))
		}
		parts = append(parts, text)
	}
	if to-from > shownElements {
		parts = append(parts, "… "+strconv.Itoa(to-from-shownElements)+" more")
	}
	return open + strings.Join(parts, ", ") + closing
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

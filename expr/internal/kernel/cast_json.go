package kernel

import (
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/vector"
)

// jsonStrings are the kinds of values, besides timestamps, that are strings in JSON; BOOLEAN
// may be one.
var jsonStrings = map[vector.Kind]bool{vector.Boolean: true, vector.Date: true, vector.Time: true, vector.Interval: true, vector.UUID: true}

// fromJSON converts JSON text to a value that is neither text nor nested: null is NULL, a
// string is its characters, and all else is converted as it is written.
func fromJSON(to vector.Type, try bool) (Operation, error) {
	plan, err := Conversion(vector.Of(vector.Varchar), to, try)
	if err != nil {
		return plan, err
	}
	return Operation{Careful: true, Make: func() Func {
		convert, texts := plan.Make(), Result{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			from, live := OperandOf[string](args[0]), make([]int32, 0, n)
			texts.Reset(vector.Of(vector.Varchar), n)
			for _, i := range Listed(rows, n) {
				text, null := jsonScalar(from.At(i), to)
				if null {
					out.Null(int(i))
					continue
				}
				texts.Str[i], live = text, append(live, i)
			}
			return convert([]*vector.Vector{&texts.Vector}, live, n, out)
		}
	}}, nil
}

// jsonScalar is the text of a JSON value that is cast to a type.
func jsonScalar(s string, to vector.Type) (text string, null bool) {
	s = strings.TrimSpace(s)
	if text, ok := jsontext.Unquote(s); ok {
		return text, false
	}
	switch {
	case s == "null":
		return "", true
	case to.IsNumeric() && s == "true":
		return "1", false
	case to.IsNumeric() && s == "false":
		return "0", false
	case to.IsInteger():
		return WholeNumber(s), false
	}
	return s, false
}

// WholeNumber is a JSON number as it is cast to an integer: one with a fraction or an
// exponent is a double, so halves are rounded to even. Other texts stay as they are.
func WholeNumber(s string) string {
	if strings.IndexByte(s, '.') < 0 && strings.IndexByte(s, 'e') < 0 && strings.IndexByte(s, 'E') < 0 {
		return s
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(math.RoundToEven(v), 'f', -1, 64)
}

// jsonText makes JSON strings of values that JSON has no values for.
func (c caster) jsonText() (Operation, bool) {
	plan, ok := textPlan(c.from)
	if !ok {
		return plan, false
	}
	return Operation{Careful: plan.Careful, Make: func() Func {
		convert, buffer := plan.Make(), &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			if err := convert(args, rows, n, out); err != nil {
				return err
			}
			texts := append([]string(nil), out.Str...)
			return buffer.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				return vector.AppendQuoted(dst, texts[i]), Outcome{}
			})
		}
	}}, true
}

package bind

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// The values of literals: a constant has the type that its form gives it.

// literal is a literal as a constant; negative says that a minus is before it.
func literal(l *ast.Literal, negative bool) (expr.Expr, error) {
	s, err := scalar(l, negative)
	if err != nil {
		return nil, err
	}
	return expr.NewConst(s), nil
}

func scalar(l *ast.Literal, negative bool) (vector.Scalar, error) {
	switch l.Kind {
	case ast.Null:
		return vector.NullOf(vector.Of(vector.Null)), nil
	case ast.True, ast.False:
		return vector.BoolScalar(l.Kind == ast.True), nil
	case ast.String:
		return vector.StringScalar(l.Text), nil
	case ast.Blob:
		return vector.Scalar{Type: vector.Of(vector.Blob), Str: l.Text}, nil
	}
	text := l.Text
	if negative {
		text = "-" + text
	}
	switch l.Kind {
	case ast.Integer:
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return vector.IntScalar(v), nil
		}
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return vector.Scalar{Type: vector.Of(vector.UBigInt), U64: v}, nil
		}
		if s, ok := decimal(text, ""); ok {
			s.Type = vector.DecimalType(38, 0)
			return s, nil
		}
		if v, ok := new(big.Int).SetString(text, 10); ok && v.CmpAbs(maxUnsigned) <= 0 {
			return vector.Scalar{Type: vector.DecimalType(39, 0), Str: vector.EncodeBigDecimal(v)}, nil
		}
	case ast.Decimal:
		whole, fraction, _ := strings.Cut(text, ".")
		if s, ok := decimal(whole, fraction); ok {
			return s, nil
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // which comes with an infinity, as in DuckDB
		return vector.Scalar{}, fmt.Errorf("%.50s is no number", text)
	}
	return vector.FloatScalar(v), nil
}

// maxUnsigned is the greatest integer of 128 bits without a sign, up to which DuckDB has exact
// literals; greater ones are DOUBLE.
var maxUnsigned = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))

// decimal is the exact DECIMAL of the digits before and after a point; false if
// there are too many.
func decimal(whole, fraction string) (vector.Scalar, bool) {
	digits := strings.TrimLeft(strings.TrimPrefix(whole, "-"), "0")
	precision := max(len(digits)+len(fraction), 1)
	if precision > 38 {
		return vector.Scalar{}, false
	}
	v, ok := new(big.Int).SetString(digits+fraction, 10)
	if !ok {
		v = new(big.Int)
	}
	if strings.HasPrefix(whole, "-") {
		v.Neg(v)
	}
	s := vector.Scalar{Type: vector.DecimalType(precision, len(fraction))}
	if precision <= 18 {
		s.I64 = v.Int64()
	} else {
		s.I128, _ = vector.Int128FromBig(v)
	}
	return s, true
}

// typedLiteral is DATE '…' and the like: the cast of the string. In BLOB '…' bytes may be written
// as \x and two hexadecimal digits.
func typedLiteral(e *ast.Typed) (expr.Expr, error) {
	if e.Type.Name == "BLOB" || e.Type.Name == "BYTEA" {
		return blob(e.Text)
	}
	return castLiteral(expr.NewConst(vector.StringScalar(e.Text)), e.Type, false)
}

func blob(text string) (expr.Expr, error) {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		if i+4 > len(text) || text[i+1] != 'x' {
			return nil, fmt.Errorf("BLOB '%.50s': a backslash begins \\x and two hexadecimal digits", text)
		}
		b, err := hex.DecodeString(text[i+2 : i+4])
		if err != nil {
			return nil, fmt.Errorf("BLOB '%.50s': %w", text, err)
		}
		out = append(out, b[0])
		i += 3
	}
	return expr.NewConst(vector.Scalar{Type: vector.Of(vector.Blob), Str: string(out)}), nil
}

const (
	microsPerSecond = 1_000_000
	microsPerHour   = 3600 * microsPerSecond
)

// unitValues has the interval of length 1 for each unit.
var unitValues = map[string]vector.IntervalValue{
	"MILLENNIUM": {Months: 12000}, "CENTURY": {Months: 1200}, "DECADE": {Months: 120}, "YEAR": {Months: 12},
	"QUARTER": {Months: 3}, "MONTH": {Months: 1}, "WEEK": {Days: 7}, "DAY": {Days: 1},
	"HOUR": {Micros: microsPerHour}, "MINUTE": {Micros: 60 * microsPerSecond}, "SECOND": {Micros: microsPerSecond},
	"MILLISECOND": {Micros: 1000}, "MICROSECOND": {Micros: 1},
}

// intervalLiteral is INTERVAL n UNIT: a constant if n is constant, else n times the unit.
// Without a unit, n is the text of an interval.
func intervalLiteral(n expr.Expr, unit string) (expr.Expr, error) {
	ty := vector.Of(vector.Interval)
	if unit == "" {
		return expr.NewCast(n, ty, false)
	}
	one := unitValues[unit]
	if c, ok := n.(*expr.Const); ok && !c.Value.Null {
		if text, ok := numberText(c.Value); ok {
			v, err := times(text, one)
			if err != nil {
				return nil, fmt.Errorf("INTERVAL '%s' %s: %w", text, unit, err)
			}
			return expr.NewConst(vector.Scalar{Type: ty, Interval: v}), nil
		}
	}
	return expr.NewArith(expr.OpMul, n, expr.NewConst(vector.Scalar{Type: ty, Interval: one}))
}

func numberText(s vector.Scalar) (string, bool) {
	switch {
	case s.Type.Kind == vector.Varchar:
		return strings.TrimSpace(s.Str), true
	case s.Type.IsInteger() && s.Type.Kind != vector.UBigInt:
		return strconv.FormatInt(s.I64, 10), true
	case s.Type.Kind == vector.Decimal && s.Type.Precision <= 18:
		return string(vector.AppendDecimal64(nil, s.I64, s.Type.Scale)), true
	}
	return "", false
}

// times is a number of units. As in DuckDB, a fraction counts only for seconds and
// shorter units, down to a microsecond, and is dropped for all others.
func times(number string, unit vector.IntervalValue) (vector.IntervalValue, error) {
	if len(number) > 40 || strings.Trim(number, "+-.0123456789") != "" {
		return unit, fmt.Errorf("%q is not a number", number) // exponents are refused too: they could be huge
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return unit, fmt.Errorf("%q is not a number", number)
	}
	if unit.Micros == 0 || unit.Micros > microsPerSecond {
		r.SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
	}
	part := func(of int64) (int64, error) {
		v := new(big.Rat).Mul(r, new(big.Rat).SetInt64(of))
		q := new(big.Int).Quo(v.Num(), v.Denom())
		if !q.IsInt64() {
			return 0, fmt.Errorf("the interval is too long")
		}
		return q.Int64(), nil
	}
	var out vector.IntervalValue
	var err error
	for _, p := range []struct {
		from int64
		to   *int64
	}{{unit.Months, &out.Months}, {unit.Days, &out.Days}, {unit.Micros, &out.Micros}} {
		if *p.to, err = part(p.from); err != nil {
			return unit, err
		}
	}
	return out, nil
}

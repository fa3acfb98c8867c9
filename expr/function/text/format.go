package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// FormatFunctions put values into a text. The formats are those of the C++ library fmt,
// which DuckDB uses; formats are parsed by format_parse.go and format_printf.go.
var FormatFunctions = []expr.Function{
	{Name: "FORMAT", Help: "the text with the values in place of {} and {:specification}", Example: "FORMAT('{} has {:.1f} %', 'x', 12.34) → x has 12.3 %",
		Binding: formatting(parseFormat, "{}")},
	{Name: "PRINTF", Help: "the text with the values in place of %d, %s and other conversions of C's printf", Example: "PRINTF('%s has %.1f %%', 'x', 12.34) → x has 12.3 %",
		Binding: formatting(parsePrintf, "%")},
}

// piece is a part of a format: text, then a value if arg is not -1.
type piece struct {
	literal string
	arg     int
	spec    spec
	quick   quick // the arguments for which spec need not be read; see quicken
}

// quick is a kind of arguments, and of specifications, that most formats have.
type quick uint8

const (
	slow         quick = iota
	quickText          // a text, as it is
	quickInteger       // decimal digits of an integer of 64 bits: at most with a width, filled with blanks or zeros in front, or in groups
)

// quicken says which pieces are quick.
func quicken(pieces []piece) []piece {
	for i := range pieces {
		s := pieces[i].spec
		if s.whole() {
			pieces[i].quick = quickText
		}
		if s.verb != 0 && s.verb != 'd' {
			continue
		}
		width, zero, separator := s.width, s.zero, s.separator
		if s.verb, s.width, s.zero, s.separator = 0, -1, false, 0; s.whole() && width <= quickWidth && (width >= 0 || !zero) && (separator == 0 || width < 0) {
			pieces[i].quick |= quickInteger
		}
	}
	return pieces
}

// quickWidth is the greatest width of a quick integer.
const quickWidth = 32

// spec says how a value is shown.
type spec struct {
	fill             string // what pads to the width; empty is a blank
	align            byte   // < > ^ or = (behind the sign); 0 is what the type has by default
	sign             byte   // + or a blank in front of numbers that are not negative
	alternate        bool   // #
	zero             bool
	width, precision int  // -1: none
	widthArg         int  // the argument that has the width; -1: none
	precisionArg     int  // the same
	separator        byte // between groups of three digits; 0: none
	verb             byte // 0: by the type
	printf           bool // as printf does where it differs
	bits             int  // printf: what an integer is cut to, 64 if none
}

func plainSpec() spec {
	return spec{width: -1, precision: -1, widthArg: -1, precisionArg: -1, bits: 64}
}

// whole reports whether a text is shown as it is.
func (s spec) whole() bool {
	plain := plainSpec()
	plain.printf, plain.verb = s.printf, s.verb
	return s == plain && (s.verb == 0 || s.verb == 's')
}

// maxPadding is the greatest width and precision.
const maxPadding = 1 << 20

var errFormatNumber = fmt.Errorf("a width or precision of more than %d", maxPadding)

// formatting is a function of a format and any values. A format without the special characters is a text.
func formatting(parse func(format string, args int) ([]piece, error), special string) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		bound := append([]expr.Expr(nil), args...)
		var err error
		for i, a := range bound {
			if bound[i], err = formatArgument(call.Name, a, i); err != nil {
				return nil, err
			}
		}
		if s, ok := expr.Literal(bound[0]); ok {
			if _, err := parse(s.Str, len(args)-1); err != nil {
				return nil, fmt.Errorf("%s: the format %q has %w", call.Name, s.Str, err)
			}
		}
		return define.Strict(call, bound, define.TypeText, formatKernel(call.Name, parse, special), true)
	}, "VARCHAR → VARCHAR", "VARCHAR, any, ... → VARCHAR")
}

// formatArgument casts an argument to a type that values are shown of.
func formatArgument(name string, a expr.Expr, i int) (expr.Expr, error) {
	switch t := a.Type(); {
	case i == 0:
		return define.WantText.Bind(name, a)
	case t.Kind == vector.Boolean, t.IsInteger(), t.Kind == vector.Double, t.Kind == vector.Float, t.Kind == vector.Null, isHugeInt(t):
		return a, nil
	case t.IsNumeric():
		return expr.NewCast(a, define.TypeDouble, false)
	}
	return define.WantText.Bind(name, a)
}

// isHugeInt reports whether t is the type of integers of more than 64 bits.
func isHugeInt(t vector.Type) bool {
	return t.Kind == vector.Decimal && t.Scale == 0 && t.Storage() == vector.StoreInt128
}

func formatKernel(name string, parse func(string, int) ([]piece, error), special string) func() kernel.Func {
	return func() kernel.Func {
		texts := &kernel.TextBuffer{}
		var last string
		var pieces []piece
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			formats, values := kernel.OperandOf[string](args[0]), make([]argument, len(args)-1)
			for i, v := range args[1:] {
				values[i] = argumentOf(v)
			}
			return texts.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
				format := formats.At(i)
				if len(values) == 0 && strings.IndexByte(format, special[0]) < 0 && strings.IndexByte(format, special[len(special)-1]) < 0 {
					return texts.Append(dst, format)
				}
				if pieces == nil || format != last {
					own := strings.Clone(format) // the memory of the batch is used again
					parsed, err := parse(own, len(values))
					if err != nil {
						return dst, kernel.Outcome{Err: fmt.Errorf("%s: the format %q has %w", name, format, err)}
					}
					pieces, last = quicken(parsed), own
				}
				dst, wrong, err := appendPieces(texts, dst, pieces, values, i)
				if wrong != nil {
					err = fmt.Errorf("%s: the format %q has %w", name, last, wrong)
				}
				return dst, kernel.Outcome{Err: err}
			})
		}
	}
}

// appendPieces writes the values of a row. wrong is what is wrong with the format.
func appendPieces(texts *kernel.TextBuffer, dst []byte, pieces []piece, args []argument, row int32) (_ []byte, wrong, err error) {
	for k := range pieces {
		p := &pieces[k]
		dst = append(dst, p.literal...)
		if p.arg < 0 {
			continue
		}
		a := &args[p.arg]
		if p.quick&a.quick == quickInteger {
			dst = appendQuickInteger(dst, a.integers.At(row), &p.spec)
			continue
		}
		if p.quick&a.quick == quickText {
			if text := a.texts.At(row); len(text) < quota.OwnText/4 {
				if dst, err = texts.Need(dst, len(text)); err != nil {
					return dst, nil, err
				}
				dst = append(dst, text...)
				continue
			}
		}
		if dst, wrong, err = p.append(texts, dst, args, row); wrong != nil || err != nil {
			return dst, wrong, err
		}
	}
	return dst, nil, nil
}

// append writes a value of any kind. It asks texts: few pieces may repeat a long argument often.
func (p *piece) append(texts *kernel.TextBuffer, dst []byte, args []argument, row int32) (_ []byte, wrong, err error) {
	s := p.spec
	if s.widthArg >= 0 {
		if s.width, wrong = padding(args[s.widthArg].at(row)); wrong != nil {
			return dst, wrong, nil
		}
	}
	if s.precisionArg >= 0 {
		if s.precision, wrong = padding(args[s.precisionArg].at(row)); wrong != nil {
			return dst, wrong, nil
		}
	}
	v := args[p.arg].at(row)
	if v.kind == textValue && s.whole() { // it may be long
		if dst, err = texts.Need(dst, len(v.text)); err != nil {
			return dst, nil, err
		}
		dst, o := texts.Append(dst, v.text)
		return dst, nil, o.Err
	}
	if dst, wrong = s.append(dst, v); wrong != nil {
		return dst, wrong, nil
	}
	dst, err = texts.Need(dst, 0)
	return dst, nil, err
}

// appendQuickInteger writes an integer, of which the specification has at most a width.
func appendQuickInteger(dst []byte, v int64, s *spec) []byte {
	if s.width <= 1 && s.separator == 0 {
		return strconv.AppendInt(dst, v, 10)
	}
	var memory [20]byte
	digits, fill := strconv.AppendInt(memory[:0], v, 10), byte(' ')
	if s.separator != 0 {
		return appendGroups(dst, digits, s.separator)
	}
	missing := s.width - len(digits)
	if s.zero {
		if fill = '0'; v < 0 {
			dst, digits = append(dst, '-'), digits[1:]
		}
	}
	for range missing {
		dst = append(dst, fill)
	}
	return append(dst, digits...)
}

// appendGroups writes digits, behind a sign or none, in groups of three.
func appendGroups(dst, digits []byte, separator byte) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	first := (len(digits)-1)%3 + 1
	dst = append(dst, digits[:first]...)
	for ; first < len(digits); first += 3 {
		dst = append(dst, separator, digits[first], digits[first+1], digits[first+2])
	}
	return dst
}

// padding is a width or precision that is an argument.
func padding(v value) (int, error) {
	switch {
	case v.kind != integerValue || v.integer.Sign() < 0:
		return 0, errors.New("a width or precision that is no integer from 0")
	case !v.integer.IsInt64() || v.integer.Int64() > maxPadding:
		return 0, errFormatNumber
	}
	return int(v.integer.Int64()), nil
}

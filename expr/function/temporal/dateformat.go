package temporal

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// FormatFunctions write dates by a pattern of % letters.
var FormatFunctions = []expr.Function{
	{Name: "STRFTIME", Help: "the timestamp as text by a format of C's strftime", Example: "STRFTIME(DATE '2024-02-29', '%d.%m.%Y') → 29.02.2024",
		Binding: define.Total(formatted(strftimeStep), nil)},
	{Name: "DATE_FORMAT", Help: "the timestamp as text by a format of MySQL", Example: "DATE_FORMAT(DATE '2024-02-29', '%e %M') → 29 February",
		Binding: formatted(mysqlStep)},
}

// formatted takes the format as the second argument, or as the first if that is a
// string literal.
func formatted(letter func(c byte, plain bool) (formatStep, bool)) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, format := args[0], args[1]
		if _, ok := expr.TextLiteral(x); ok && (scalar.IsInstant(format.Type()) || format.Type().Kind == vector.Null) {
			x, format = format, x
		}
		if c, ok := format.(*expr.Const); ok && c.Value.Null {
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
		text, err := define.ConstantText(call.Name, "format", format)
		if err != nil {
			return nil, err
		}
		if x, err = wantPoint.Bind(call.Name, x); err != nil {
			return nil, err
		}
		steps, err := formatSteps(text, x.Type().Kind == vector.TimestampTZ, letter)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
		impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Careful: true, Make: formatKernel(x.Type(), steps)}}
		return expr.NewCall(call, []expr.Expr{x, format}, define.TypeText, impl), nil
	}, instants+", 'format' → VARCHAR", "'format', "+instants+" → VARCHAR")
}

// formatKernel writes points in time of any type.
func formatKernel(t vector.Type, steps []formatStep) func() kernel.Func {
	switch {
	case t.Kind == vector.Date:
		return kernel.Text1(func(dst []byte, v int64) ([]byte, kernel.Outcome) {
			return appendSteps(dst, steps, v, 0), kernel.Outcome{}
		})
	case t.Unit == vector.Wide:
		return kernel.Text1(func(dst []byte, v vector.Int128) ([]byte, kernel.Outcome) {
			days, nanos := vector.SplitWide(v)
			return appendSteps(dst, steps, days, nanos), kernel.Outcome{}
		})
	}
	u := t.Unit
	return kernel.Text1(func(dst []byte, v int64) ([]byte, kernel.Outcome) {
		days, nanos := vector.SplitTimestamp(v, u)
		return appendSteps(dst, steps, days, nanos), kernel.Outcome{}
	})
}

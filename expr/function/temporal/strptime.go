package temporal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// ParseFunctions read timestamps that are written by a pattern of % letters.
var ParseFunctions = []expr.Function{
	{Name: "STRPTIME", Help: "the timestamp in a text by a format of % letters, or by the first of several formats that fits", Example: "STRPTIME('29.2.2024 13:14', '%d.%m.%Y %H:%M') → 2024-02-29 13:14:00",
		Binding: parsed(false)},
	{Name: "TRY_STRPTIME", Help: "as STRPTIME, but NULL where no format fits", Example: "TRY_STRPTIME('30.2.2024', '%d.%m.%Y') → NULL",
		Binding: parsed(true)},
}

// parsed takes a format or a LIST of formats. The result is a TIMESTAMPTZ if one of them
// has a zone, and has nanoseconds if one of them has.
func parsed(try bool) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		text, err := define.WantText.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		if c, ok := args[1].(*expr.Const); ok && c.Value.Null {
			return expr.NewConst(vector.NullOf(vector.TimestampType(vector.Micros, false))), nil
		}
		names, ok := constantTexts(args[1])
		if !ok || len(names) == 0 {
			return nil, fmt.Errorf("%s: the format must be a string literal, or a list of string literals", call.Name)
		}
		formats := make([]parseFormat, len(names))
		for i, name := range names {
			if formats[i], err = newParseFormat(name); err != nil {
				return nil, fmt.Errorf("%s: %w", call.Name, err)
			}
		}
		has := func(letters ...byte) bool {
			return slices.ContainsFunc(formats, func(f parseFormat) bool { return f.has(letters...) })
		}
		utc, unit := has('z', 'Z'), vector.Micros
		if has('n') {
			unit = vector.Nanos
		}
		impl := &expr.Routine{Args: []expr.Expr{text}, Operation: kernel.Operation{Careful: true, Make: func() kernel.Func {
			return parseKernel(&textParser{formats: formats, try: try, per: kernel.NanosPer(unit)})
		}}}
		return expr.NewCall(call, []expr.Expr{text, args[1]}, vector.TimestampType(unit, utc), impl), nil
	}, "VARCHAR, 'format' | ['format'] → TIMESTAMP")
}

// textParser tries formats in order. It is for one goroutine.
type textParser struct {
	formats []parseFormat
	try     bool
	per     int64 // nanoseconds in the unit of the result
	zones   scalar.Zones
}

func parseKernel(p *textParser) kernel.Func {
	return kernel.Try1(func(text string) (int64, kernel.Outcome) {
		if strings.EqualFold(strings.TrimSpace(text), "epoch") { // has every format
			return 0, kernel.Outcome{}
		}
		for i := range p.formats {
			if v, ok := p.parse(&p.formats[i], text); ok {
				return v, kernel.Outcome{}
			}
		}
		if p.try {
			return 0, kernel.Outcome{Null: true}
		}
		return 0, kernel.Outcome{Err: fmt.Errorf("the text %.100q does not have the format %q", text, p.formats[0].text)}
	})()
}

func (p *textParser) parse(f *parseFormat, text string) (int64, bool) {
	fields, ok := f.read(text)
	if !ok {
		return 0, false
	}
	days, nanos, ok := fields.point()
	if !ok {
		return 0, false
	}
	v := scalar.ShiftInstant(joinWide(days, nanos), -fields.offset)
	if fields.zone != "" && !f.has('z') { // an offset says more than the name of a zone
		zone, err := p.zones.Find(fields.zone)
		if err != nil {
			return 0, false
		}
		v = scalar.ShiftInstant(v, -scalar.OffsetAtLocal(zone, v))
	}
	return kernel.NarrowInstant(v, p.per)
}

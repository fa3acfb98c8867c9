package temporal

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// ZoneFunctions convert between times in UTC and local times.
var ZoneFunctions = []expr.Function{
	timezone,
	{Name: "TIMEZONE_HOUR", Help: "the hours of the offset of the zone, which is UTC", Example: "TIMEZONE_HOUR(TIMESTAMPTZ '2024-07-01 12:00:00+02') → 0", Binding: onePart(partZone)},
	{Name: "TIMEZONE_MINUTE", Help: "the minutes of the offset of the zone, which is UTC", Example: "TIMEZONE_MINUTE(TIMESTAMPTZ '2024-07-01 12:00:00+02') → 0", Binding: onePart(partZone)},
}

var timezone = expr.Function{Name: "TIMEZONE", Help: "the local time of a TIMESTAMPTZ in a zone, or the TIMESTAMPTZ of a local time; also written x AT TIME ZONE 'zone'",
	Near:    2 * scalar.NanosPerDay,
	Example: "TIMEZONE('Europe/Berlin', TIMESTAMP '2024-07-01 12:00:00') → 2024-07-01 10:00:00+00",
	Binding: define.Overloaded(onePart(partZone), define.Custom(atZone, "VARCHAR, DATE | TIMESTAMP → TIMESTAMPTZ", "VARCHAR, TIMESTAMPTZ → TIMESTAMP"))}

// atZone is TIMEZONE('zone', x).
func atZone(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	zone, err := define.WantText.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	x, err := wantPoint.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	name, known := expr.Literal(zone)
	if known {
		if _, err := new(scalar.Zones).Find(name.Str); err != nil { // even if there are no rows
			return nil, err
		}
	}
	unit := max(x.Type().Unit, vector.Micros)
	toLocal := x.Type().Kind == vector.TimestampTZ
	if x, err = expr.NewCast(x, vector.TimestampType(vector.Wide, toLocal), false); err != nil {
		return nil, err
	}
	wide, err := define.Strict(call, []expr.Expr{zone, x}, vector.TimestampType(vector.Wide, !toLocal), func() kernel.Func { return zoneKernel(toLocal) }, true)
	if err != nil {
		return nil, err
	}
	if known {
		wide = expr.Total(wide)
	}
	return expr.NewCast(wide, vector.TimestampType(unit, !toLocal), false)
}

// zoneKernel shifts points in time by the offset of a zone.
func zoneKernel(toLocal bool) kernel.Func {
	zones := &scalar.Zones{}
	return kernel.Try2(func(name string, v vector.Int128) (vector.Int128, kernel.Outcome) {
		zone, err := zones.Find(name)
		if err != nil {
			return v, kernel.Outcome{Err: err}
		}
		if toLocal {
			return scalar.ShiftInstant(v, scalar.OffsetAt(zone, v)), kernel.Outcome{}
		}
		return scalar.ShiftInstant(v, -scalar.OffsetAtLocal(zone, v)), kernel.Outcome{}
	})()
}

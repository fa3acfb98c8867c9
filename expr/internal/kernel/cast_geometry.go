package kernel

import (
	"github.com/parquetsql/parquetsql/geometry/text"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// toGeometry reads WKT and WKB. Between the types of geometries the bytes stay.
func (c caster) toGeometry() (Operation, bool) {
	switch from := c.from.Kind; {
	case from == vector.Geometry || from == vector.Geography:
		return Operation{}, true
	case from == vector.Blob:
		return convert(c, func(s string) (string, bool) {
			_, _, err := wkb.Bounds(s)
			return s, err == nil
		}), true
	case from == vector.Varchar:
		return convert(c, func(s string) (string, bool) {
			g, err := text.ParseWKT(s)
			if err != nil {
				return "", false
			}
			return string(wkb.Append(nil, &g)), true
		}), true
	}
	return Operation{}, false
}

// geometryText writes WKT.
var geometryText = Operation{Careful: true, Make: Text1(func(dst []byte, s string) ([]byte, Outcome) {
	g, err := wkb.Parse(s)
	if err != nil {
		return dst, Outcome{Err: err}
	}
	return text.AppendWKT(dst, &g), Outcome{}
})}

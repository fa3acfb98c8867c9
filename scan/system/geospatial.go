package system

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// geospatialRow is the last columns of t$columns: a chunk's geospatial statistics as the
// file states them, NULL for what it does not state.
func geospatialRow(c *fileformat.ColumnChunk) row {
	out := make(row, 8, 9)
	for i := range out {
		out[i] = vector.NullOf(vector.Of(vector.Double))
	}
	st := c.Meta.Geospatial
	if st == nil || c.Locked() {
		return append(out, noText)
	}
	if b := st.Box; b != nil {
		for i, v := range []float64{b.XMin, b.XMax, b.YMin, b.YMax, b.ZMin, b.ZMax, b.MMin, b.MMax} {
			if i < 4 || i < 6 && b.HasZ || i >= 6 && b.HasM {
				out[i] = vector.FloatScalar(v)
			}
		}
	}
	if len(st.Types) == 0 {
		return append(out, noText)
	}
	names := make([]string, len(st.Types))
	for i, code := range st.Types {
		names[i] = kindText(code)
	}
	return append(out, text(strings.Join(names, ", ")))
}

// kindText is a type code of WKB as WKT writes it: POINT ZM. An unknown code is the number.
func kindText(code int32) string {
	kind := wkb.Kind(code % 1000)
	if code < 0 || code >= 4000 || code%1000 < int32(wkb.Point) || kind > wkb.Collection || int32(kind) != code%1000 {
		return fmt.Sprint(code)
	}
	return kind.String() + [...]string{"", " Z", " M", " ZM"}[code/1000]
}

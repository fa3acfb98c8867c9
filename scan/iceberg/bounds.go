package iceberg

import (
	"encoding/binary"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/vector"
)

// boundsOf says what a manifest knows of a file's columns: by its metrics, and by the partition
// values that were made of a column.
func (v *Version) boundsOf(f *manifest.File, sources []source) func(int) *probe.Summary {
	return func(column int) *probe.Summary {
		id, c := v.columnAt(column)
		if id == 0 {
			return nil
		}
		out := probe.Summary{Rows: max(f.Records, 1), Nulls: -1, MayHaveNaN: c.typ.IsFloat()}
		if f.Records > 0 {
			metrics(&out, f.Column(id), c)
		}
		for _, s := range sources {
			if s.at != column {
				continue
			}
			if value, err := s.valueOf(f); err == nil {
				s.narrow(&out, value)
			}
		}
		return &out
	}
}

// columnAt is the column at a place among the table's; 0: nothing is known of it.
func (v *Version) columnAt(place int) (int32, column) {
	if place >= len(v.fieldAt) || v.fieldAt[place] == 0 {
		return 0, column{}
	}
	id := v.fieldAt[place]
	return id, v.places[id]
}

// metrics adds the counts and bounds of a column (Field-level Metrics and Statistics). Bounds need
// not be values of the column. A file that lacks the column has no counts of it, and a column with
// a default is not NULL there.
func metrics(out *probe.Summary, m *manifest.Column, c column) {
	if m == nil || m.Values >= 0 && m.Values != out.Rows {
		return
	}
	if 0 <= m.Nulls && m.Nulls <= out.Rows && m.Values >= 0 {
		out.Nulls = m.Nulls
	}
	if m.NaNs == 0 {
		out.MayHaveNaN = false
	}
	switch c.typ.Kind {
	case vector.UUID: // some writers compare them as two signed numbers
		return
	case vector.Geometry, vector.Geography:
		out.Shapes = shapesIn(m.Lower, m.Upper, c.typ.Kind == vector.Geography)
		return
	case vector.Variant:
		return
	}
	out.Min, out.Max = bounds(m.Lower, m.Upper, c.typ)
}

// shapesIn is the box between two points (Bounds for Geometry and Geography); nil: not known. One of a
// GEOGRAPHY may cross the antimeridian.
func shapesIn(lower, upper []byte, geography bool) *probe.Shapes {
	low, high := ordinates(lower), ordinates(upper)
	if low == nil || high == nil || len(low) != len(high) || !(low[1] <= high[1]) {
		return nil
	}
	if geography && !(math.Abs(low[0]) <= 180 && math.Abs(high[0]) <= 180 && low[1] >= -90 && high[1] <= 90) {
		return nil
	}
	out := probe.AnyShapes()
	out.Box.Y = wkb.Range{Min: low[1], Max: high[1]}
	if x := (wkb.Range{Min: low[0], Max: high[0]}); !x.IsEmpty() {
		out.Box.X = x
	} else if geography {
		out.Box.X, out.Wraps = x, true
	}
	for i, to := range []*wkb.Range{&out.Box.Z, &out.Box.M} {
		if k := i + 2; k < len(low) && low[k] <= high[k] { // an axis that is not there is NaN
			*to = wkb.Range{Min: low[k], Max: high[k]}
		}
	}
	return &out
}

// ordinates are those of a point: X and Y, which may be followed by Z and M; nil: it is none.
func ordinates(b []byte) (out []float64) {
	if len(b) != 16 && len(b) != 24 && len(b) != 32 {
		return nil
	}
	for ; len(b) > 0; b = b[8:] {
		out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return out
}

// bounds are the values that two bounds are; nil: not known. Of those of which one is NaN, or that are
// the wrong way round, neither is trusted.
func bounds(lower, upper []byte, t vector.Type) (low, high *vector.Scalar) {
	low, high = bound(lower, t), bound(upper, t)
	if low != nil && low.IsNaN() || high != nil && high.IsNaN() || low != nil && high != nil && low.Compare(high) > 0 {
		return nil, nil
	}
	return low, high
}

func bound(b []byte, t vector.Type) *vector.Scalar {
	if b == nil {
		return nil
	}
	s, ok := schema.FromBytes(b, t)
	if !ok {
		return nil
	}
	return &s
}

// narrow adds what a partition value says of the values that it was made of. The transforms make
// NULL of NULL and of nothing else.
func (s *source) narrow(out *probe.Summary, value vector.Scalar) {
	if value.Null {
		out.Nulls, out.Min, out.Max, out.MayHaveNaN = out.Rows, nil, nil, false
		return
	}
	out.Nulls = 0
	switch s.transform.Kind {
	case partition.Bucket:
		of := s.transform
		out.Bloom = func(v vector.Scalar) bool {
			bucket, ok := of.BucketOf(v)
			return !ok || bucket == value.I64
		}
	default:
		r := s.transform.Of(s.typ, value, value)
		out.Min, out.Max = tighter(out.Min, r.Min, 1), tighter(out.Max, r.Max, -1)
	}
}

// tighter is the greater of two lower bounds (sign 1), or the lesser of two upper ones.
func tighter(a, b *vector.Scalar, sign int) *vector.Scalar {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	if order, ok := expr.OrderScalars(a, b); ok && order*sign < 0 {
		return b
	}
	return a
}

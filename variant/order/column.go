package order

import (
	"cmp"

	"github.com/parquetsql/parquetsql/vector"
)

// Column compares the values of a shredded column, as Value compares the Variants that
// they stand for. out has an entry for each row; that of a NULL means nothing.
func (a *Against) Column(v *vector.Vector, out []int64) {
	switch v.Form {
	case vector.Constant:
		var one [1]int64
		if v.Len > 0 && !v.IsNull(0) {
			a.flat(v, one[:])
		}
		for i := range out {
			out[i] = one[0]
		}
	case vector.Dictionary:
		if a.dict != v.Dict {
			a.dict, a.signs = v.Dict, vector.Resize(a.signs, v.Dict.Len)
			a.flat(v.Dict, a.signs)
		}
		for i := range out {
			if !v.IsNull(i) {
				out[i] = a.signs[v.Codes[i]]
			}
		}
	default:
		a.flat(v, out)
	}
}

// flat compares the stored values of a vector.
func (a *Against) flat(v *vector.Vector, out []int64) {
	t := v.Type
	if c := classOfType(t); c != a.class {
		sign := int64(cmp.Compare(c, a.class))
		for i := range out {
			out[i] = sign
		}
		return
	}
	switch t.Storage() {
	case vector.StoreBool:
		for i := range out {
			out[i] = a.boolean(v.Bool[i])
		}
	case vector.StoreInt64:
		a.integers(t, v.I64[:len(out)], out)
	case vector.StoreInt128:
		a.wide(t.Scale, v.I128[:len(out)], out)
	case vector.StoreFloat32:
		against(a.floats(), v.F32[:len(out)], out)
	case vector.StoreFloat64:
		against(a.doubles(), v.F64[:len(out)], out)
	case vector.StoreString:
		against(cut[string]{at: a.text}, v.Str[:len(out)], out)
	}
}

func against[T cmp.Ordered](c cut[T], values []T, out []int64) {
	for i, x := range values {
		out[i] = of(c, x)
	}
}

// integers compares what is stored as integers.
func (a *Against) integers(t vector.Type, values, out []int64) {
	switch {
	case a.class == classDate || a.class == classTime:
		against(cut[int64]{at: a.day}, values, out)
	case a.class != classNumber:
		against(a.instant(t.Unit == vector.Nanos), values, out)
	case a.numbers != AsDouble:
		against(narrowed(a.exacts(t.Scale)), values, out)
	case t.Scale == 0:
		c := cut[float64]{at: a.double}
		for i, x := range values {
			out[i] = of(c, float64(x))
		}
	default:
		c := cut[float64]{at: a.double}
		for i, x := range values {
			double, _ := exact{vector.Int128From(x), t.Scale}.nearest()
			out[i] = of(c, double)
		}
	}
}

// wide compares decimals of more than 18 digits.
func (a *Against) wide(scale int, values []vector.Int128, out []int64) {
	for i, x := range values {
		if a.numbers != AsDouble {
			out[i] = ofWide(a.exacts(scale), x)
			continue
		}
		double, _ := exact{x, scale}.nearest()
		out[i] = of(cut[float64]{at: a.double}, double)
	}
}

// classOfType is the class of the values of a shredded column.
func classOfType(t vector.Type) byte {
	switch t.Kind {
	case vector.Boolean:
		return classBoolean
	case vector.Date:
		return classDate
	case vector.Time:
		return classTime
	case vector.Timestamp:
		return classTimestampNTZ
	case vector.TimestampTZ:
		return classTimestamp
	case vector.Varchar:
		return classString
	case vector.Blob:
		return classBinary
	case vector.UUID:
		return classUUID
	}
	return classNumber
}

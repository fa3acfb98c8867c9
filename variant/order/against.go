package order

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strconv"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// Against compares Variants with one value of SQL, by thresholds in the type of the
// Variant's value, so that the values of a shredded column are compared as they are.
// It is for one goroutine.
//
// Numbers are compared as Numbers says; all other values are ordered as by AppendKey.
type Against struct {
	class   byte
	numbers Numbers
	exact   exact   // of AsDecimal
	double  float64 // of AsDouble
	bool    bool
	day     int64 // of a date or time
	micros  int64 // of a timestamp
	nanos   int64
	text    string

	cuts [maxScale + 1]*cut[vector.Int128] // of exact numbers, by scale
	f64  *cut[float64]
	f32  *cut[float32]

	dict  *vector.Vector // the last dictionary,
	signs []int64        // and how its values compare
}

var errAgainst = errors.New("a constant that Variants are not compared with")

// NewAgainst compares with a constant of the SQL type t, whose VARIANT is c. It fails
// for arrays, objects and the Variant null, and for numbers of a type that has others.
func NewAgainst(c *variant.Value, t vector.Type) (*Against, error) {
	k := c.Kind()
	a := &Against{class: classOf(k), numbers: NumbersOf(t), text: c.Text()}
	switch a.class {
	case classNumber:
		if a.numbers == ByClass {
			return nil, errAgainst // of JSON, say
		}
		if a.double = c.Float(); a.numbers == AsDecimal {
			a.exact = exactOf(c)
		}
	case classBoolean:
		a.bool = k == variant.True
	case classDate, classTime:
		a.day = c.Int()
	case classTimestamp, classTimestampNTZ:
		a.micros, a.nanos = instant(k, c.Int())
	case classArray, classObject, classNull:
		return nil, errAgainst
	}
	return a, nil
}

// cut is where the constant is among the values of a type: those less than at are less
// than the constant, those greater are greater, and at itself compares as tie.
type cut[T cmp.Ordered | vector.Int128] struct {
	at  T
	tie int64
}

func of[T cmp.Ordered](c cut[T], x T) int64 {
	switch {
	case x < c.at:
		return -1
	case x > c.at:
		return 1
	case x == c.at:
		return c.tie
	}
	return -int64(cmp.Compare(x, c.at)) // NaN is above all, there below
}

func ofWide(c cut[vector.Int128], x vector.Int128) int64 {
	if s := x.Cmp(c.at); s != 0 {
		return int64(s)
	}
	return c.tie
}

// Value is -1, 0 or 1: whether a Variant that has passed Check is less than the
// constant, equal to it, or greater.
func (a *Against) Value(v *variant.Value) int64 {
	k := v.Kind()
	if c := classOf(k); c != a.class {
		return int64(cmp.Compare(c, a.class))
	}
	switch a.class {
	case classBoolean:
		return a.boolean(k == variant.True)
	case classDate, classTime:
		return of(cut[int64]{at: a.day}, v.Int())
	case classTimestamp, classTimestampNTZ:
		return of(a.instant(k == variant.TimestampNanos || k == variant.TimestampNTZNanos), v.Int())
	case classNumber:
		return a.number(k, v)
	}
	return of(cut[string]{at: a.text}, v.Text())
}

func (a *Against) number(k variant.Kind, v *variant.Value) int64 {
	switch k {
	case variant.Double:
		return of(a.doubles(), v.Float())
	case variant.Float:
		return of(a.floats(), float32(v.Float()))
	}
	x := exactOf(v)
	if a.numbers == AsDouble {
		double, _ := x.nearest()
		return of(cut[float64]{at: a.double}, double)
	}
	return ofWide(a.exacts(x.scale), x.unscaled)
}

func (a *Against) boolean(x bool) int64 {
	switch {
	case x == a.bool:
		return 0
	case x:
		return 1
	}
	return -1
}

// instant is the cut among timestamps.
func (a *Against) instant(inNanos bool) cut[int64] {
	if !inNanos {
		return cut[int64]{a.micros, -min(a.nanos, 1)}
	}
	wide := vector.MulInt64(a.micros, 1000).Add(vector.Int128From(a.nanos))
	return narrowed(cut[vector.Int128]{at: wide})
}

// narrowed is the cut among integers of 64 bits.
func narrowed(c cut[vector.Int128]) cut[int64] {
	switch {
	case c.at.IsInt64():
		return cut[int64]{c.at.Int64(), c.tie}
	case c.at.Sign() < 0:
		return cut[int64]{math.MinInt64, 1}
	}
	return cut[int64]{math.MaxInt64, -1}
}

// exacts is the cut among unscaled values of a scale, for AsDecimal.
func (a *Against) exacts(scale int) cut[vector.Int128] {
	if a.cuts[scale] == nil {
		c := a.exact.cutAt(scale)
		a.cuts[scale] = &c
	}
	return *a.cuts[scale]
}

func (x exact) cutAt(scale int) cut[vector.Int128] {
	at, ten := x.unscaled, vector.Int128From(10)
	for range scale - x.scale {
		var ok bool
		if at, ok = at.MulChecked(ten); !ok { // beyond all 38 digits
			if x.unscaled.Sign() < 0 {
				return cut[vector.Int128]{maxDecimal.Neg(), 1}
			}
			return cut[vector.Int128]{maxDecimal, -1}
		}
	}
	tie := int64(0)
	for range x.scale - scale {
		var rest vector.Int128
		if at, rest = at.DivMod(ten); rest.Sign() != 0 {
			if tie = -1; rest.Sign() < 0 {
				at = at.Sub(vector.Int128From(1)) // DivMod rounds to zero
			}
		}
	}
	return cut[vector.Int128]{at, tie}
}

// maxDecimal is 10^38-1.
var maxDecimal = vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}

// doubles is the cut among doubles.
func (a *Against) doubles() cut[float64] {
	switch {
	case a.f64 != nil:
	case a.numbers == AsDouble:
		a.f64 = &cut[float64]{at: a.double}
	default:
		at, _ := strconv.ParseFloat(a.exact.text(), 64)
		a.f64 = &cut[float64]{at, a.tie(appendShortestKey(nil, at, 64))}
	}
	return *a.f64
}

// floats is the cut among floats.
func (a *Against) floats() cut[float32] {
	switch {
	case a.f32 != nil:
	case a.numbers == AsDouble:
		at := float32(a.double)
		a.f32 = &cut[float32]{at, int64(cmp.Compare(float64(at), a.double))}
	default:
		at, _ := strconv.ParseFloat(a.exact.text(), 32)
		a.f32 = &cut[float32]{float32(at), a.tie(appendShortestKey(nil, at, 32))}
	}
	return *a.f32
}

// tie compares a number, given its key, with the exact constant.
func (a *Against) tie(key []byte) int64 {
	return int64(bytes.Compare(key, appendExactKey(nil, a.exact)))
}

// text is a number as strconv reads it.
func (x exact) text() string { return string(vector.AppendDecimal128(nil, x.unscaled, x.scale)) }

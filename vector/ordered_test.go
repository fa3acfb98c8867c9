package vector

import (
	"bytes"
	"cmp"
	"math"
	"testing"
)

// TestAppendOrdered compares the order of the bytes with that of a list of values, which
// ascend by the rules of SQL: NULL and NaN are above all, a prefix is below.
func TestAppendOrdered(t *testing.T) {
	list := func(element Type, rows ...[]Scalar) *Vector {
		v := New(ListOf(Field{Name: "element", Type: element, Nullable: true}), 0)
		for _, row := range rows {
			for _, s := range row {
				if err := v.Children[0].Append(NewConstant(s, 1), nil); err != nil {
					t.Fatal(err)
				}
			}
			v.EndRow()
		}
		v.AppendNulls(1)
		return v
	}
	text, double := Of(Varchar), Of(Double)
	str := func(s ...string) (out []Scalar) {
		for _, x := range s {
			out = append(out, StringScalar(x))
		}
		return out
	}
	short := func(k Kind, values ...int64) (out []Scalar) {
		for _, x := range values {
			out = append(out, Scalar{Type: Of(k), I64: x})
		}
		return out
	}
	for _, v := range []*Vector{
		list(Of(BigInt), nil, []Scalar{IntScalar(math.MinInt64)}, []Scalar{IntScalar(-1), IntScalar(5)}, []Scalar{IntScalar(0)}, []Scalar{IntScalar(0), IntScalar(0)},
			[]Scalar{IntScalar(0), NullOf(Of(BigInt))}, []Scalar{NullOf(Of(BigInt))}),
		list(Of(BigInt), nil, []Scalar{IntScalar(math.MinInt64)}, []Scalar{IntScalar(-1 << 33)}, []Scalar{IntScalar(-1 << 33), IntScalar(7)}, []Scalar{IntScalar(1 << 33)}),
		list(Of(Integer), nil, short(Integer, math.MinInt32), short(Integer, -1), short(Integer, -1, 5), short(Integer, 0, 0), short(Integer, math.MaxInt32)),
		list(Of(TinyInt), nil, short(TinyInt, -128), short(TinyInt, -128, 3), short(TinyInt, 127), append(short(TinyInt, 127), NullOf(Of(TinyInt))), []Scalar{NullOf(Of(TinyInt))}),
		list(text, str(""), str("", ""), str("\x00"), str("a"), str("a", "b"), str("a\x00"), str("a\x00b"), str("ab"), str("b"), []Scalar{NullOf(text)}),
		list(double, []Scalar{FloatScalar(math.Inf(-1))}, []Scalar{FloatScalar(-1)}, []Scalar{FloatScalar(0)}, []Scalar{FloatScalar(1)}, []Scalar{FloatScalar(math.Inf(1))}, []Scalar{FloatScalar(math.NaN())}),
	} {
		for i := range v.Len {
			for j := range v.Len {
				a, b := AppendOrdered(nil, v, i), AppendOrdered(nil, v, j)
				if got := bytes.Compare(a, b); got != cmp.Compare(i, j) {
					t.Errorf("%v: rows %d and %d: %d", v.Type, i, j, got)
				}
			}
		}
	}
}

package variant

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// flatColumns are columns of scalars that are written in loops.
func flatColumns() []*vector.Vector {
	integers := []int64{0, 1, -1, 127, -128}
	out := []*vector.Vector{
		{Type: vector.Of(vector.Double), F64: []float64{0, math.Copysign(0, -1), 1.5, math.Inf(-1), math.NaN()}},
		{Type: vector.Of(vector.Float), F32: []float32{0, -1, 1.5, float32(math.Inf(1)), 3e-39}},
		{Type: vector.Of(vector.Varchar), Str: []string{"", "a", strings.Repeat("é", 31) + "a", strings.Repeat("x", 64), strings.Repeat("y", 5000)}},
	}
	for _, k := range []vector.Kind{vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt} {
		out = append(out, &vector.Vector{Type: vector.Of(k), I64: integers})
	}
	for _, k := range []vector.Kind{vector.UTinyInt, vector.USmallInt, vector.UInteger} {
		out = append(out, &vector.Vector{Type: vector.Of(k), I64: []int64{0, 1, 2, 127, 255}})
	}
	for _, t := range []vector.Type{vector.TimestampType(vector.Micros, false), vector.TimestampType(vector.Micros, true), vector.TimeType(vector.Micros),
		vector.TimestampType(vector.Millis, false), vector.TimestampType(vector.Nanos, true), vector.TimeType(vector.Millis), vector.Of(vector.Date)} {
		out = append(out, &vector.Vector{Type: t, I64: []int64{0, 1, 86399, 1000, 12}})
	}
	for _, v := range out {
		v.Len = 5
	}
	return out
}

// TestFlatScalars compares columns with what a Builder makes of each value, with NULLs and of some
// rows alone, by a Writer that is used again.
func TestFlatScalars(t *testing.T) {
	var w Writer
	for _, v := range flatColumns() {
		for _, null := range []bool{false, true} {
			if null {
				v.SetNull(1)
				v.SetNull(4)
			}
			for _, rows := range [][]int32{nil, {0, 1, 3}, {2}, {}} {
				var out vector.Vector
				if err := w.Encode(v, rows, v.Len, &out); err != nil {
					t.Fatal(v.Type, err)
				}
				checkFlat(t, v, rows, &out)
			}
		}
	}
}

func checkFlat(t *testing.T, v *vector.Vector, rows []int32, out *vector.Vector) {
	t.Helper()
	made := map[int]bool{}
	for _, row := range listed(v.Len, rows) {
		made[int(row)] = !v.IsNull(int(row))
	}
	var b Builder
	for row := range v.Len {
		got, ok := Get(out, row)
		if ok != made[row] {
			t.Fatalf("%s, rows %v: row %d is there: %t", v.Type, rows, row, ok)
		}
		if !ok {
			continue
		}
		b.Reset(nil)
		b.scalar(v, row)
		metadata, value, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if gotMetadata, gotValue := got.Bytes(); gotMetadata != metadata || gotValue != string(value) || got.Check() != nil {
			t.Errorf("%s, row %d: %x, want %x", v.Type, row, gotValue, value)
		}
	}
}

// TestFlatTextErrors: what is not UTF-8 is an error where it is listed, and memory is asked for before.
func TestFlatTextErrors(t *testing.T) {
	v := &vector.Vector{Type: vector.Of(vector.Varchar), Str: []string{"a", "\xff", "c"}, Len: 3}
	var out vector.Vector
	var w Writer
	if err := w.Encode(v, []int32{0, 2}, 3, &out); err != nil {
		t.Error(err)
	}
	if err := w.Encode(v, nil, 3, &out); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Error(err)
	}
	full := errors.New("full")
	w.Coming = func(n int64) error {
		if n != 4 {
			return fmt.Errorf("%d bytes", n)
		}
		return full
	}
	if err := w.Encode(v, []int32{0, 2}, 3, &out); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestKnownDictionary: a dictionary is kept for values of the same names, and is not for others.
func TestKnownDictionary(t *testing.T) {
	var b Builder
	for _, names := range []string{"a b", "a b", "ab", "a", "", "a b", "b a", "a b c"} {
		b.Reset(nil)
		b.BeginObject()
		want := map[string]int64{}
		for i, name := range strings.Fields(names) {
			b.Name(name)
			b.Int(int64(i))
			want[name] = int64(i)
		}
		b.End()
		metadata, value, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		x, err := Parse(metadata, string(value))
		if err != nil || x.Check() != nil {
			t.Fatal(names, err)
		}
		for name, i := range want {
			if got, ok, err := x.At(vector.FieldPath(name)); !ok || err != nil || got.Int() != i {
				t.Errorf("%s: %s is %d", names, name, got.Int())
			}
		}
		if got := string(x.AppendJSON(nil)); strings.Count(got, ":") != len(want) {
			t.Errorf("%s: %s", names, got)
		}
	}
}

package expr_test

import (
	"math"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr/series"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSeriesTimestamps compares with the days that DuckDB has.
func TestSeriesTimestamps(t *testing.T) {
	at := func(s string) vector.Scalar {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: d.UnixMicro()}
	}
	for _, c := range []struct {
		from, to string
		by       vector.IntervalValue
		want     []string
	}{
		{"2020-01-31", "2020-06-01", vector.IntervalValue{Months: 1}, []string{"2020-01-31", "2020-02-29", "2020-03-29", "2020-04-29", "2020-05-29"}},
		{"2020-05-31", "2020-01-29", vector.IntervalValue{Months: -1}, []string{"2020-05-31", "2020-04-30", "2020-03-30", "2020-02-29", "2020-01-29"}},
		{"2020-01-01", "2020-01-03", vector.IntervalValue{Days: 1}, []string{"2020-01-01", "2020-01-02", "2020-01-03"}},
		{"2020-01-03", "2020-01-01", vector.IntervalValue{Days: 1}, nil},
	} {
		s := series.New(vector.TimestampType(vector.Micros, false), true)
		if err := s.Start(at(c.from), at(c.to), vector.Scalar{Type: vector.Of(vector.Interval), Interval: c.by}); err != nil {
			t.Fatal(err)
		}
		out := make([]int64, 10)
		n, err := s.Fill(out)
		if err != nil || n != len(c.want) {
			t.Fatalf("%s to %s: %d values, %v", c.from, c.to, n, err)
		}
		for i, w := range c.want {
			if got := time.UnixMicro(out[i]).UTC().Format(time.DateOnly); got != w {
				t.Errorf("%s to %s: value %d is %s, want %s", c.from, c.to, i, got, w)
			}
		}
	}
}

// TestSeriesEnds reaches the last values of 64 bits.
func TestSeriesEnds(t *testing.T) {
	for _, c := range []struct {
		from, to, step int64
		inclusive      bool
		want           []int64
	}{
		{math.MaxInt64 - 7, math.MaxInt64, 5, true, []int64{math.MaxInt64 - 7, math.MaxInt64 - 2}},
		{math.MaxInt64 - 1, math.MaxInt64, 1, true, []int64{math.MaxInt64 - 1, math.MaxInt64}},
		{math.MinInt64 + 1, math.MinInt64, -1, true, []int64{math.MinInt64 + 1, math.MinInt64}},
		{math.MinInt64, math.MaxInt64, math.MaxInt64, false, []int64{math.MinInt64, -1, math.MaxInt64 - 1}},
	} {
		s := series.New(vector.Of(vector.BigInt), c.inclusive)
		if err := s.Start(vector.IntScalar(c.from), vector.IntScalar(c.to), vector.IntScalar(c.step)); err != nil {
			t.Fatal(err)
		}
		out := make([]int64, 10)
		n, err := s.Fill(out)
		if err != nil || n != len(c.want) {
			t.Fatalf("%v: %d values, %v", c, n, err)
		}
		for i, w := range c.want {
			if out[i] != w {
				t.Errorf("%v: value %d is %d, want %d", c, i, out[i], w)
			}
		}
	}
	for _, step := range []vector.IntervalValue{{}, {Months: 1, Days: -1}} {
		s := series.New(vector.TimestampType(vector.Micros, true), false)
		if err := s.Start(vector.IntScalar(0), vector.IntScalar(1), vector.Scalar{Interval: step}); err == nil {
			t.Errorf("a step of %v is accepted", step)
		}
	}
}

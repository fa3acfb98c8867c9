package bind

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		number, unit string
		want         vector.IntervalValue
	}{
		{"3", "QUARTER", vector.IntervalValue{Months: 9}},
		{"-2", "WEEK", vector.IntervalValue{Days: -14}},
		{"1.5", "SECOND", vector.IntervalValue{Micros: 1_500_000}},
		{"0.0000019", "SECOND", vector.IntervalValue{Micros: 1}},
		{"90", "MINUTE", vector.IntervalValue{Micros: 5400 * 1_000_000}},
	} {
		got, err := times(c.number, unitValues[c.unit])
		if err != nil || got != c.want {
			t.Errorf("%s %s: %v %v, want %v", c.number, c.unit, got, err, c.want)
		}
	}
}

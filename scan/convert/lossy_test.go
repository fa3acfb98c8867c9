package convert

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestLossy: a type with fewer digits, as a log may give it to files, makes different values equal.
func TestLossy(t *testing.T) {
	nanos, micros, wide := vector.TimestampType(vector.Nanos, true), vector.TimestampType(vector.Micros, true), vector.TimestampType(vector.Wide, false)
	for _, c := range []struct {
		from, to vector.Type
		want     bool
	}{
		{nanos, micros, true}, {wide, micros, true}, {micros, nanos, false}, {micros, vector.TimestampType(vector.Micros, false), false},
		{micros, vector.Of(vector.Date), true}, {vector.Of(vector.Date), micros, false},
		{vector.DecimalType(10, 4), vector.DecimalType(10, 2), true}, {vector.DecimalType(10, 2), vector.DecimalType(12, 4), false},
		{vector.Of(vector.Double), vector.Of(vector.Float), true}, {vector.Of(vector.Float), vector.Of(vector.Double), false}, {vector.Of(vector.BigInt), vector.Of(vector.Double), true},
		{vector.Of(vector.Double), vector.Of(vector.Integer), true}, {vector.Of(vector.Integer), vector.Of(vector.BigInt), false}, {vector.Of(vector.Integer), vector.Of(vector.Double), false},
	} {
		converter, err := New(c.from, c.to)
		if err != nil {
			t.Errorf("%v to %v: %v", c.from, c.to, err)
			continue
		}
		if got := converter.Lossy(); got != c.want {
			t.Errorf("%v to %v: %v", c.from, c.to, got)
		}
	}
}

package fragments

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"
)

// TestArgs takes arguments there and back through JSON.
func TestArgs(t *testing.T) {
	for _, want := range []any{
		nil, true, int64(math.MinInt64), uint64(math.MaxUint64), math.Inf(-1), math.Copysign(0, -1), "", "a\xff", []byte{}, []byte{0, 255},
		float32(0.1), []int64{1, math.MinInt64}, []float32{0.1}, []float64{}, []string{"a\xff", ""},
		time.Date(1890, 1, 1, 0, 0, 0, 5, time.FixedZone("local mean time", 53*60+28)), time.Date(-4000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(20000, 1, 1, 0, 0, 0, 999999999, time.FixedZone("far", 25*3600)),
	} {
		args, err := argsOf([]any{want})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		args = nil
		if err := json.Unmarshal(text, &args); err != nil {
			t.Fatal(err)
		}
		got, err := values(args)
		if err != nil {
			t.Fatal(err)
		}
		same := false
		switch want := want.(type) {
		case []byte:
			b, ok := got[0].([]byte)
			same = ok && b != nil && bytes.Equal(b, want)
		case time.Time:
			m, ok := got[0].(time.Time)
			same = ok && m.Equal(want)
		case float64:
			same = math.Float64bits(got[0].(float64)) == math.Float64bits(want)
		default:
			same = reflect.DeepEqual(got[0], want)
		}
		if !same {
			t.Errorf("%#v came back as %#v", want, got[0])
		}
	}
	if args, err := argsOf([]any{[]byte(nil)}); err != nil || args[0].Type != "null" {
		t.Errorf("no bytes are %v, error %v", args, err)
	}
}

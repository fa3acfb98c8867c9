package main

import (
	"math"
	"testing"

	parquetbeam "github.com/parquetsql/parquetsql/beam"
)

// TestLine: each value has a form in JSON.
func TestLine(t *testing.T) {
	got, err := line(parquetbeam.Row{Values: []any{nil, int64(1), 1.5, float32(0.1), math.NaN(), math.Inf(1), float32(math.Inf(-1)), "a\"b", true}})
	if want := `[null,1,1.5,0.1,"NaN","Infinity","-Infinity","a\"b",true]`; got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

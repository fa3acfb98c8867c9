package parquetbeam

import (
	"math"
	"reflect"
	"testing"
	"time"
)

// TestRow takes a row with a value of each kind there and back, and cuts its bytes at each place.
func TestRow(t *testing.T) {
	row := Row{Values: []any{
		nil, true, false, int64(math.MinInt64), uint64(math.MaxUint64), float32(1.5), math.Inf(-1), "", "a\x00ü", []byte{}, []byte{0, 255},
		time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	}}
	data, err := encodeRow(row)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeRow(data)
	if err != nil || !reflect.DeepEqual(got, row) {
		t.Fatalf("%v %v, want %v", got, err, row)
	}
	for n := range data {
		if got, err := decodeRow(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are read as %v", n, len(data), got)
		}
	}
	if _, err := encodeRow(Row{Values: []any{struct{}{}}}); err == nil {
		t.Error("a value of another type")
	}
}

// FuzzRow reads bytes.
func FuzzRow(f *testing.F) {
	data, _ := encodeRow(Row{Values: []any{nil, true, int64(1), uint64(2), float32(3), 4.0, "5", []byte("6"), time.Unix(7, 8).UTC()}})
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		row, err := decodeRow(data)
		if err != nil {
			return
		}
		again, err := encodeRow(row)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := decodeRow(again); err != nil || len(same.Values) != len(row.Values) {
			t.Fatalf("%v %v, want %v", same, err, row)
		}
	})
}

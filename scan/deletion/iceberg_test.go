package deletion

import (
	"os"
	"testing"
)

// TestIcebergVectors reads vectors that Iceberg's own tests have; the rows are those of
// TestBitmapPositionDeleteIndex there.
func TestIcebergVectors(t *testing.T) {
	type rows [][2]int64 // from, to
	const container, bitmap = int64(1) << 16, int64(1) << 32
	for name, want := range map[string]rows{
		"empty":                    nil,
		"small-alternating-values": {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}},
		"small-and-large-values":   {{100, 102}, {1<<31 - 1 + 100, 1<<31 - 1 + 102}},
		"all-container-types": {
			{5, 6}, {7, 8}, {container + 1, container + 1000}, {2*container + 1, 3*container - 1},
			{bitmap + 10, bitmap + 11}, {bitmap + 20, bitmap + 21}, {bitmap + container + 10, bitmap + container + 500}, {bitmap + 2*container + 1, bitmap + 3*container - 1},
		},
	} {
		data, err := os.ReadFile("../../testdata/iceberg/iceberg-java-core/deletes/" + name + "-position-index.bin")
		if err != nil {
			t.Fatal(err)
		}
		body, err := Framed(data, int64(len(data))-frame)
		if err != nil {
			t.Fatal(name, err)
		}
		set, err := Decode(body)
		if err != nil {
			t.Fatal(name, err)
		}
		var got rows
		for from, to := range set.Ranges(0, 1<<62) {
			if n := len(got); n > 0 && got[n-1][1] == from {
				got[n-1][1] = to
				continue
			}
			got = append(got, [2]int64{from, to})
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

package fileformat

import (
	"fmt"
	"testing"
)

// BenchmarkOpen parses the footer of a file of 200 columns and 50 row groups.
func BenchmarkOpen(b *testing.B) {
	elements := []ts{{{4, "schema"}, {5, int32(200)}}}
	var chunks []ts
	stats := ts{{3, int64(0)}, {5, "12345678"}, {6, "12345678"}, {7, true}, {8, true}}
	for i := range 200 {
		name := fmt.Sprintf("column_%d", i)
		elements = append(elements, ts{{1, int32(2)}, {3, int32(1)}, {4, name}})
		chunks = append(chunks, ts{{2, int64(0)}, {3, testMeta(2, 3, 4, name).with(tf{12, stats})}, {4, int64(100)}, {5, int32(10)}})
	}
	groups := make([]ts, 50)
	for i := range groups {
		groups[i] = testGroup(chunks...)
	}
	file := testFile(tf{2, structs(elements...)}, tf{3, int64(150)}, tf{4, structs(groups...)})
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openBytes(file); err != nil {
			b.Fatal(err)
		}
	}
}

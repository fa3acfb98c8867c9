package fileformat

import (
	"runtime"
	"strings"
	"testing"
)

// TestEmptyElements: footers of a million elements of one byte each, which mean nothing,
// take little more memory than their bytes.
func TestEmptyElements(t *testing.T) {
	const n = 1_000_000
	empty := raw{tList, "\xfc\xc0\x84\x3d" + strings.Repeat("\x00", n)} // of structs; n as a varint
	for name, b := range map[string][]byte{
		"key values":      testFile(tf{5, empty}),
		"encoding stats":  chunkFile(tf{13, empty}),
		"sorting columns": testFile(tf{4, structs(testGroup(testChunks()...).with(tf{4, empty}))}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := openBytes(b)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Meta.KeyValues) > 0 || len(f.RowGroups()[0].Columns[0].Meta.EncodingStats) > 0 || len(f.RowGroups()[0].SortingColumns) > maxSortingColumns {
			t.Errorf("%s: what means nothing is kept", name)
		}
		if grew := after.TotalAlloc - before.TotalAlloc; grew > 16*n {
			t.Errorf("%s: %d bytes allocated for a footer of %d", name, grew, len(b))
		}
	}
}

package fileformat

import "testing"

// TestUnreadableLeaves: what the specification does not have costs the leaf, not the file.
func TestUnreadableLeaves(t *testing.T) {
	root := ts{{4, "schema"}, {5, int32(1)}}
	leaf := ts{{1, int32(1)}, {3, int32(0)}, {4, "a"}}
	for name, c := range map[string]struct {
		elements []ts
		want     string // the error, or the logical type
	}{
		"no repetition":                {[]ts{{{4, "g"}, {5, int32(1)}}, leaf}, "repetition type -1"},
		"unknown repetition":           {[]ts{leaf.with(tf{3, int32(7)})}, "repetition type 7"},
		"unknown physical type":        {[]ts{leaf.with(tf{1, int32(8)})}, "physical type 8"},
		"negative physical type":       {[]ts{leaf.with(tf{1, int32(-1)})}, "physical type -1"},
		"fixed of length 0":            {[]ts{leaf.with(tf{1, int32(7)}, tf{2, int32(0)})}, "FIXED_LEN_BYTE_ARRAY of length 0"},
		"fixed of negative length":     {[]ts{leaf.with(tf{1, int32(7)}, tf{2, int32(-5)})}, "FIXED_LEN_BYTE_ARRAY of length -5"},
		"decimal without precision":    {[]ts{leaf.with(tf{6, int32(5)})}, "DECIMAL(10,0)"},
		"decimal of scale > precision": {[]ts{leaf.with(tf{10, ts{{5, ts{{1, int32(3)}, {2, int32(2)}}}}})}, "DECIMAL(3,3)"},
		"decimal of negative scale":    {[]ts{leaf.with(tf{10, ts{{5, ts{{1, int32(-3)}, {2, int32(2)}}}}})}, ""},
		"decimal in 2^31-1 bytes":      {[]ts{leaf.with(tf{1, int32(7)}, tf{2, int32(1<<31 - 1)}, tf{6, int32(5)})}, "DECIMAL(2147483647,0)"},
	} {
		f, err := openBytes(testFile(tf{2, structs(append([]ts{root}, c.elements...)...)}, tf{3, int64(0)}, tf{4, structs[ts]()}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := f.Schema.Leaves[0]
		if got := n.Logical.String(); n.Err != nil && n.Err.Error() != c.want || n.Err == nil && got != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, n.Err, c.want)
		}
	}
}

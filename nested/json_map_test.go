package nested

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestFewKeys writes MAPs with few keys: equal ones, which a file may have, and such that are equal only as JSON.
func TestFewKeys(t *testing.T) {
	text, number := vector.Of(vector.Varchar), vector.Of(vector.Integer)
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"a", "b", "c"}, `{"a":0,"b":1,"c":2}`},
		{[]string{"a", "b", "a"}, `{"b":1,"a":2}`},
		{[]string{"\xff", "\xfe"}, "{\"\uFFFD\":1}"},
		{[]string{"a\"", "a", ""}, `{"a\"":0,"a":1,"":2}`},
		{nil, "{}"},
	} {
		keys, values := vector.New(text, len(c.keys)), vector.New(number, len(c.keys))
		dict := &vector.Vector{Type: text, Form: vector.Dictionary, Len: len(c.keys), Dict: keys}
		copy(keys.Str, c.keys)
		for i := range c.keys {
			values.I64[i] = int64(i)
			dict.Codes = append(dict.Codes, int32(i))
		}
		typ := vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: text}, {Name: "value", Type: number}}}
		for _, k := range []*vector.Vector{keys, dict} {
			v := &vector.Vector{Type: typ, Len: 1, Offsets: []int32{0, int32(len(c.keys))}, Children: []*vector.Vector{k, values}}
			if got := string(AppendJSON(nil, v, 0)); got != c.want {
				t.Errorf("%q: %s, want %s", c.keys, got, c.want)
			}
		}
	}
}

package json

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// TestPretty compares the lines with those of encoding/json.
func TestPretty(t *testing.T) {
	for _, s := range []string{`1`, ` "a:[,]\" " `, `[]`, `{ }`, `[ [ ] , { } ]`, `{"a":[1,{"b":null}],"c" : "d"}`, `[1,2.5e3 , true]`, "[\n]", `[1`, `{"a"}`, ``} {
		var want bytes.Buffer
		failed := json.Indent(&want, []byte(strings.TrimSpace(s)), "", "    ") != nil
		got, o := (&printing{parsed: trees{deep: true}}).appendLines(&kernel.TextBuffer{}, nil, s)
		if (o.Err != nil) != failed || !failed && string(got) != want.String() {
			t.Errorf("%q: %q, %v; want %q", s, got, o.Err, want.String())
		}
	}
}

// TestPrettyDeep: the indentation of deep values is refused before it is made.
func TestPrettyDeep(t *testing.T) {
	const depth = 9_000 // 9,000 lines of up to 36 KB there, and as many back
	if _, o := (&printing{parsed: trees{deep: true}}).appendLines(&kernel.TextBuffer{}, nil, strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth)); o.Err == nil {
		t.Error("324 MB of blanks were made")
	}
}

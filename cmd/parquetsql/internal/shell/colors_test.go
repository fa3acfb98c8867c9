package shell

import (
	"strings"
	"testing"
)

// TestColors checks which parts have which colour, and that they are in order.
func TestColors(t *testing.T) {
	tests := []struct{ pending, line, want string }{
		{"", `select t.order, "a", 'b', 1 from t -- c`, `1;34:select 35:"a" 32:'b' 36:1 1;34:from 90:-- c`},
		{"", `\d penguins`, `1;36:\d`},
		{"SELECT 'a\n", `FROM' FROM x`, `32:FROM' 1;34:FROM`},
		{"", `species`, ""},
	}
	for _, test := range tests {
		var got []string
		at := 0
		for _, s := range colors(test.pending, test.line) {
			if s.From < at || s.To <= s.From {
				t.Errorf("%q: %v is behind %d", test.line, s, at)
			}
			got, at = append(got, s.Color+":"+test.line[s.From:s.To]), s.To
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%q: %s, want %s", test.line, text, test.want)
		}
	}
}

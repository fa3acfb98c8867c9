package script

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	names := map[Kind]string{Word: "word", Number: "number", String: "string", Name: "name", Comment: "comment", Command: "command"}
	tests := []struct{ pending, line, want string }{
		{"", `SELECT a.b, "x ""y", 1.5e3`, `word:SELECT word:a word:b name:"x ""y" number:1.5e3`},
		{"", "`a``b` = 'it''s' || 'open", "name:`a``b` string:'it''s' string:'open"},
		{"", `E'a\'b' x'00' .5 $1 :name`, `string:E'a\'b' word:x string:'00' number:.5 number:1 word:name`},
		{"", `$$a 'b$$ $tag$ 1 $tag$ c`, `string:$$a 'b$$ string:$tag$ 1 $tag$ word:c`},
		{"", `1 -- it's`, `number:1 comment:-- it's`},
		{"", `1/*a/*b*/c*/größe`, `number:1 comment:/*a/*b*/c*/ word:größe`},
		{"", `SELECT 'größe' größe`, `word:SELECT string:'größe' word:größe`},
		{"", `  \d penguins`, `command:\d`},
		{"", `\q;`, `command:\q`},
		{"", `SELECT 1; \d`, `word:SELECT number:1 word:d`},
		{"SELECT 'a\n", `b' c`, `string:b' word:c`},
		{"SELECT \"a\n", `b" \d`, `name:b" word:d`},
		{"/* a\n", `b */ c`, `comment:b */ word:c`},
		{"-- a\n", `b`, `word:b`},
		{"SELECT 1 -- '\n", `b`, `word:b`},
		{"SELECT $$\n", `a$$ b`, `string:a$$ word:b`},
		{"SELECT 1;\n", `\d`, `command:\d`},
		{"", "", ""},
	}
	for _, test := range tests {
		var got []string
		for _, token := range Tokens(test.pending, test.line) {
			got = append(got, fmt.Sprintf("%s:%s", names[token.Kind], test.line[token.From:token.To]))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%q, %q: %s, want %s", test.pending, test.line, text, test.want)
		}
	}
}

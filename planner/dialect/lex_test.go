package dialect

import (
	"fmt"
	"testing"
)

// TestTokenize cuts texts with the tokens that are easily mistaken.
func TestTokenize(t *testing.T) {
	kinds := []string{"EOF", "word", "quoted", "string", "number", "blob", "system", "param", "op"}
	for text, want := range map[string]string{
		"SELECT a.b":               "word SELECT, word a, op ., word b",
		`"a""b" 'it''s'`:           `quoted a"b, string it's`,
		"1_000 .5 1e-3 0xff":       "number 1000, number .5, number 1e-3, blob \xff",
		"x'00ff'":                  "blob \x00\xff",
		`E'a\tb\x41' $x$a'b$x$`:    "string a\tbA, string a'b",
		"'a'\n\t'b' 'c'":           "string ab, string c",
		"'a' -- b\n'c''d'":         "string ac'd",
		"x'00'\n'a' 'b'\nx'ff'":    "blob \x00, string a, string b, blob \xff",
		"@@session.sql_mode @@a.b": "system sql_mode, system a.b",
		"? $12 :name @x":           "param , param 12, param name, param x",
		"a::int b->>'$.x'":         "word a, op ::, word int, word b, op ->>, string $.x",
		"xs[1:n] {'a':b}":          "word xs, op [, number 1, op :, word n, op ], op {, string a, op :, word b, op }",
		"a--b\n/* c /* d */ e */f": "word a, word f",
		"größe+_x":                 "word größe, op +, word _x",
		"a\u200b§b c\u00a01\u00a0": "word a, word §b, word c, number 1",
	} {
		tokens, err := tokenize(t.Context(), text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got, end := "", 0
		for _, token := range tokens[:len(tokens)-1] {
			if got += fmt.Sprintf(", %s %s", kinds[token.kind], token.text); token.pos < end || token.end <= token.pos {
				t.Errorf("%q: the token %v begins before %d or is empty", text, token, end)
			}
			end = token.end
		}
		if got[2:] != want {
			t.Errorf("%q: %q, want %q", text, got[2:], want)
		}
		if last := tokens[len(tokens)-1]; last.kind != tEOF || last.pos != len(text) {
			t.Errorf("%q ends with %v", text, last)
		}
	}
	for _, text := range []string{"'a", `"a`, `""`, "/* a", "12a", "0x1", "x'0'", "$x$a", `E'\x'`, "\xff"} {
		if tokens, err := tokenize(t.Context(), text); err == nil {
			t.Errorf("%q: %v, want an error", text, tokens)
		}
	}
}

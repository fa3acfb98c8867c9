package script

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		text string
		want []Item
	}{
		{"", nil},
		{"SELECT 1", []Item{{"SELECT 1", false, 1}}},
		{"SELECT 1;\n\nSELECT\n 2 ;", []Item{{"SELECT 1", false, 1}, {"SELECT\n 2", false, 3}}},
		{"SELECT ';', \"a;b\", `c;` ; x", []Item{{"SELECT ';', \"a;b\", `c;`", false, 1}, {"x", false, 1}}},
		{"SELECT 'it''s;' -- no; end\n, 1;", []Item{{"SELECT 'it''s;' -- no; end\n, 1", false, 1}}},
		{"/* ; /* ; */ ; */ SELECT 1; -- last\n", []Item{{"/* ; /* ; */ ; */ SELECT 1", false, 1}}},
		{"SELECT '\n\\d\n';\n \\d penguins\nSELECT 2", []Item{{"SELECT '\n\\d\n'", false, 1}, {`\d penguins`, true, 4}, {"SELECT 2", false, 5}}},
		{"SELECT 1\n\\f tsv\n, 2;", []Item{{`\f tsv`, true, 2}, {"SELECT 1\n, 2", false, 1}}},
		{"clear\n\\q\n?", []Item{{"clear", true, 1}, {`\q`, true, 2}, {`\?`, true, 3}}},
		{"SELECT 1 AS\nexit\n;", []Item{{"SELECT 1 AS\nexit", false, 1}}},
		{"SELECT /*\n\\q\n*/ 1", []Item{{"SELECT /*\n\\q\n*/ 1", false, 1}}},
		{";;\n;", nil},
		{`SELECT E'it\'s; ''\\', 1; x`, []Item{{`SELECT E'it\'s; ''\\', 1`, false, 1}, {"x", false, 1}}},
		{"SELECT $$a;'\nb$$, $t$;$$;$t$, a$$b; y", []Item{{"SELECT $$a;'\nb$$, $t$;$$;$t$, a$$b", false, 1}, {"y", false, 2}}},
		{"SELECT $1; SELECT :name", []Item{{"SELECT $1", false, 1}, {"SELECT :name", false, 1}}},
		{"\uFEFFSELECT 1;\r\nSELECT 2;\r\n", []Item{{"SELECT 1", false, 1}, {"SELECT 2", false, 2}}},
	}
	for _, test := range tests {
		if got := Split(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%q is %v, want %v", test.text, got, test.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct{ text, want string }{
		{"SELECT 1\n  FROM t;\n", "SELECT 1   FROM t;"},
		{"SELECT 1 -- one */\n, 2;", "SELECT 1 /* one * / */ , 2;"},
		{"SELECT '--' -- x\n;", "SELECT '--' /* x */ ;"},
		{"\\d x\n", `\d x`},
		{"SELECT 'a\n\\b', 'c''d\n''e', '\\', E'f\\t\ng';", `SELECT E'a\n\\b', E'c''d\n''e', '\', E'f\t\ng';`},
		{"SELECT 1 AS \"a\nb\"", ""},
		{"SELECT $$a\nb$$", ""},
		{"SELECT x'00\n'", ""},
		{"SELECT U&'a\nb'", ""},
		{"SELECT 1 -- a /* b\n, 2", "SELECT 1 /* a / * b */ , 2"},
	}
	for _, test := range tests {
		if got := OneLine(test.text); got != test.want {
			t.Errorf("%q is %q, want %q", test.text, got, test.want)
		}
	}
}

func TestPlace(t *testing.T) {
	full, before, part := Place("SELECT\n  'é', nope FROM t", 2, 8, 4)
	if full != "  'é', nope FROM t" || before != "  'é', " || part != "nope" {
		t.Errorf("%q, %q, %q", full, before, part)
	}
	if full, _, _ := Place("x", 2, 1, 1); full != "" {
		t.Errorf("a line that is not there is %q", full)
	}
	if _, before, part := Place("ab", 1, 99, 3); before != "ab" || part != "" {
		t.Errorf("a column behind the line is %q, %q", before, part)
	}
}

// FuzzSplit checks that no text is lost or panics: the statements are parts of the text.
func FuzzSplit(f *testing.F) {
	f.Add("SELECT ';' -- x\n; /* */ \\d")
	f.Fuzz(func(t *testing.T, text string) {
		for _, item := range Split(text) {
			if item.Text == "" || item.Line < 1 {
				t.Errorf("%q has the statement %v", text, item)
			}
			Place(text, item.Line, len(text), 5)
		}
		OneLine(text)
	})
}

package shell

import (
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/lineedit"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/script"
)

// colorOf has the parameters of SGR for the parts of a statement: colours of the user's
// terminal, which are readable on a dark and on a light ground.
var colorOf = map[script.Kind]string{
	script.Word:    "1;34", // keywords, bold and blue
	script.String:  "32",
	script.Number:  "36",
	script.Name:    "35",
	script.Comment: "90",
	script.Command: "1;36",
}

// colors returns the parts of a line that have a colour. pending has the lines of the
// statement above it.
func colors(pending, line string) []lineedit.Span {
	var spans []lineedit.Span
	for _, t := range script.Tokens(pending, line) {
		if t.Kind == script.Word && !isKeywordAt(line, t.From, t.To) {
			continue
		}
		spans = append(spans, lineedit.Span{From: t.From, To: t.To, Color: colorOf[t.Kind]})
	}
	return spans
}

// isKeywordAt reports whether a word is a keyword. Behind a point it is a name.
func isKeywordAt(line string, from, to int) bool {
	return isKeyword(line[from:to]) && !strings.HasSuffix(line[:from], ".")
}

package lineedit

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// complete puts in what the words that may stand at the cursor have in common. Where that is
// there already, the second key in a row lists them.
func (e *Editor) complete() {
	if e.Complete == nil {
		return
	}
	head, words, tail := e.Complete(e.buffer.text, e.buffer.at)
	common := commonPrefix(words)
	switch {
	case len(words) > 0 && head+common != e.buffer.text[:e.buffer.at] && len(head+common) >= e.buffer.at: // nothing that is typed goes
		e.buffer = buffer{head + common + tail, len(head + common)}
	case len(words) > 1 && e.last == tab:
		e.list(words)
	case len(words) != 1:
		e.screen.bell()
	}
}

// list shows words in columns below the line. What does not fit on the screen is counted.
func (e *Editor) list(words []string) {
	columns, lines := e.screen.size()
	width := 0
	for i, w := range words {
		words[i] = visible(w)
		width = max(width, uniseg.StringWidth(words[i])+2)
	}
	inRow := max(columns/width, 1)
	rows := (len(words) + inRow - 1) / inRow
	shown := min(rows, max(lines-3, 1))
	at := e.buffer.at
	e.end("")
	for row := range shown {
		var line strings.Builder
		for i := row; i < len(words); i += rows {
			if i > row {
				line.WriteString(strings.Repeat(" ", width-uniseg.StringWidth(words[i-rows])))
			}
			line.WriteString(words[i])
		}
		e.screen.write(line.String() + "\r\n")
	}
	if shown < rows {
		e.screen.writef("… and %d rows more\r\n", rows-shown)
	}
	e.buffer.at = at
	e.screen.forget()
}

// commonPrefix is what words have in common, in whole characters.
func commonPrefix(words []string) string {
	if len(words) == 0 {
		return ""
	}
	common := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, common) {
			_, n := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-n]
		}
	}
	return common
}

package format

import (
	"fmt"
	"io"
	"strings"
)

// markdownWriter writes a table of GitHub Flavored Markdown. Its cells are not padded,
// so that nothing has to be known of rows that follow. NULL is in italics.
type markdownWriter struct {
	w     io.Writer
	texts []appender
	line  []byte
	cell  []byte
}

func newMarkdown(w io.Writer, _ Options) Writer { return &markdownWriter{w: w} }

func (m *markdownWriter) Head(columns []Column) error {
	if len(columns) == 0 {
		return nil
	}
	rule := "|"
	for _, c := range columns {
		m.texts = append(m.texts, textOf(c))
		m.add(appendMarkdown(nil, []byte(c.Name)))
		if c.isNumber() {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	m.line = append(append(m.line, " |\n"...), rule...)
	return m.flush("\n")
}

func (m *markdownWriter) Row(values []any) error {
	for i, v := range values {
		if v == nil {
			m.add([]byte("*NULL*"))
			continue
		}
		m.cell = m.texts[i](m.cell[:0], v)
		m.line = append(m.line, m.before()...)
		m.line = appendMarkdown(m.line, m.cell)
	}
	return m.flush(" |\n")
}

func (m *markdownWriter) Tail() error { return nil }

func (m *markdownWriter) add(cell []byte) {
	m.line = append(append(m.line, m.before()...), cell...)
}

func (m *markdownWriter) before() string {
	if len(m.line) == 0 {
		return "| "
	}
	return " | "
}

func (m *markdownWriter) flush(end string) error {
	_, err := m.w.Write(append(m.line, end...))
	m.line = m.line[:0]
	return err
}

// appendMarkdown appends text that is shown as it is. A character that may begin markup
// gets a backslash, newlines are <br>.
func appendMarkdown(dst, text []byte) []byte {
	for i, c := range text {
		switch {
		case c > ' ' && !isMarkup(c):
			if c == '.' && i >= 3 && strings.EqualFold(string(text[i-3:i]), "www") || c == '#' && i == 0 {
				dst = append(dst, '\\') // GitHub makes a link of www.
			}
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, "<br>"...)
		case c == 0:
			dst = append(dst, "\uFFFD"...)
		case c == ' ' && (i == 0 || i == len(text)-1 || text[i-1] == ' '):
			dst = append(dst, "&#32;"...) // a reader would trim or merge it
		case c < ' ':
			dst = fmt.Appendf(dst, "&#%d;", c)
		case c == ' ':
			dst = append(dst, c)
		default:
			dst = append(dst, '\\', c)
		}
	}
	return dst
}

// isMarkup reports whether c may begin markup within a line; @ and : begin links on GitHub.
func isMarkup(c byte) bool {
	switch c {
	case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~', '&', '@', ':':
		return true
	}
	return false
}

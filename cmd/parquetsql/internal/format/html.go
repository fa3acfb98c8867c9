package format

import (
	"bytes"
	"html"
	"io"
	"unicode/utf8"
)

// htmlWriter writes a page with one table. NULL is a cell of the class null, and numbers
// are cells of the class number.
type htmlWriter struct {
	w       io.Writer
	columns []Column
	texts   []appender
	line    []byte
	cell    []byte
}

func newHTML(w io.Writer, _ Options) Writer { return &htmlWriter{w: w} }

const htmlHead = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>parquetsql</title>
<style>
body { font: 14px system-ui, sans-serif; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 2px 8px; text-align: left; white-space: pre-wrap; }
th { background: #f4f4f4; position: sticky; top: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.null { color: #999; font-style: italic; }
</style>
<table>
<thead><tr>`

func (h *htmlWriter) Head(columns []Column) error {
	h.columns = columns
	h.line = append(h.line, htmlHead...)
	for _, c := range columns {
		h.texts = append(h.texts, textOf(c))
		h.line = append(h.line, `<th title="`...)
		h.line = append(h.line, html.EscapeString(c.Note)...)
		h.line = append(h.line, `">`...)
		h.line = appendHTML(h.line, []byte(c.Name))
		h.line = append(h.line, "</th>"...)
	}
	return h.flush("</tr></thead>\n<tbody>\n")
}

func (h *htmlWriter) Row(values []any) error {
	h.line = append(h.line, "<tr>"...)
	for i, v := range values {
		switch {
		case v == nil:
			h.line = append(h.line, `<td class="null">NULL</td>`...)
			continue
		case h.columns[i].isNumber():
			h.line = append(h.line, `<td class="number">`...)
		default:
			h.line = append(h.line, "<td>"...)
		}
		h.cell = h.texts[i](h.cell[:0], v)
		h.line = append(appendHTML(h.line, h.cell), "</td>"...)
	}
	return h.flush("</tr>\n")
}

func (h *htmlWriter) Tail() error { return h.flush("</tbody>\n</table>\n</html>\n") }

func (h *htmlWriter) flush(end string) error {
	_, err := h.w.Write(append(h.line, end...))
	h.line = h.line[:0]
	return err
}

// appendHTML appends text for a cell. What HTML has no characters for, like NUL, becomes
// U+FFFD, as in every reader of HTML.
func appendHTML(dst, text []byte) []byte {
	if !bytes.ContainsAny(text, "<>&\r\x00") && utf8.Valid(text) {
		return append(dst, text...)
	}
	for _, r := range string(text) {
		switch r {
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '&':
			dst = append(dst, "&amp;"...)
		case '\r':
			dst = append(dst, "&#13;"...)
		case 0:
			dst = append(dst, "\uFFFD"...)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

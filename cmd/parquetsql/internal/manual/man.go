package manual

import (
	"fmt"
	"strings"
)

// Man is the page of section 1 for man, in roff with the macros of man(7).
func (m *Manual) Man() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(m.Name), m.Name, roff(m.Summary))
	for i, mode := range m.shown() {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, "\\fB%s\\fR %s\n", m.Name, roff(mode.Synopsis))
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(m.Words))
	for _, mode := range m.shown() {
		if mode.Help != "" {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(mode.Synopsis), roff(mode.Help))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, o := range m.Options {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(o.usage()), roff(o.Help))
	}
	b.WriteString(".SH FORMATS\n")
	for _, o := range m.Formats {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(o.Name), roff(o.Help))
	}
	fmt.Fprintf(&b, ".SH \"EXIT STATUS\"\n%s\n.SH EXAMPLES\n.nf\n%s\n.fi\n", roff(m.Exit), roff(m.Examples))
	return b.String()
}

// roff is text that has no requests and no escapes.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

package reference

import (
	"fmt"
	"strings"
)

// Document is the page of all functions in Markdown.
func Document() string {
	var b strings.Builder
	b.WriteString(`# Functions

This page is made from the table of functions in the code by ` + "`go test -run FunctionsPage . -update-functions`" + `. SHOW FUNCTIONS has the same, and so has
` + "`information_schema.routines`" + `. All examples are run by a test.

In a signature T, K and V stand for any type, but the same one throughout; ` + "`|`" + ` separates types of which each is accepted. A string literal and NULL fit every
argument. What is in single quotes, or called a literal, must be a constant. Except where the text says so, a NULL among the arguments makes the result NULL.

`)
	groups := Groups()
	for _, g := range groups {
		fmt.Fprintf(&b, "- [%s](#%s)\n", g.Title, anchor(g.Title))
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| function | returns | example | |\n| --- | --- | --- | --- |\n", g.Title)
		for _, e := range g.Entries {
			result := ""
			if e.Result != "" {
				result = code(e.Result)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", forms(e), cell(e.Help), code(e.Example), result)
		}
	}
	return b.String()
}

// anchor is the name of a heading in links.
func anchor(title string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(title), ",", ""), " ", "-")
}

// forms are the signatures of a function, and its other names.
func forms(e Entry) string {
	var list []string
	for _, s := range e.Signatures {
		list = append(list, code(e.Name+s.String()))
	}
	text := strings.Join(list, "<br>")
	if len(e.Aliases) > 0 {
		text += "<br>also " + strings.Join(e.Aliases, ", ")
	}
	return text
}

// code is text in backticks.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cell(s) + "`"
}

// cell escapes what would end the cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

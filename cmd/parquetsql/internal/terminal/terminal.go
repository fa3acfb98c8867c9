// Package terminal knows what the tool has to know of the terminal: whether there is one,
// its size, and its pager.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// Is reports whether f is a terminal.
func Is(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Size returns how many columns and lines the terminal shows, 80 and 24 where it does not
// say.
func Size(f *os.File) (columns, lines int) {
	columns, lines, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 || lines <= 0 {
		return 80, 24
	}
	return columns, lines
}

// HasColor reports whether colours may be written to f: it is a terminal that has them,
// and the user has not set NO_COLOR.
func HasColor(f *os.File) bool {
	return Is(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

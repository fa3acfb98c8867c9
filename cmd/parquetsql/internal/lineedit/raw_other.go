//go:build !windows

package lineedit

import (
	"io"
	"os"

	"golang.org/x/term"
)

// enterRaw has the terminal give each key at once, without an echo, and mark what is pasted.
func enterRaw(in, out *os.File) (leave func(), err error) {
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	_, _ = io.WriteString(out, pasteOn)
	return func() {
		_, _ = io.WriteString(out, pasteOff)
		_ = term.Restore(int(in.Fd()), state)
	}, nil
}

const pasteOn, pasteOff = "\x1b[?2004h", "\x1b[?2004l"

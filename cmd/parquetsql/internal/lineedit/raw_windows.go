package lineedit

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// enterRaw has the console give each key at once, without an echo, and take the sequences
// that terminals have.
func enterRaw(in, out *os.File) (leave func(), err error) {
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	screen := windows.Handle(out.Fd())
	var mode uint32
	err = windows.GetConsoleMode(screen, &mode)
	if err == nil {
		err = windows.SetConsoleMode(screen, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	}
	if err != nil {
		return nil, errors.Join(err, term.Restore(int(in.Fd()), state))
	}
	return func() {
		_ = windows.SetConsoleMode(screen, mode)
		_ = term.Restore(int(in.Fd()), state)
	}, nil
}

// Package lineedit reads a line in a terminal: with editing, history, completion and
// colours. Its keys are those of Emacs, as in other shells.
//
//   - keys.go makes keys of bytes, buffer.go changes the text
//   - past.go goes through the history and searches in it
//   - screen.go draws: each key draws the whole line again
//
// What is typed while nobody reads stays with the terminal, and is read with the next line.
package lineedit

import (
	"bufio"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// ErrInterrupted is returned after Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Editor reads lines. Its functions may be nil.
type Editor struct {
	// Complete returns what may stand at a byte of a line, and what is before and behind it.
	Complete func(line string, at int) (head string, words []string, tail string)
	// Colors returns the parts of a line that have a colour, from left to right.
	Colors func(line string) []Span

	keys   keyReader
	screen screen
	past   past
	enter  func() (leave func(), err error) // has the terminal give each key at once
	plain  bool                             // the terminal can move no cursor

	prompt string
	buffer buffer
	killed string // for Ctrl-Y
	last   key    // the key before this one
	keyed  bool   // a key was typed since Read began, besides those that end it
}

// New returns an Editor of a terminal.
func New(in, out *os.File) *Editor {
	name := os.Getenv("TERM")
	return &Editor{
		keys:   keyReader{in: bufio.NewReader(in)},
		screen: screen{out: out, size: func() (int, int) { return terminal.Size(out) }},
		enter:  func() (func(), error) { return enterRaw(in, out) },
		plain:  name == "dumb" || name == "" && runtime.GOOS != "windows",
	}
}

// Remember adds a line to the history.
func (e *Editor) Remember(line string) { e.past.add(line) }

// Read shows the prompt and returns the line that is entered. io.EOF is Ctrl-D on an
// empty line.
func (e *Editor) Read(prompt string) (string, error) {
	if e.plain {
		return e.readPlain(prompt)
	}
	leave, err := e.enter()
	if err != nil { // such as an old console of Windows
		return e.readPlain(prompt)
	}
	defer leave()
	e.prompt, e.buffer, e.last, e.keyed = prompt, buffer{}, 0, false
	e.past.leave()
	e.screen.forget()
	for {
		if e.keys.waiting() == 0 { // of a text that is pasted only the end is drawn
			e.draw()
		}
		k, err := e.keys.read()
		if err != nil {
			return "", err
		}
		if k == ctrlR || k == ctrlS {
			e.keyed = true
			if k, err = e.search(k); err != nil {
				return "", err
			}
		}
		if done, err := e.do(k); done {
			return e.buffer.text, err
		}
		e.last, e.keyed = k, true
	}
}

// Keyed reports whether a key was typed for the last line that was read, though the line may be empty.
func (e *Editor) Keyed() bool { return e.keyed }

// readPlain reads a line as the terminal edits it.
func (e *Editor) readPlain(prompt string) (string, error) {
	if _, err := io.WriteString(e.screen.out, prompt); err != nil {
		return "", err
	}
	line, err := e.keys.in.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (e *Editor) draw() { e.drawAs(e.prompt) }

// drawAs draws the line behind another prompt.
func (e *Editor) drawAs(prompt string) {
	var spans []Span
	if e.Colors != nil {
		spans = e.Colors(e.buffer.text)
	}
	e.screen.draw(prompt, e.buffer.text, e.buffer.at, spans)
}

// do runs a key. done is whether the line has ended with it.
func (e *Editor) do(k key) (done bool, err error) {
	b := &e.buffer
	switch k {
	case enter, ctrlJ:
		e.end("")
		return true, nil
	case ctrlC:
		e.end("^C")
		return true, ErrInterrupted
	case ctrlD:
		if b.text == "" {
			return true, io.EOF
		}
		b.cut(b.at, b.right())
	case tab:
		e.complete()
	case ctrlL:
		e.screen.clear()
	case ctrlP, up:
		e.recall(e.past.older)
	case ctrlN, down:
		e.recall(e.past.newer)
	case ctrlY:
		b.insert(e.killed)
	case ctrlK, ctrlU, ctrlW, altBackspace, altD:
		e.kill(k)
	default:
		if isText(k) {
			b.insert(string(rune(k)))
		} else {
			b.edit(k)
		}
	}
	return false, nil
}

// end draws the whole line and goes below it.
func (e *Editor) end(mark string) {
	e.buffer.at = len(e.buffer.text)
	e.draw()
	e.screen.write(mark + "\r\n")
}

// kill removes text that Ctrl-Y brings back. What keys in a row remove is one text.
func (e *Editor) kill(k key) {
	if !isKill(e.last) {
		e.killed = ""
	}
	b := &e.buffer
	switch k {
	case ctrlK:
		e.killed += b.cut(b.at, len(b.text))
	case altD:
		e.killed += b.cut(b.at, b.wordRight())
	case ctrlU:
		e.killed = b.cut(0, b.at) + e.killed
	case ctrlW:
		e.killed = b.cut(b.blankLeft(), b.at) + e.killed
	case altBackspace:
		e.killed = b.cut(b.wordLeft(), b.at) + e.killed
	}
}

func isKill(k key) bool {
	return k == ctrlK || k == ctrlU || k == ctrlW || k == altD || k == altBackspace
}

// recall puts a line of the history in the place of this one.
func (e *Editor) recall(find func(now string) (string, bool)) {
	line, ok := find(e.buffer.text)
	if !ok {
		e.screen.bell()
		return
	}
	e.buffer = buffer{line, len(line)}
}

package lineedit

import (
	"bufio"
	"strings"
	"unicode/utf8"
)

// key is a character, or one of the keys below.
type key rune

const (
	ctrlA key = iota + 1
	ctrlB
	ctrlC
	ctrlD
	ctrlE
	ctrlF
	ctrlG
	ctrlH
	tab
	ctrlJ
	ctrlK
	ctrlL
	enter
	ctrlN
	_
	ctrlP
	_
	ctrlR
	ctrlS
	ctrlT
	ctrlU
	_
	ctrlW
	_
	ctrlY
	_
	escape
	backspace key = 0x7f
)

// Keys that no character stands for.
const (
	none key = -iota - 1
	up
	down
	left
	right
	home
	end
	deleteKey
	wordLeft
	wordRight
	altD
	altBackspace
)

// isText reports whether a key puts a character into the line.
func isText(k key) bool { return k >= ' ' && !isControl(rune(k)) }

// maxSequence bounds what follows an escape: longer is no key.
const maxSequence = 32

// keyReader makes keys of the bytes that a terminal sends.
type keyReader struct {
	in      *bufio.Reader
	pasting bool // between the marks of a bracketed paste
}

// waiting is how many bytes have come that are not read.
func (k *keyReader) waiting() int { return k.in.Buffered() }

// read waits for the next key.
func (k *keyReader) read() (key, error) {
	r, n, err := k.in.ReadRune()
	switch {
	case err != nil:
		return none, err
	case r == utf8.RuneError && n == 1:
		return none, nil
	case key(r) == escape:
		return k.escape()
	case k.pasting && r == '\t':
		return ' ', nil // and no completion
	}
	return key(r), nil
}

// escape reads the key whose sequence begins with an escape. The escape key alone waits for
// the next one, which makes Alt and that key of both.
func (k *keyReader) escape() (key, error) {
	c, err := k.in.ReadByte()
	if err != nil {
		return none, err
	}
	switch c {
	case '[':
		return k.sequence()
	case 'O':
		c, err := k.in.ReadByte()
		return keyOf("", c), err
	case 0x1b:
		return k.escape()
	case 'b':
		return wordLeft, nil
	case 'f':
		return wordRight, nil
	case 'd':
		return altD, nil
	case 0x7f, 0x08:
		return altBackspace, nil
	}
	return none, nil
}

// sequence reads a control sequence behind its ESC [.
func (k *keyReader) sequence() (key, error) {
	var parameters []byte
	for len(parameters) < maxSequence {
		c, err := k.in.ReadByte()
		if err != nil {
			return none, err
		}
		switch {
		case c == '[' && len(parameters) == 0: // ESC [ [ A is F1 of the Linux console
			_, err := k.in.ReadByte()
			return none, err
		case c >= 0x40 && c <= 0x7e:
			return k.finish(string(parameters), c), nil
		}
		parameters = append(parameters, c)
	}
	return none, nil
}

func (k *keyReader) finish(parameters string, last byte) key {
	if last == '~' && (parameters == "200" || parameters == "201") {
		k.pasting = parameters == "200"
		return none
	}
	return keyOf(parameters, last)
}

// keyOf returns the key of a control sequence. ;5 behind the number is Ctrl, ;3 is Alt.
func keyOf(parameters string, last byte) key {
	number, modifier, _ := strings.Cut(parameters, ";")
	word := modifier == "5" || modifier == "3"
	switch {
	case last == 'A':
		return up
	case last == 'B':
		return down
	case last == 'C' && word:
		return wordRight
	case last == 'C':
		return right
	case last == 'D' && word:
		return wordLeft
	case last == 'D':
		return left
	case last == 'H' || last == '~' && (number == "1" || number == "7"):
		return home
	case last == 'F' || last == '~' && (number == "4" || number == "8"):
		return end
	case last == '~' && number == "3" && word:
		return altD
	case last == '~' && number == "3":
		return deleteKey
	}
	return none
}

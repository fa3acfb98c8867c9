package server

import (
	"bufio"
	"encoding/binary"
	"strings"
)

// frames hands the bytes of one message at a time to the reader of messages, so that what is
// behind it stays where others see it: whether the client waits for an answer, and whether it is
// still there. A message that cannot be read is known by its kind then, and the next one begins
// behind it.
type frames struct {
	from    *bufio.Reader
	startup bool // messages have no kind: the beginning of a connection
	kind    byte // of the message; 0 before it comes
	left    int  // bytes of it that have not been read
}

// headBytes are those of a kind and a length, and lengthBytes those of the length.
const (
	headBytes   = 5
	lengthBytes = 4
)

func (f *frames) Read(p []byte) (int, error) {
	if f.left == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n, err := f.from.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, err
}

// next reads the head of a message, and leaves it where it is.
func (f *frames) next() error {
	f.kind = 0
	n := headBytes
	if f.startup {
		n = lengthBytes
	}
	head, err := f.from.Peek(n)
	if err != nil {
		return err
	}
	if f.left = size(head); f.left < n {
		f.left = n // the reader of messages tells it
		return nil
	}
	if !f.startup {
		f.kind = head[0]
	}
	return nil
}

// size is how many bytes a message has, by its head: the length counts itself and not the kind.
func size(head []byte) int {
	kind := len(head) - lengthBytes
	return kind + int(int32(binary.BigEndian.Uint32(head[kind:])))
}

// waiting reports whether the next message has not come as a whole, so that the client may wait for
// answers before it sends the rest.
func (f *frames) waiting() bool {
	have := f.from.Buffered()
	if have < headBytes {
		return true
	}
	head, err := f.from.Peek(headBytes)
	return err != nil || have < size(head)
}

// broken reports whether the last message has come as a whole and the messages behind it can be
// read, though it was none. Such errors are told, as others of a statement.
func (f *frames) broken() bool {
	return !f.startup && f.left == 0 && f.kind != 0 && strings.IndexByte("QFPBDEC", f.kind) >= 0
}

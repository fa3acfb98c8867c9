package lineedit

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// buffer is the text of a line, and the byte where the cursor is. The cursor stands between
// grapheme clusters: what a reader takes for one character.
type buffer struct {
	text string
	at   int
}

func (b *buffer) insert(text string) {
	b.text = b.text[:b.at] + text + b.text[b.at:]
	b.at += len(text)
}

// cut removes a part, which may be behind the cursor or before it, and returns it.
func (b *buffer) cut(from, to int) string {
	part := b.text[from:to]
	b.text, b.at = b.text[:from]+b.text[to:], from
	return part
}

// edit runs the keys that move the cursor or change what is next to it. Others do nothing.
func (b *buffer) edit(k key) {
	switch k {
	case ctrlA, home:
		b.at = 0
	case ctrlE, end:
		b.at = len(b.text)
	case ctrlB, left:
		b.at = b.left()
	case ctrlF, right:
		b.at = b.right()
	case wordLeft:
		b.at = b.wordLeft()
	case wordRight:
		b.at = b.wordRight()
	case ctrlH, backspace:
		b.cut(b.left(), b.at)
	case deleteKey:
		b.cut(b.at, b.right())
	case ctrlT:
		b.transpose()
	}
}

// right is the end of the character at the cursor.
func (b *buffer) right() int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(b.text[b.at:], -1)
	return b.at + len(cluster)
}

// left is the beginning of the character before the cursor.
func (b *buffer) left() int {
	from, rest, state := 0, b.text[:b.at], -1
	for {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if rest == "" {
			return from
		}
		from += len(cluster)
	}
}

// wordRight is the end of the word at the cursor or behind it.
func (b *buffer) wordRight() int {
	rest := b.text[b.at:]
	begin := strings.IndexFunc(rest, isWord)
	if begin < 0 {
		return len(b.text)
	}
	length := strings.IndexFunc(rest[begin:], isNoWord)
	if length < 0 {
		return len(b.text)
	}
	return b.at + begin + length
}

// wordLeft is the beginning of the word at the cursor or before it.
func (b *buffer) wordLeft() int {
	before := strings.TrimRightFunc(b.text[:b.at], isNoWord)
	return len(strings.TrimRightFunc(before, isWord))
}

// blankLeft is the beginning of what stands between blanks before the cursor.
func (b *buffer) blankLeft() int {
	before := strings.TrimRightFunc(b.text[:b.at], unicode.IsSpace)
	return strings.LastIndexFunc(before, unicode.IsSpace) + 1
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isNoWord(r rune) bool { return !isWord(r) }

// transpose exchanges the two characters around the cursor, at the end of the line the
// last two.
func (b *buffer) transpose() {
	if b.at == len(b.text) {
		b.at = b.left()
	}
	from, to := b.left(), b.right()
	b.text = b.text[:from] + b.text[b.at:to] + b.text[from:b.at] + b.text[to:]
	b.at = to
}

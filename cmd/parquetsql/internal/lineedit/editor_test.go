package lineedit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// typing returns an Editor at which someone types.
func typing(keys string, past ...string) (*Editor, *bytes.Buffer) {
	out := new(bytes.Buffer)
	e := &Editor{
		keys:   keyReader{in: bufio.NewReader(strings.NewReader(keys))},
		screen: screen{out: out, size: func() (int, int) { return 40, 10 }},
		enter:  func() (func(), error) { return func() {}, nil },
	}
	for _, line := range past {
		e.Remember(line)
	}
	return e, out
}

// The keys of a terminal.
const (
	keyUp, keyDown, keyRight, keyLeft = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	keyHome, keyEnd, keyDelete        = "\x1b[H", "\x1bOF", "\x1b[3~"
	keyCtrlLeft, keyCtrlRight         = "\x1b[1;5D", "\x1b[1;5C"
)

func TestKeys(t *testing.T) {
	past := []string{"SELECT 1;", "SHOW TABLES;", "select größe;", "SELECT 2;", "SELECT 2;"}
	tests := []struct{ name, keys, want string }{
		{"plain", "SELECT 1;", "SELECT 1;"},
		{"left and right", "bd" + keyLeft + "c" + keyLeft + keyLeft + "a" + keyRight + keyRight + keyRight + "e", "abcde"},
		{"control keys", "bc\x01a\x05d\x02\x02x\x06y", "abxcyd"},
		{"home and end", "bc" + keyHome + "a" + keyEnd + "d", "abcd"},
		{"home and end of other terminals", "bc\x1b[1~a\x1b[4~d\x1b[7~0\x1b[8~e\x1bOHz\x1b[Ff", "z0abcdef"},
		{"backspace", "abc\x7f\x08d", "ad"},
		{"backspace at the beginning", "\x7fa\x01\x7f", "a"},
		{"delete", "abc\x01" + keyDelete + "\x04", "c"},
		{"delete at the end", "a" + keyDelete + "\x04", "a"},
		{"a character of several code points", "e\u0301x" + keyLeft + "\x7fa", "ax"},
		{"an emoji of several code points", "👩‍👧x" + keyLeft + keyLeft + "a", "a👩‍👧x"},
		{"words", "one two" + keyCtrlLeft + "x" + keyCtrlLeft + keyCtrlLeft + "y" + keyCtrlRight + "z", "yonez xtwo"},
		{"words by Alt", "one two\x1bb\x1bbx\x1bfy", "xoney two"},
		{"a word before", "one two three\x17\x17x", "one x"},
		{"a word before, of letters", "one-two\x1b\x7fx", "one-x"},
		{"a word behind", "one two\x01\x1bdx", "x two"},
		{"a word behind, by Ctrl-Delete", "one two\x01\x1b[3;5~x", "x two"},
		{"the rest", "one two\x01\x06\x0bx", "ox"},
		{"the beginning", "one two\x02\x15x", "xo"},
		{"what was cut", "one two\x17\x17\x19\x19", "one twoone two"},
		{"what was cut both ways", "one two\x1bb\x0b\x15\x19", "one two"},
		{"only what was cut last", "one\x15two\x15\x19", "two"},
		{"exchange", "abd\x02\x14c", "adbc"},
		{"exchange at the end", "ab\x14", "ba"},
		{"exchange nothing", "\x14a\x14", "a"},
		{"the last line", keyUp, "SELECT 2;"},
		{"a line twice is one", keyUp + keyUp, "select größe;"},
		{"lines by control keys", "\x10\x10\x10\x0e", "select größe;"},
		{"lines that begin so", "SEL" + keyUp + keyUp + keyUp, "SELECT 1;"},
		{"back to what was typed", "SEL" + keyUp + keyUp + keyDown + keyDown + "ECT 3", "SELECT 3"},
		{"below the last", keyDown + "x", "x"},
		{"a line that was changed begins another search", keyUp + "\x15SH" + keyUp, "SHOW TABLES;"},
		{"search", "\x12tab", "SHOW TABLES;"},
		{"search again", "\x12sel\x12\x12", "SELECT 1;"},
		{"search forward", "\x12sel\x12\x12\x13", "select größe;"},
		{"search without regard to case", "\x12GRÖ", "select größe;"},
		{"search and go on", "\x12tab\x05x", "SHOW TABLES;x"},
		{"search and edit where it was found", "\x12TABLES" + keyDelete + "x", "SHOW xABLES;"},
		{"search and go up", "\x12größe" + keyUp, "SHOW TABLES;"},
		{"search that finds nothing more", "\x12tabx\x7f", "SHOW TABLES;"},
		{"search that is left", "mine\x12tab\x07x", "minex"},
		{"search that is interrupted", "mine\x12tab\x03x", "minex"},
		{"unknown keys", "a\x1b[15~\x1b[200;5u\x1bOP\x1b[[Ab\x00\x1cc", "abc"},
		{"a paste", "\x1b[200~a\tb\x1b[201~c", "a bc"},
		{"what is no UTF-8", "a\xff\xc3b", "ab"},
		{"control characters of C1", "a\u0085b", "ab"},
		{"Escape before a key", "a\x1b\x1b[Db", "ba"},
		{"Ctrl-L", "a\x0cb", "ab"},
	}
	for _, test := range tests {
		e, _ := typing(test.keys+"\r", past...)
		if line, err := e.Read("> "); line != test.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", test.name, line, err, test.want)
		}
	}
}

func TestEnds(t *testing.T) {
	tests := []struct {
		keys string
		want error
	}{
		{"\x04", io.EOF},
		{"abc\x03", ErrInterrupted},
		{"abc", io.EOF}, // the terminal is gone
		{"\x1b[", io.EOF},
		{"\x12", io.EOF},
	}
	for _, test := range tests {
		e, _ := typing(test.keys)
		if _, err := e.Read("> "); !errors.Is(err, test.want) {
			t.Errorf("%q: %v, want %v", test.keys, err, test.want)
		}
	}
}

// TestLines checks that what comes at once is one line after another.
func TestLines(t *testing.T) {
	e, _ := typing("one\rtwo\nthree\r")
	for _, want := range []string{"one", "two", "three"} {
		if line, err := e.Read("> "); line != want || err != nil {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	complete := func(line string, at int) (string, []string, string) {
		var words []string
		from := strings.LastIndexByte(line[:at], ' ') + 1
		for _, w := range []string{"Species", "Specimen", "island", "größe", "größte"} {
			if strings.HasPrefix(strings.ToLower(w), line[from:at]) {
				words = append(words, w)
			}
		}
		return line[:from], words, line[at:]
	}
	tests := []struct{ keys, want, shows string }{
		{"a i\t", "a island", ""},
		{"a i" + keyHome + keyRight + keyRight + keyRight + "\tx", "a islandx", ""},
		{"spe\t", "Speci", ""},
		{"spe\t\t", "Speci", "\a"},
		{"gr\t", "größ", ""},
		{"gr\t\t\t", "größ", "größe   größte\r\n"},
		{"x\t\ty", "xy", "\a"},
		{"island\t", "island", ""},
	}
	for _, test := range tests {
		e, out := typing(test.keys + "\r")
		e.Complete = complete
		if line, err := e.Read("> "); line != test.want || err != nil {
			t.Errorf("%q: %q, %v, want %q", test.keys, line, err, test.want)
		}
		if !strings.Contains(out.String(), test.shows) {
			t.Errorf("%q: shows %q, want %q", test.keys, out, test.shows)
		}
	}
}

// TestListIsBounded checks that of many words as many are listed as the screen has rows for.
func TestListIsBounded(t *testing.T) {
	e, out := typing("\t\t\r")
	e.Complete = func(string, int) (string, []string, string) {
		var words []string
		for i := range 100 {
			words = append(words, strings.Repeat(string(rune('a'+i%26)), 17))
		}
		return "", words, ""
	}
	if _, err := e.Read("> "); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\r\n… and 43 rows more\r\n") {
		t.Errorf("it shows %q", out)
	}
}

// TestVisible checks that no line of the history controls the terminal.
func TestVisible(t *testing.T) {
	e, out := typing(keyUp+"\r", "a\x1b[31m\tb\x7f\u009bc\xff")
	if _, err := e.Read("> "); err != nil {
		t.Fatal(err)
	}
	if shown := out.String(); !strings.Contains(shown, "> a␛[31m b��c�") {
		t.Errorf("it shows %q", shown)
	}
}

// TestAnyKeys checks that no bytes from a terminal bring the cursor out of the line.
func TestAnyKeys(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	parts := []string{keyUp, keyDown, keyLeft, keyRight, keyHome, keyEnd, keyDelete, keyCtrlLeft, keyCtrlRight, "\x1b", "\xff", "e\u0301", "日本", "👩‍👧", "\u0301", "SELECT ", "\x1bd", "\x1b\x7f"}
	for range 300 {
		var keys strings.Builder
		for range random.IntN(200) {
			if random.IntN(3) == 0 {
				keys.WriteByte(byte(random.IntN(128)))
			} else {
				keys.WriteString(parts[random.IntN(len(parts))])
			}
		}
		e, _ := typing(keys.String(), "SELECT 日本 FROM x;", "SHOW TABLES;")
		e.Complete = func(line string, at int) (string, []string, string) {
			return line[:at], []string{"one", "once"}, line[at:]
		}
		for {
			_, err := e.Read("日> ")
			if b := e.buffer; b.at < 0 || b.at > len(b.text) || !utf8.ValidString(b.text) || !utf8.ValidString(b.text[:b.at]) {
				t.Fatalf("seed %d, keys %q: the cursor is at %d of %q", seed, keys.String(), b.at, b.text)
			}
			if errors.Is(err, io.EOF) && e.keys.waiting() == 0 {
				break
			}
		}
	}
}

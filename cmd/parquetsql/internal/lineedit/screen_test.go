package lineedit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

// TestMain is the program of TestScreen where the variable says so: it reads one line.
func TestMain(m *testing.M) {
	if os.Getenv("LINEEDIT_TEST_PROGRAM") == "" {
		os.Exit(m.Run())
	}
	e := New(os.Stdin, os.Stdout)
	e.Colors = everySecond
	for _, line := range screenHistory {
		e.Remember(line)
	}
	_, _ = e.Read(screenPrompt)
}

const screenPrompt = "prompt> "

var screenHistory = []string{"short", strings.Repeat("long 日本語 ", 20)}

// everySecond has a colour for every second word.
func everySecond(line string) (spans []Span) {
	at := 0
	for i, word := range strings.SplitAfter(line, " ") {
		if i%2 == 1 {
			spans = append(spans, Span{at, at + len(word), "1;34"})
		}
		at += len(word)
	}
	return spans
}

// TestScreen types keys in tmux. Its screen and cursor have to be where rows of its width say.
func TestScreen(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	parts := []string{"SELECT ", "日本", "e\u0301", "x", "word ", keyLeft, keyRight, keyHome, keyEnd, keyDelete, keyUp, keyDown, "\x7f", "\x17", "\x14", "\x19", keyCtrlLeft}
	for range 4 {
		width := 20 + random.IntN(30)
		term := newTerminal(t, width, 12)
		term.await(func() bool { x, y := term.cursor(); return x == len(screenPrompt) && y == 0 })
		typed := ""
		for range 12 {
			keys := ""
			for range 1 + random.IntN(12) {
				keys += parts[random.IntN(len(parts))]
			}
			typed += keys
			term.send(keys)

			e, _ := typing(typed, screenHistory...)
			_, _ = e.Read(screenPrompt) // it ends where the keys do
			rows, x, y := wrapped(screenPrompt+e.buffer.text, len(screenPrompt)+e.buffer.at, width)
			if len(rows) > 12 {
				break // TestLongLine
			}
			shown := ""
			ok := term.await(func() bool {
				shown = term.show()
				cx, cy := term.cursor()
				return shown == strings.TrimRight(strings.Join(rows, "\n"), "\n") && cx == x && cy == y
			})
			if !ok {
				cx, cy := term.cursor()
				t.Fatalf("seed %d, width %d, keys %q: the cursor is at %d, %d of\n%s\nwant %d, %d of\n%s", seed, width, typed, cx, cy, shown, x, y, strings.Join(rows, "\n"))
			}
		}
	}
}

// TestLongLine checks that of a line that is longer than the screen the part around the
// cursor is shown.
func TestLongLine(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	term := newTerminal(t, 20, 5)
	var long strings.Builder
	for i := range 50 {
		fmt.Fprintf(&long, "%03d ", i)
	}
	term.send(long.String())
	if !term.await(func() bool {
		return strings.HasPrefix(term.show(), "028 029") && strings.HasSuffix(term.show(), "\n048 049")
	}) {
		t.Errorf("at the end it shows\n%s", term.show())
	}
	term.send(keyHome)
	if !term.await(func() bool { return strings.HasPrefix(term.show(), screenPrompt+"000 001") }) {
		t.Errorf("at the beginning it shows\n%s", term.show())
	}
	term.send(keyEnd + "x")
	if !term.await(func() bool { return strings.HasSuffix(term.show(), "\n048 049 x") }) {
		t.Errorf("at the end again it shows\n%s", term.show())
	}
}

// wrapped divides a text into rows as wide as a terminal, and returns the cell of a byte.
func wrapped(text string, at, width int) (rows []string, x, y int) {
	row, used := "", 0
	rest, state, place := text, -1, 0
	for place <= len(text) {
		cluster, w := "", 1 // the cursor behind the text takes a cell, too
		if rest != "" {
			cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		}
		if used+w > width {
			rows = append(rows, strings.TrimRight(row, " "))
			row, used = "", 0
		}
		if place == at {
			x, y = used, len(rows)
		}
		row, used = row+cluster, used+w
		place += max(len(cluster), 1)
	}
	return append(rows, strings.TrimRight(row, " ")), x, y
}

// emulator is a screen of tmux.
type emulator struct {
	t      *testing.T
	socket string
}

func newTerminal(t *testing.T, columns, lines int) *emulator {
	term := &emulator{t, filepath.Join(t.TempDir(), "socket")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	term.run("-u", "-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(lines),
		"-e", "LINEEDIT_TEST_PROGRAM=1", os.Args[0])
	return term
}

func (term *emulator) run(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

func (term *emulator) send(keys string) {
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(keys) {
		args = append(args, fmt.Sprintf("%02x", b))
	}
	term.run(args...)
}

func (term *emulator) show() string { return strings.TrimRight(term.run("capture-pane", "-p"), "\n ") }

func (term *emulator) cursor() (x, y int) {
	if _, err := fmt.Sscan(term.run("display-message", "-p", "#{cursor_x} #{cursor_y}"), &x, &y); err != nil {
		term.t.Fatal(err)
	}
	return x, y
}

// await asks until something holds. Half a minute bounds a test that fails.
func (term *emulator) await(holds func() bool) bool {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

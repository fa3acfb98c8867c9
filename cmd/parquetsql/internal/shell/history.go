package shell

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/lineedit"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/script"
)

// historyLines is how many lines the file of the history keeps.
const historyLines = 5000

// history keeps what was entered, one line each, in a file of the user.
type history struct{ name string }

// openHistory finds the file of the history. Without one the history ends with the shell.
// PARQUETSQL_HISTORY names another file, or none.
func openHistory() *history {
	if name, ok := os.LookupEnv("PARQUETSQL_HISTORY"); ok {
		return &history{name}
	}
	folder := userFolder("XDG_STATE_HOME", os.UserCacheDir, ".local", "state")
	if folder == "" || os.MkdirAll(folder, 0o700) != nil {
		return &history{}
	}
	return &history{filepath.Join(folder, "history")}
}

// fill gives the editor the lines of the file, and shortens a file that has become long.
// A history that cannot be read is none.
func (h *history) fill(editor *lineedit.Editor) {
	text, err := os.ReadFile(h.name)
	if err != nil {
		return
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) > 2*historyLines {
		lines = lines[len(lines)-historyLines:]
		next := h.name + ".new"
		if os.WriteFile(next, bytes.Join(lines, nil), 0o600) == nil {
			_ = os.Rename(next, h.name)
		}
	}
	for _, line := range lines {
		if line := strings.TrimSpace(string(line)); line != "" {
			editor.Remember(line)
		}
	}
}

// add remembers what was entered. Other shells may append to the file at the same time.
func (h *history) add(editor *lineedit.Editor, text string) {
	line := script.OneLine(text)
	if line == "" {
		return
	}
	editor.Remember(line)
	if h.name == "" {
		return
	}
	file, err := os.OpenFile(h.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	_, _ = file.WriteString(line + "\n")
}

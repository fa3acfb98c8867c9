package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// screen is a terminal of tmux in which the tool runs.
type screen struct {
	t      *testing.T
	socket string
}

// patience is how long a screen may take to show something. It bounds a test that fails.
const patience = time.Minute

func newScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s := &screen{t, filepath.Join(t.TempDir(), "socket")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	s.tmux(append([]string{"-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "30",
		"-e", "PARQUETSQL_TEST_TOOL=1", "-e", "PARQUETSQL_PAGER=", "-e", "NO_COLOR=1", os.Args[0]}, args...)...)
	return s
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// keys types text, or keys by tmux's names.
func (s *screen) keys(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.tmux("send-keys", strings.ReplaceAll(k, ";", `\;`))
	}
}

// shows waits until the screen matches.
func (s *screen) shows(pattern string) {
	s.t.Helper()
	expression := regexp.MustCompile(pattern)
	text := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		text = strings.TrimRight(s.tmux("capture-pane", "-p"), "\n ")
		if expression.MatchString(text) {
			return
		}
	}
	s.t.Fatalf("the screen does not match %s:\n%s", pattern, text)
}

// ends waits until the tool has ended.
func (s *screen) ends() {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if exec.Command("tmux", "-S", s.socket, "has-session").Run() != nil {
			return
		}
	}
	s.t.Fatal("the tool has not ended")
}

// endless is a query that lasts longer than any test.
const endless = "SELECT COUNT(*) FROM penguins p, range(100000000000) a WHERE a.range < length(p.Species) - 100;"

func TestShell(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := newScreen(t, testdata)
	s.shows(`testdata>$`)

	s.keys("SELECT * FROM pen", "Tab")
	s.shows(`FROM penguins$`)
	s.keys(" WHERE \"Bo", "Tab")
	s.shows(`"Body Mass \(g\)"$`)
	s.keys(" > 6000", "Enter")
	s.shows(`      ->$`)
	s.keys("ORDER BY 1;", "Enter")
	s.shows(`(?s)│ Gentoo .*6300.*\n2 rows\ntestdata>$`)

	s.keys(endless, "Enter")
	s.shows(`\n.* of 344 rows .*[0-9.]+ s$`) // the progress
	s.keys("C-c")
	s.shows(`\ncancelled\ntestdata>$`)

	s.keys("SELECT 1 AS", "Enter", "C-c", "\\x", "Enter", "SELECT 'after' AS word;", "Enter")
	s.shows(`(?s)word  after.*1 row\ntestdata>$`)
	s.keys("Up")
	s.shows(`testdata> SELECT 'after' AS word;$`)
	s.keys("C-u", "\\q", "Enter")
	s.ends()

	again := newScreen(t, testdata)
	again.shows(`testdata>$`)
	again.keys("C-r", "6000")
	again.shows(`SELECT \* FROM penguins WHERE "Body Mass \(g\)" > 6000 ORDER BY 1;`)
	again.keys("Enter")
	again.shows(`6300`)
	again.keys("C-c", "C-c")
	again.ends()
}

// TestCancelled checks that Ctrl-C ends a query of the command line with the code 130.
func TestCancelled(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	code := filepath.Join(t.TempDir(), "code")
	s := &screen{t, filepath.Join(t.TempDir(), "socket")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	command := fmt.Sprintf("PARQUETSQL_TEST_TOOL=1 %s %s '%s'; echo $? > %s; sleep 100", os.Args[0], testdata, endless, code)
	s.tmux("-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "30", command)
	s.shows(`[0-9.]+ s`)
	s.keys("C-c")
	s.shows("cancelled")
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(code); err == nil && len(text) > 0 {
			if string(text) != "130\n" {
				t.Errorf("the exit code is %s", text)
			}
			return
		}
	}
	t.Error("the query has not ended")
}

// TestPager checks that what is longer than the screen goes to the pager.
func TestPager(t *testing.T) {
	s := &screen{t, filepath.Join(t.TempDir(), "socket")}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	pager := filepath.Join(t.TempDir(), "pager")
	if err := os.WriteFile(pager, []byte("#!/bin/sh\nwc -l\necho paged\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.tmux("-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "30", "-e", "PARQUETSQL_TEST_TOOL=1", "-e", "PARQUETSQL_PAGER="+pager,
		os.Args[0], testdata)
	s.shows(`testdata>$`)
	s.keys("SELECT Species FROM penguins LIMIT 3;", "Enter")
	s.shows(`3 rows\ntestdata>$`)
	s.keys("SELECT Species FROM penguins;", "Enter")
	s.shows(`350\npaged\ntestdata>$`) // 344 rows, four lines above them, two below
}

// TestRC checks that the shell runs the user's file first, and a script does not.
func TestRC(t *testing.T) {
	folder := t.TempDir()
	rc := filepath.Join(folder, "parquetsql", "rc")
	if err := os.MkdirAll(filepath.Dir(rc), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rc, []byte("\\null nothing\n\\f vertical\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", folder)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	if _, stdout, _ := run(t, "SELECT NULL AS a", testdata); strings.Contains(stdout, "nothing") {
		t.Errorf("a script has run it: %s", stdout)
	}
	s := newScreen(t, testdata)
	s.shows(`testdata>$`)
	s.keys("SELECT NULL AS a;", "Enter")
	s.shows(`(?m)^a  nothing$`)
	without := newScreen(t, "-no-rc", testdata)
	without.shows(`testdata>$`)
	without.keys("SELECT NULL AS a;", "Enter")
	without.shows(`NULL`)
	empty := newScreen(t, "-no-rc", t.TempDir())
	empty.shows(`There are no Parquet files here`)
}

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

// newScreen starts the tool in a terminal without colours.
func newScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	return newScreenOf(t, []string{"NO_COLOR=1"}, args...)
}

// newScreenOf starts the tool with variables of its own.
func newScreenOf(t *testing.T, variables []string, args ...string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s := &screen{t, filepath.Join(t.TempDir(), "socket")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	// tmux has a TERM of its own, which env changes.
	command := append([]string{"env", "PARQUETSQL_TEST_TOOL=1", "PARQUETSQL_PAGER="}, variables...)
	command = append(append(command, os.Args[0]), args...)
	s.tmux(append([]string{"-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "30"}, command...)...)
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
	s.showsWith(pattern)
}

// showsWith gives options to tmux: -e is with the sequences of colours.
func (s *screen) showsWith(pattern string, options ...string) {
	s.t.Helper()
	expression := regexp.MustCompile(pattern)
	text := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		text = strings.TrimRight(s.tmux(append([]string{"capture-pane", "-p"}, options...)...), "\n ")
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
	again.shows(`(?s)│ Gentoo .*6300.*\n2 rows\ntestdata>$`)
	again.keys("C-c", "C-c")
	again.ends()
}

// TestShellAgain recalls a string of two lines, leaves only after two interrupts with nothing between
// them, draws for the terminal as it is now, and writes files as their names say.
func TestShellAgain(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := newScreenOf(t, nil, testdata)
	s.shows(`testdata>$`)
	s.keys("SELECT length('a", "Enter", "b') + 40 AS n;", "Enter")
	s.shows(`(?s)43 .*testdata>$`)
	s.keys("Up")
	s.shows(`testdata> SELECT length\(E'a\\nb'\) \+ 40 AS n;$`)
	s.keys("C-c", "C-c", "abc", "C-c", "C-c", "SELECT 1", "Enter", "C-c", "SELECT 6 * 7 AS n;", "Enter")
	s.shows(`(?s)42 .*testdata>$`)

	s.keys("C-c")
	s.shows(`Ctrl-C again leaves`)
	s.keys("a", "BSpace", "C-c", "SELECT 1", "Enter", "exit", "Enter")
	s.shows(`exit is part of the statement here`)
	s.keys("\\?", "Enter")
	s.shows(`\\rows \[N\]`)
	s.keys("C-c", "SELECT 43 AS m;", "Enter")
	s.shows(`(?s)43 .*testdata>$`)

	s.tmux("resize-window", "-x", "50", "-y", "30")
	s.keys("SELECT repeat('ab ', 9) AS a, repeat('cd ', 9) AS b, repeat('ef ', 9) AS c;", "Enter")
	s.shows(`(?m)^┌[─┬┐]{40,49}$`)

	csv, json := filepath.Join(t.TempDir(), "q.csv"), filepath.Join(t.TempDir(), "q.json")
	s.keys("\\o "+csv, "Enter", "SELECT 1 AS a;", "Enter", "\\o "+json, "Enter", "SELECT 1 AS a;", "Enter", "\\o", "Enter", "SELECT 5 AS after;", "Enter")
	s.shows(`(?s)│ +5 │.*testdata>$`)
	for name, want := range map[string]string{csv: "a\n1\n", json: `[{"a":1}]`} {
		if got, err := os.ReadFile(name); err != nil || strings.Join(strings.Fields(string(got)), "") != strings.Join(strings.Fields(want), "") {
			t.Errorf("%s has %q, error %v", name, got, err)
		}
	}
	s.keys("\\o x.xlsx", "Enter")
	s.shows(`\.xlsx stands for no format`)
	s.keys("\\d pengins", "Enter")
	s.shows(`error: no such table: "pengins" \([^l]*penguins[^l]*\)\ntestdata>$`)
	s.keys("C-c", "C-c")
	s.ends()
}

// TestColors checks what is typed in a terminal with colours, and in those without.
func TestColors(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const statement = `SELECT "Species", 'it' FROM penguins -- c`
	colored := "\x1b\\[34mSELECT\x1b.* \x1b\\[35m\"Species\"\x1b.* \x1b\\[32m'it'\x1b.*FROM\x1b.* penguins \x1b\\[90m-- c"
	tests := []struct{ variable, want string }{
		{"NO_COLOR=", colored},
		{"NO_COLOR=1", `testdata> ` + statement + `$`},
		{"TERM=dumb", `testdata> ` + statement + `$`},
	}
	for _, test := range tests {
		s := newScreenOf(t, []string{test.variable}, testdata)
		s.shows(`testdata>$`)
		s.keys(statement)
		s.showsWith(test.want, "-e")
		s.keys("Enter", ", airports;", "Enter")
		s.shows(`error: .*airports|rows`)
		s.keys("\\q", "Enter")
		s.ends()
	}
}

// TestContinued checks that the colours of a statement go on over its lines.
func TestContinued(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := newScreenOf(t, []string{"NO_COLOR="}, testdata)
	s.shows(`testdata>$`)
	s.keys("SELECT 'a", "Enter", "FROM b' AS c;")
	s.showsWith("-> \x1b\\[32mFROM b'\x1b", "-e")
	s.keys("Enter")
	s.shows(`1 row\ntestdata>$`)
	s.keys("\\d")
	s.showsWith("testdata> \x1b\\[1m\x1b\\[36m\\\\d", "-e")
}

// TestLists checks that a second Tab lists what may follow, and keeps the line.
func TestLists(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := newScreen(t, testdata)
	s.shows(`testdata>$`)
	s.keys("SELECT stddev", "Tab", "Tab")
	s.shows(`stddev_samp\( +stddev_pop\((?s).*testdata> SELECT stddev_?$`)
	s.keys("C-u", "SELECT ", "Tab", "Tab")
	s.shows(`(?s)\nairports .* penguins.*\ntestdata> SELECT$`)
}

// TestTypedAhead checks that statements which are typed during a query run after it.
func TestTypedAhead(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := newScreen(t, testdata)
	s.shows(`testdata>$`)
	s.keys(endless, "Enter")
	s.shows(` s$`)
	s.keys("SELECT 'first' AS a;", "Enter", "SELECT 'second' AS b;", "Enter", "SELECT 'third")
	s.keys("C-c") // drops them, as in any shell
	s.shows(`cancelled\ntestdata>`)
	s.keys("SELECT COUNT(*) FROM range(300000000);", "Enter", "SELECT 'first' AS a;", "Enter", "SELECT 'second' AS b;", "Enter", "SELECT 'third")
	s.shows(`(?s)first.*second.*testdata> SELECT 'third$`)
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
	without.keys(".tables", "Enter")
	without.shows(`commands begin with a backslash here: \\dt; \\\? lists them\ntestdata>$`)
	without.keys(".schema penguins", "Enter")
	without.shows(`here: \\d TABLE; \\\? lists them\ntestdata>$`)
}

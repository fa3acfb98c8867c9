// Package session runs the statements and commands of a user, from a file or the prompt.
package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/script"
)

// Session is the state that commands change.
type Session struct {
	Runner *query.Runner
	Remote bool // each file of the location costs requests
	// CheckOutput fails for a file that is not to be written; nil takes all.
	CheckOutput func(name string) error

	output io.Closer // of \o; nil for the standard output
	ran    bool      // a statement since \o has
	failed bool      // one has not
	depth  int       // of \i
	plain  string    // the format that \x goes back to
	named  string    // the format that the name of output says
	before string    // the one before it
}

// New returns a Session.
func New(r *query.Runner) *Session { return &Session{Runner: r, plain: "table"} }

// ShownError is an error that the user has been shown already.
type ShownError struct{ Err error }

func (e *ShownError) Error() string { return e.Err.Error() }

func (e *ShownError) Unwrap() error { return e.Err }

// RunText runs the statements and commands of a text, up to the first that fails. The
// arguments are for the placeholders of each statement.
func (s *Session) RunText(ctx context.Context, text string, args []any) error {
	for _, item := range script.Split(text) {
		if err := s.Do(ctx, item, args); err != nil {
			return err
		}
	}
	return nil
}

// Do runs a statement or a command. An error is shown before it is returned. ErrQuit is
// the wish to leave.
func (s *Session) Do(ctx context.Context, item script.Item, args []any) error {
	if item.Command {
		if err := elsewhere(item.Text); err != nil {
			return s.shown("", err)
		}
		err := s.command(ctx, item.Text)
		if err == nil || err == ErrQuit {
			return err
		}
		return s.shown("", err)
	}
	if err := s.run(ctx, item.Text, args); err != nil {
		s.failed = true
		return s.shown(item.Text, err)
	}
	s.ran = true
	return nil
}

// run runs a statement. SHOW TABLES shows people what \dt does; programs, which have other formats than
// a table, get the names alone, as from the driver.
func (s *Session) run(ctx context.Context, text string, args []any) error {
	if s.Runner.Format == "table" && !s.Remote && showTables.MatchString(text) {
		return s.tables(ctx, "")
	}
	return s.Runner.Run(ctx, text, args)
}

var showTables = regexp.MustCompile(`(?i)^\s*show\s+tables\s*$`)

func (s *Session) shown(text string, err error) error {
	if _, ok := err.(*ShownError); ok {
		return err
	}
	s.Runner.WriteError(text, err)
	return &ShownError{err}
}

// SetOutput sends the rows of the statements that follow to a file, or, behind |, to a
// program. An empty name is the standard output again.
func (s *Session) SetOutput(name string) error {
	if err := s.Close(); err != nil || name == "" {
		return err
	}
	if command, ok := strings.CutPrefix(name, "|"); ok {
		return s.pipe(strings.Fields(command))
	}
	if s.CheckOutput != nil {
		if err := s.CheckOutput(name); err != nil {
			return err
		}
	}
	s.ran, s.failed = false, false
	f, err := createFile(name)
	if err != nil {
		return err
	}
	s.Runner.File, s.output = f, closer(func() error { return f.end(s.ran || !s.failed) })
	end := strings.ToLower(filepath.Ext(name))
	s.Runner.Whole = end == ".arrow" || end == ".feather"
	return nil
}

func (s *Session) pipe(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf(`\o |: the program is missing`)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = s.Runner.Stdout, s.Runner.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.Runner.File, s.output = in, closer(func() error {
		in.Close()
		return cmd.Wait()
	})
	return nil
}

type closer func() error

func (c closer) Close() error { return c() }

// Close closes the file of \o.
func (s *Session) Close() error {
	if s.output == nil {
		return nil
	}
	err := s.output.Close()
	s.output, s.Runner.File, s.Runner.Whole = nil, nil, false
	if s.named != "" && s.Runner.Format == s.named {
		s.Runner.Format = s.before
	}
	s.named = ""
	return err
}

// stdout returns where lists of commands and help are written.
func (s *Session) stdout() *bufio.Writer { return bufio.NewWriter(s.Runner.Stdout) }

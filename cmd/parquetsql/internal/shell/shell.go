// Package shell is the prompt: it reads statements and commands of a user, with a history
// and completion.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/lineedit"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/script"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// maxRows is how many rows of a result a table shows in the shell, until \rows says otherwise.
const maxRows = 10_000

// Options are what the shell shows.
type Options struct {
	Name    string // the location
	Version string
	NoRC    bool // does not run the user's file of statements
}

// Run reads and runs statements until the user leaves.
func Run(ctx context.Context, s *session.Session, o Options) error {
	// An interrupt that comes between a query and the prompt must not end the process.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	s.Runner.Interactive = true
	s.Runner.Opts.MaxRows = maxRows

	p := &prompt{editor: lineedit.New(os.Stdin, os.Stdout), history: openHistory(), out: s.Runner.Stdout, first: promptOf(o.Name) + "> "}
	c := newCompleter(s.Runner.DB)
	p.editor.Complete = func(line string, at int) (string, []string, string) {
		return c.complete(p.pending, line, at)
	}
	if terminal.HasColor(os.Stdout) {
		p.editor.Colors = func(line string) []lineedit.Span { return colors(p.pending, line) }
	}
	p.history.fill(p.editor)

	fmt.Fprintf(s.Runner.Stdout, "%s, %s. \\? for help, \\q to leave.\n", o.Version, o.Name)
	if name := rcFile(); name != "" && !o.NoRC {
		if err := s.RunFile(ctx, name); errors.Is(err, session.ErrQuit) {
			return nil
		}
	}
	if !s.Remote { // to list a bucket takes its time
		if err := s.SayIfEmpty(ctx); err != nil {
			return err
		}
	}
	width, _ := terminal.Size(s.Runner.Stdout)
	follows := s.Runner.Opts.Width == width // no option says another one
	for {
		items, err := p.read()
		if follows {
			s.Runner.Opts.Width, _ = terminal.Size(s.Runner.Stdout) // it may have been resized
		}
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Runner.Stdout)
			return nil
		case err != nil:
			return err
		}
		for _, item := range items {
			if err := s.Do(ctx, item, nil); errors.Is(err, session.ErrQuit) {
				return nil
			} else if err != nil {
				break // the statements behind it on the line may rely on it
			}
		}
	}
}

// prompt reads lines until there is something to run.
type prompt struct {
	editor  *lineedit.Editor
	history *history
	out     io.Writer
	first   string
	scanner script.Scanner
	pending string // the lines of a statement that is not complete
	aborted bool   // the last line was an interrupt, and there was nothing to drop
}

// read returns the next statements or command. io.EOF is the wish to leave: Ctrl-D, or two
// interrupts with no key between them.
func (p *prompt) read() ([]script.Item, error) {
	for {
		line, err := p.editor.Read(p.label())
		if errors.Is(err, lineedit.ErrInterrupted) {
			nothing := p.pending == "" && !p.editor.Keyed()
			if nothing && p.aborted {
				return nil, io.EOF
			}
			if nothing {
				fmt.Fprintln(p.out, "Ctrl-C again leaves.")
			}
			p.aborted = nothing
			p.scanner, p.pending = script.Scanner{}, ""
			continue
		}
		if err != nil {
			return nil, err
		}
		p.aborted = false
		begun, joins := p.scanner.Pending(), p.scanner.Joins(line)
		items := p.scanner.Line(line)
		if begun && len(items) == 1 && items[0].Command { // between the lines of a statement, which goes on
			p.history.add(p.editor, line+"\n")
			return items, nil
		}
		if joins {
			fmt.Fprintf(p.out, "%s is part of the statement here, which a ; ends and Ctrl-C drops. \\q leaves, \\? is the help.\n", strings.TrimSpace(line))
		}
		p.pending += line + "\n"
		if p.scanner.Pending() {
			continue
		}
		p.history.add(p.editor, p.pending)
		p.pending = ""
		if len(items) > 0 {
			return items, nil
		}
	}
}

// label is the prompt; that of further lines is as wide.
func (p *prompt) label() string {
	if p.pending == "" {
		return p.first
	}
	return strings.Repeat(" ", len([]rune(p.first))-3) + "-> "
}

// promptOf shortens a location to the last part of its path.
func promptOf(location string) string {
	path, _, _ := strings.Cut(location, "?")
	name := []rune(filepath.Base(filepath.Clean(path)))
	if len(name) > 20 {
		name = append(name[:19], '…')
	}
	if len(name) == 0 || string(name) == "." {
		return "parquet"
	}
	return string(name)
}

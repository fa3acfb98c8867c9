// Package cli reads the command line and starts what it asks for.
package cli

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/inspect"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/serve"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/shell"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
	_ "github.com/parquetsql/parquetsql/iceberg"       // catalogs
	_ "github.com/parquetsql/parquetsql/iceberg/sigv4" // and those of Amazon
	_ "github.com/parquetsql/parquetsql/store"         // locations in buckets and on web servers
)

// The codes that the process ends with.
const (
	codeOK        = 0
	codeFailed    = 1 // of a query
	codeUsage     = 2
	codeCancelled = 130 // as of a program that SIGINT has ended
)

// Run runs the tool and returns its exit code.
func Run(args []string, stdin, stdout, stderr *os.File) int {
	// A reader that goes away ends a write with an error, and not the process with a code of its own.
	// A signal that is asked for, unlike one that is ignored, is as ever in the programs that the tool starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if len(args) > 0 && args[0] == modeServe {
		return serve.Run(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && (args[0] == modeMan || args[0] == modeShell) {
		return pages(args, stdout, stderr)
	}
	c, err := parse(args, stdout)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, book().Help())
		return codeOK
	case errors.Is(err, errVersion):
		fmt.Fprintln(stdout, version())
		return codeOK
	case err != nil:
		fmt.Fprintf(stderr, "parquetsql: %v\nTry 'parquetsql --help'.\n", err)
		return codeUsage
	}
	err = c.run(stdin, stdout, stderr)
	var shown *session.ShownError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // nobody reads any more, as with head
		return codeOK
	case errors.Is(err, query.ErrCancelled):
		return codeCancelled
	case !errors.As(err, &shown):
		fmt.Fprintf(stderr, "error: %s\n", query.Message(err, c.names))
	}
	return codeFailed
}

// pages writes the page for man, or the script for a shell.
func pages(args []string, stdout, stderr io.Writer) int {
	text, err := book().Man(), error(nil)
	if args[0] == modeShell {
		text, err = book().Completion(strings.Join(args[1:], " "))
	}
	if err != nil {
		fmt.Fprintf(stderr, "parquetsql %s: %v\n", args[0], err)
		return codeUsage
	}
	fmt.Fprint(stdout, text)
	return codeOK
}

func (c *command) run(stdin, stdout, stderr *os.File) (err error) {
	ctx := context.Background()
	config, err := c.open()
	if err != nil {
		return err
	}
	db, err := connect(ctx, config)
	if err != nil {
		return err
	}
	defer db.Close()
	switch c.mode {
	case modeDiff:
		return c.diff(ctx, db, c.runner(db, stdout, stderr))
	case modeSchema:
		return inspect.Schema(ctx, db, c.runner(db, stdout, stderr), c.table)
	case modeMeta:
		return inspect.Meta(ctx, db, stdout, inspect.Options{Table: c.table, All: c.all, Width: c.opts.Width, JSON: c.format == "json"})
	}
	if statement := previews[c.mode]; statement != "" {
		table, err := c.previewed(ctx, db)
		if err != nil {
			return err
		}
		c.text, c.hasText = strings.ReplaceAll(strings.ReplaceAll(statement, "%d", strconv.Itoa(cmp.Or(c.rows, previewRows))), "%s", session.Quoted(table)), true
	}
	s := session.New(c.runner(db, stdout, stderr))
	s.Remote = isRemote.MatchString(c.dsn)
	s.CheckOutput = c.inputs.check
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.output != "" {
		if err := s.SetOutput(c.output); err != nil {
			return err
		}
	}
	if err := c.statements(ctx, s, stdin, stdout); !errors.Is(err, session.ErrQuit) {
		return err
	}
	return nil
}

// previewed is the table of a preview. A number that is no table is how many rows are shown.
func (c *command) previewed(ctx context.Context, db *sql.DB) (string, error) {
	table, err := inspect.TableOf(ctx, db, c.table)
	if err == nil || !isNumber.MatchString(c.table) || !strings.Contains(previews[c.mode], "%d") {
		return table, err
	}
	if c.rows, err = strconv.Atoi(c.table); err != nil || c.rows == 0 {
		return "", fmt.Errorf("%s is no number of rows", c.table)
	}
	return inspect.TableOf(ctx, db, "")
}

// connect opens a location and looks at it.
func connect(ctx context.Context, config *parquetsql.Config) (*sql.DB, error) {
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// errDiffer ends the process with the code of a failure, as diff(1) does.
var errDiffer = errors.New("the tables differ")

func (c *command) diff(ctx context.Context, db *sql.DB, r *query.Runner) error {
	config, err := parquetsql.ParseDSN(c.second)
	if err != nil {
		return err
	}
	other, err := connect(ctx, config)
	if err != nil {
		return err
	}
	defer other.Close()
	differ, err := inspect.Diff(ctx, r, db, other, c.table)
	if differ && err == nil {
		return &session.ShownError{Err: errDiffer}
	}
	return err
}

// statements runs what the command line, a file or the standard input has, or the shell.
func (c *command) statements(ctx context.Context, s *session.Session, stdin, stdout *os.File) error {
	switch {
	case c.hasText:
		return s.RunText(ctx, c.text, c.args)
	case c.file != "" && c.file != "-":
		text, err := os.ReadFile(c.file)
		if err != nil {
			return err
		}
		return s.RunText(ctx, string(text), c.args)
	case c.file == "" && terminal.Is(stdin) && terminal.Is(stdout):
		return shell.Run(ctx, s, shell.Options{Name: c.name(), Version: version(), NoRC: c.noRC})
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(text)) == "" && !s.Remote {
		return s.SayIfEmpty(ctx)
	}
	return s.RunText(ctx, string(text), c.args)
}

func (c *command) runner(db *sql.DB, stdout, stderr *os.File) *query.Runner {
	return &query.Runner{
		DB: db, Format: c.format, Opts: c.opts, Timing: c.timing,
		Stdout: stdout, Stderr: stderr, Progress: !c.quiet && terminal.Is(stderr), Names: c.names,
	}
}

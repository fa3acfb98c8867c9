// Package cli reads the command line and starts what it asks for.
package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	_ "github.com/parquetsql/parquetsql" // the driver
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/inspect"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/serve"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/shell"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
	_ "github.com/parquetsql/parquetsql/store" // locations in buckets and on web servers
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
	if len(args) > 0 && args[0] == modeServe {
		return serve.Run(args[1:], stdin, stdout, stderr)
	}
	c, err := parse(args, stdout)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, usage())
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
	case err == nil:
		return codeOK
	case errors.Is(err, query.ErrCancelled):
		return codeCancelled
	case !errors.As(err, &shown):
		fmt.Fprintf(stderr, "error: %s\n", strings.TrimPrefix(err.Error(), "parquet: "))
	}
	return codeFailed
}

func (c *command) run(stdin, stdout, stderr *os.File) (err error) {
	ctx := context.Background()
	db, err := sql.Open("parquet", c.dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.PingContext(ctx); err != nil {
		return err
	}
	switch c.mode {
	case modeSchema:
		return inspect.Schema(ctx, db, c.runner(db, stdout, stderr), c.table)
	case modeMeta:
		return inspect.Meta(ctx, db, stdout, inspect.Options{Table: c.table, All: c.all, Width: c.opts.Width})
	}
	if statement := previews[c.mode]; statement != "" {
		table, err := inspect.TableOf(ctx, db, c.table)
		if err != nil {
			return err
		}
		c.text, c.hasText = fmt.Sprintf(statement, session.Quoted(table)), true
	}
	s := session.New(c.runner(db, stdout, stderr))
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.output != "" {
		if err := s.SetOutput(c.output); err != nil {
			return err
		}
	}
	return c.statements(ctx, s, stdin, stdout)
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
		return shell.Run(ctx, s, shell.Options{Name: c.dsn, Version: version()})
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	return s.RunText(ctx, string(text), c.args)
}

func (c *command) runner(db *sql.DB, stdout, stderr *os.File) *query.Runner {
	return &query.Runner{
		DB: db, Format: c.format, Opts: c.opts, Timing: c.timing,
		Stdout: stdout, Stderr: stderr, Progress: !c.quiet && terminal.Is(stderr),
	}
}

func usage() string { return strings.Replace(help, "FORMATS\n", format.Help(), 1) }

// Package serve runs the server for PostgreSQL's clients as a program.
package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/server"
)

const help = `parquetsql serve shows Parquet files to the clients of PostgreSQL: psql, JDBC, ODBC, and others.

  parquetsql serve [options] LOCATION
  parquetsql serve [options] -database NAME=LOCATION …

LOCATION is what every database name stands for, with the options of the driver after a ?. The
server only reads. Without -roles it answers this machine alone, and asks for no passwords.

  -postgres ADDRESS       where it listens (127.0.0.1:5432)
  -http ADDRESS           where /metrics and /healthz are (nowhere)
  -database NAME=LOCATION a location under a name of its own; may come several times
  -roles FILE             who may connect: {"ana": {"password": "…", "databases": ["sales"], "tables": ["orders"]}}
  -verifier               read a password from the standard input, print what the file may have in its place, and end
  -cert FILE, -key FILE   the certificate for TLS and its key
  -exposed                let other machines connect without TLS
  -memory SIZE            bytes that all queries together may hold, such as 4GiB (half of the machine's)
  -query-memory SIZE      bytes that one query may hold
  -connections N          clients at a time (200)
  -queries N              queries at a time (as many as there is memory for)
  -rows N                 rows that a statement may return (any number)
  -time D                 how long a statement may run, such as 5m (any time)
  -idle D                 how long a client may send nothing (any time)
  -grace D                how long statements may go on after an interrupt (10s)
  -quiet                  log errors alone
`

// errHelp asks for the help.
var errHelp = errors.New("help")

type command struct {
	config               server.Config
	postgres, http       string
	locations            map[string]string
	roles, cert, key     string
	memory, queryMemory  string
	verifier, quiet, ask bool
	grace                time.Duration
}

// Run runs the server until it is interrupted, and returns the exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parse(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, help)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "parquetsql serve: %v\nTry 'parquetsql serve -help'.\n", err)
		return 2
	}
	if c.verifier {
		err = printVerifier(stdin, stdout)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = c.run(ctx, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "parquetsql serve: %s\n", query.Message(err, nil))
		return 1
	}
	return 0
}

func parse(args []string) (*command, error) {
	c := &command{locations: map[string]string{}}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	l := &c.config.Limits
	flags.StringVar(&c.postgres, "postgres", "127.0.0.1:5432", "")
	flags.StringVar(&c.http, "http", "", "")
	flags.Func("database", "", func(text string) error {
		name, location, ok := strings.Cut(text, "=")
		if !ok || name == "" || location == "" {
			return errors.New("NAME=LOCATION is expected")
		}
		c.locations[name] = location
		return nil
	})
	flags.StringVar(&c.roles, "roles", "", "")
	flags.BoolVar(&c.verifier, "verifier", false, "")
	flags.StringVar(&c.cert, "cert", "", "")
	flags.StringVar(&c.key, "key", "", "")
	flags.BoolVar(&c.config.Exposed, "exposed", false, "")
	flags.StringVar(&c.memory, "memory", "", "")
	flags.StringVar(&c.queryMemory, "query-memory", "", "")
	flags.IntVar(&l.Connections, "connections", 0, "")
	flags.IntVar(&l.Queries, "queries", 0, "")
	flags.Int64Var(&l.Rows, "rows", 0, "")
	flags.DurationVar(&l.Time, "time", 0, "")
	flags.DurationVar(&l.Idle, "idle", 0, "")
	flags.DurationVar(&c.grace, "grace", 10*time.Second, "")
	flags.BoolVar(&c.quiet, "quiet", false, "")
	flags.BoolVar(&c.ask, "help", false, "")
	flags.BoolVar(&c.ask, "h", false, "")
	var free []string
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) > 0 {
			free, args = append(free, args[0]), args[1:]
		}
	}
	switch {
	case c.ask:
		return nil, errHelp
	case c.verifier:
		return c, nil
	case len(free) > 1:
		return nil, fmt.Errorf("one location is expected, %q is too much", free[1])
	case len(free) == 1:
		c.locations[""] = free[0]
	case len(c.locations) == 0:
		return nil, errors.New("the location is missing: a folder, a file or a glob")
	case (c.cert == "") != (c.key == ""):
		return nil, errors.New("-cert and -key belong together")
	}
	return c, nil
}

// printVerifier prints what stands for a password in the file of roles.
func printVerifier(stdin io.Reader, stdout io.Writer) error {
	line, err := bufio.NewReader(stdin).ReadString('\n')
	if password := strings.TrimRight(line, "\r\n"); password != "" {
		text, err := server.Verifier(password)
		fmt.Fprintln(stdout, text)
		return err
	}
	return errors.Join(errors.New("the standard input has no password"), err)
}

// configure completes the Config by what has to be read.
func (c *command) configure(stderr io.Writer) (err error) {
	c.config.Databases = map[string]*parquetsql.Config{}
	for name, location := range c.locations {
		if c.config.Databases[name], err = parquetsql.ParseDSN(location); err != nil {
			return err
		}
	}
	if c.roles != "" {
		if c.config.Roles, err = server.ReadRoles(c.roles); err != nil {
			return err
		}
	}
	if c.cert != "" {
		pair, err := tls.LoadX509KeyPair(c.cert, c.key)
		if err != nil {
			return fmt.Errorf("the certificate: %w", err)
		}
		c.config.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	for text, at := range map[string]*int64{c.memory: &c.config.Limits.Memory, c.queryMemory: &c.config.Limits.QueryMemory} {
		if text == "" {
			continue
		}
		if *at, err = size(text); err != nil {
			return err
		}
	}
	level := slog.LevelInfo
	if c.quiet {
		level = slog.LevelWarn
	}
	c.config.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	return nil
}

// size reads a number of bytes as the driver's options have them.
func size(text string) (int64, error) {
	c, err := parquetsql.ParseDSN(".?memory_limit=" + text)
	if err != nil {
		return 0, fmt.Errorf("%q is no number of bytes such as 4GiB", text)
	}
	return c.MemoryLimit, nil
}

// run serves until ctx ends.
func (c *command) run(ctx context.Context, stderr io.Writer) error {
	if err := c.configure(stderr); err != nil {
		return err
	}
	s, err := server.New(c.config)
	if err != nil {
		return err
	}
	ended := make(chan error, 2)
	listener, err := net.Listen("tcp", c.postgres)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	go func() { ended <- s.Serve(listener) }()
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	if c.http != "" {
		l, err := net.Listen("tcp", c.http)
		if err != nil {
			return errors.Join(err, s.Close())
		}
		defer web.Close()
		go func() { ended <- web.Serve(l) }()
		c.config.Log.Info("metrics", "address", l.Addr().String())
	}
	c.config.Log.Info("listening", "address", listener.Addr().String())
	select {
	case err := <-ended:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
	}
	c.config.Log.Info("shutting down")
	grace, cancel := context.WithTimeout(context.Background(), c.grace)
	defer cancel()
	if err := s.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

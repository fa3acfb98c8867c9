package cli

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

var (
	errHelp    = errors.New("help")
	errVersion = errors.New("version")
)

// What the command line asks for.
const (
	modeQuery  = ""
	modeSchema = "schema"
	modeMeta   = "meta"
	modeServe  = "serve"
)

// previews are the modes that run a statement over a table.
var previews = map[string]string{
	"head":   "SELECT * FROM %s LIMIT 10",
	"sample": "SELECT * FROM %s USING SAMPLE 10 ROWS",
	"count":  "SELECT COUNT(*) AS rows FROM %s",
	"cat":    "SELECT * FROM %s",
}

// isMode tells whether a word is one of the above.
func isMode(word string) bool {
	return word == modeSchema || word == modeMeta || previews[word] != ""
}

const help = `parquetsql queries Parquet files with SQL.

  parquetsql [options] LOCATION                  a shell, or the statements of the standard input
  parquetsql [options] LOCATION 'SQL' [argument …]
  parquetsql [options] -f FILE LOCATION [argument …]
  parquetsql [options] schema LOCATION [TABLE]   the columns as the file has them
  parquetsql [options] meta LOCATION [TABLE]     a picture of the files: row groups, columns, sizes, indexes
  parquetsql [options] head LOCATION [TABLE]     ten rows; likewise sample, count (the number of rows), cat (all rows)
  parquetsql serve [options] LOCATION            a server for PostgreSQL's clients; serve -help lists its options

LOCATION is a folder, a file, or a glob in quotes, and after ? options of the driver, such as
'data?memory_limit=1GiB'. An argument is the value of a ? in the statement, or of :name where
it is written :name=value. Options stand anywhere; behind -- there are none.

  -c SQL            the statement, as behind the location
  -f FILE           run the statements of FILE; - is the standard input
  -o FILE           write the rows to FILE, in the format of its name (.csv, .tsv, .json, .ndjson, .md, .html)
  -format NAME      one of the formats below; -csv is short for -format csv, and so on
  -x                short for -format vertical
  -no-header        csv, tsv, table: without the line of names
  -null TEXT        how table and vertical show NULL (NULL)
  -width N          characters that a table may be wide (the terminal's width; 0: no limit)
  -max-cell N       characters that a table shows of a value (100; 0: all)
  -timing           say how long each statement took
  -no-progress      no progress bar
  -all              meta: each row group and page size, however many
  -version, -help

Formats:
FORMATS
The exit code is 0, or 1 where a statement has failed, 2 for a wrong command line, and 130
where the user has cancelled. In the shell \? lists the commands.
`

// command is the command line.
type command struct {
	mode, dsn, table string
	format, output   string
	opts             format.Options
	timing, quiet    bool
	all              bool
	help, version    bool
	file             string
	text             string
	hasText          bool
	args             []any
}

// isOption tells an option from a statement that begins with a comment.
var isOption = regexp.MustCompile(`^--?[a-zA-Z][a-zA-Z-]*(=|$)`)

func parse(args []string, stdout *os.File) (*command, error) {
	c := &command{}
	flags := c.flags(stdout)
	var behind []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, behind = args[:i], args[i+1:]
	}
	var words []string
	for len(args) > 0 {
		if isOption.MatchString(args[0]) {
			if err := flags.Parse(args); err != nil {
				return nil, err
			}
			args = flags.Args()
			continue
		}
		words = append(words, args[0])
		args = args[1:]
	}
	words = append(words, behind...)
	if len(words) > 0 && isMode(words[0]) {
		c.mode, words = words[0], words[1:]
	}
	if len(words) > 0 {
		c.dsn, words = words[0], words[1:]
	}
	switch {
	case c.help:
		return nil, errHelp
	case c.version:
		return nil, errVersion
	case c.dsn == "":
		return nil, errors.New("the location is missing: a folder, a file or a glob")
	}
	c.nameFormat()
	return c, c.rest(words)
}

// nameFormat takes the format from the name of the file that rows go to, if no option says it.
func (c *command) nameFormat() {
	if c.format != "" {
		return
	}
	c.format = "table"
	if c.output == "" || strings.HasPrefix(c.output, "|") {
		return
	}
	end := strings.ToLower(strings.TrimPrefix(filepath.Ext(c.output), "."))
	if long, ok := map[string]string{"md": "markdown", "jsonl": "ndjson", "htm": "html"}[end]; ok {
		end = long
	}
	if slices.Contains(format.Names(), end) {
		c.format = end
	}
}

// rest takes what follows the location.
func (c *command) rest(args []string) error {
	if !slices.Contains(format.Names(), c.format) {
		_, err := format.New(c.format, io.Discard, c.opts)
		return err
	}
	switch {
	case c.mode != modeQuery && len(args) > 1:
		return fmt.Errorf("%s takes a location and a table, %q is too much", c.mode, args[1])
	case c.mode != modeQuery && len(args) == 1:
		c.table = args[0]
		return nil
	case c.hasText: // -c
	case c.file == "" && len(args) > 0:
		c.text, c.hasText = args[0], true
		args = args[1:]
	}
	for _, a := range args {
		c.args = append(c.args, argument(a))
	}
	return nil
}

// argument returns the value of a placeholder: :name=value is that of :name.
func argument(a string) any {
	if name, value, ok := strings.Cut(a, "="); ok && namedArgument.MatchString(name) {
		return sql.Named(name[1:], value)
	}
	return a
}

var namedArgument = regexp.MustCompile(`^:[A-Za-z_][A-Za-z_0-9]*$`)

func (c *command) flags(stdout *os.File) *flag.FlagSet {
	flags := flag.NewFlagSet("parquetsql", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	c.opts.Color = terminal.HasColor(stdout)
	width := 0
	if terminal.Is(stdout) {
		width, _ = terminal.Size(stdout)
	}
	flags.StringVar(&c.file, "f", "", "")
	flags.StringVar(&c.output, "o", "", "")
	flags.StringVar(&c.format, "format", "", "")
	flags.Func("c", "", func(text string) error { c.text, c.hasText = text, true; return nil })
	for _, name := range format.Names() {
		flags.BoolFunc(name, "", func(string) error { c.format = name; return nil })
	}
	flags.BoolFunc("x", "", func(string) error { c.format = "vertical"; return nil })
	flags.BoolVar(&c.opts.NoHeader, "no-header", false, "")
	flags.StringVar(&c.opts.Null, "null", "NULL", "")
	flags.IntVar(&c.opts.Width, "width", width, "")
	flags.IntVar(&c.opts.MaxCell, "max-cell", 100, "")
	flags.BoolVar(&c.timing, "timing", false, "")
	flags.BoolVar(&c.quiet, "no-progress", false, "")
	flags.BoolVar(&c.all, "all", false, "")
	flags.BoolVar(&c.help, "help", false, "")
	flags.BoolVar(&c.help, "h", false, "")
	flags.BoolVar(&c.version, "version", false, "")
	return flags
}

// version returns the versions of the tool and of the driver, as the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "parquetsql (devel)"
	}
	return "parquetsql " + info.Main.Version
}

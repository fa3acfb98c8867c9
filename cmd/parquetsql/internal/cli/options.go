package cli

import (
	"cmp"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
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
	modeDiff   = "diff"
	modeMerge  = "merge"
	modeServe  = "serve"
	modeMan    = "man"
	modeShell  = "completion"
)

// command is the command line.
type command struct {
	mode, dsn, table string
	further          []string          // locations beside dsn
	inputs           inputs            // the paths of all locations
	second           string            // the location that dsn is compared with
	names            *strings.Replacer // of the files of several locations, for errors
	union, noRC      bool
	format, output   string
	opts             format.Options
	timing, quiet    bool
	all              bool
	rows             int // of head and sample; 0: as many as they show
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
				return nil, withNearest(flags, err)
			}
			args = flags.Args()
			continue
		}
		words = append(words, args[0])
		args = args[1:]
	}
	if len(words) > 0 && isMode(words[0]) {
		c.mode, words = words[0], words[1:]
	}
	if len(words) == 0 { // parquetsql -- LOCATION …
		words, behind = behind, nil
	}
	if len(words) > 0 {
		c.dsn, words = words[0], words[1:]
	}
	if c.mode == modeDiff {
		if len(words) == 0 {
			return nil, errors.New("diff takes two locations")
		}
		c.second, words = words[0], words[1:]
	}
	if err := c.misplaced(words); err != nil {
		return nil, err
	}
	for len(words) > 0 && c.isLocation(words[0]) {
		c.further, words = append(c.further, words[0]), words[1:]
	}
	switch {
	case c.help:
		return nil, errHelp
	case c.version:
		return nil, errVersion
	case c.dsn == "":
		return nil, errors.New("the location is missing: a folder, a file or a glob")
	}
	if c.mode == modeMerge {
		if c.output == "" {
			return nil, errors.New("merge needs the file that it writes: -o FILE")
		}
		c.union = c.union || len(c.further) > 0
	}
	if err := c.checkMode(); err != nil {
		return nil, err
	}
	if err := c.nameFormat(); err != nil {
		return nil, err
	}
	return c, c.rest(append(words, behind...))
}

// unknownOption is the beginning of the error that package flag has for one.
const unknownOption = "flag provided but not defined: -"

// withNearest names the options that one which does not exist may be meant for.
func withNearest(flags *flag.FlagSet, err error) error {
	name, ok := strings.CutPrefix(err.Error(), unknownOption)
	if !ok {
		return err
	}
	var near []string
	flags.VisitAll(func(f *flag.Flag) {
		if len(name) > 2 && (strings.HasPrefix(f.Name, name[:3]) || strings.HasPrefix(name, f.Name) && len(f.Name) > 2) {
			near = append(near, "-"+f.Name)
		}
	})
	if near == nil {
		return fmt.Errorf("there is no option -%s", name)
	}
	return fmt.Errorf("there is no option -%s (there is %s)", name, strings.Join(near, ", "))
}

// nameFormat takes the format from the name of the file that rows go to, if no option says it.
func (c *command) nameFormat() error {
	end := strings.ToLower(strings.TrimPrefix(filepath.Ext(c.output), "."))
	if c.format == "chart" && end == "svg" {
		c.format = end
	}
	if c.format != "" {
		return nil
	}
	named, err := format.OfFile(c.output)
	if err != nil {
		return fmt.Errorf("-o %w; -format says one for a file of any name", err)
	}
	c.format = cmp.Or(named, "table")
	return nil
}

// misplaced says what is wrong where a statement or a command stands in the place of the other words.
func (c *command) misplaced(words []string) error {
	if _, err := os.Stat(c.dsn); err != nil && isStatement(c.dsn) {
		return errors.New("the location comes before the statement: parquetsql LOCATION 'SELECT …'; . is the current folder")
	}
	if c.mode != modeQuery || len(words) == 0 {
		return nil
	}
	if isMode(words[0]) {
		return fmt.Errorf("%s comes before the location: parquetsql %[1]s %s", words[0], c.dsn)
	}
	if _, err := os.Stat(c.dsn); err != nil {
		if near := nearestMode(c.dsn); near != "" {
			return fmt.Errorf("there is no command and no location %q (there is %s)", c.dsn, near)
		}
	}
	return nil
}

// checkMode fails for options that the mode would leave out untold.
func (c *command) checkMode() error {
	switch {
	case c.rows != 0 && !strings.Contains(previews[c.mode], "%d"):
		return errors.New("-n is the number of rows of head and sample")
	case c.rows < 0:
		return fmt.Errorf("-n %d: a number of rows is expected", c.rows)
	case c.output != "" && slices.Contains([]string{modeSchema, modeMeta, modeDiff}, c.mode):
		return fmt.Errorf("-o is for the rows of statements; send what %s writes to a file with >", c.mode)
	case c.mode == modeMeta && c.format != "" && c.format != "json":
		return fmt.Errorf(`meta draws a picture, or writes all with -json; in %s there are the tables "t$row_groups", "t$columns" and others`, c.format)
	}
	return nil
}

// setFormat takes a format from an option. Two that differ are an error.
func (c *command) setFormat(name string) error {
	if c.format != "" && c.format != name {
		return fmt.Errorf("there are two formats, %s and %s", c.format, name)
	}
	c.format = name
	return nil
}

// statements are the words that most statements begin with.
var statements = []string{"SELECT", "WITH", "FROM", "SHOW", "DESCRIBE", "EXPLAIN", "SUMMARIZE", "VALUES"}

// isStatement tells a statement from other words by its first one.
func isStatement(text string) bool {
	first, _, more := strings.Cut(text, " ")
	return more && slices.Contains(statements, strings.ToUpper(first))
}

// rest takes what follows the location.
func (c *command) rest(args []string) error {
	if err := format.Check(c.format); err != nil {
		return err
	}
	switch {
	case c.mode != modeQuery && len(args) == 2 && strings.Contains(previews[c.mode], "%d") && isNumber.MatchString(args[1]):
		return fmt.Errorf("the number of rows is an option: parquetsql %s -n %s %s %s", c.mode, args[1], c.dsn, args[0])
	case c.mode != modeQuery && len(args) > 1:
		return fmt.Errorf("%s takes a location and a table, %q is too much", c.mode, args[1])
	case c.mode != modeQuery && len(args) == 1:
		c.table = args[0]
		return nil
	case c.hasText && len(args) > 0 && isStatement(args[0]) && !strings.ContainsAny(c.text, "?$:"): // -c
		return fmt.Errorf("there are two statements: that of -c, and %q", args[0])
	case c.hasText:
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

// isNumber is what is more often a number of rows than the name of a table.
var isNumber = regexp.MustCompile(`^[0-9]+$`)

var namedArgument = regexp.MustCompile(`^:[A-Za-z_][A-Za-z_0-9]*$`)

// version returns the versions of the tool and of the driver, as the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "parquetsql (devel)"
	}
	return "parquetsql " + info.Main.Version
}

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
	first, _, more := strings.Cut(c.dsn, " ")
	if _, err := os.Stat(c.dsn); more && err != nil && slices.Contains(statements, strings.ToUpper(first)) {
		return errors.New("the location comes before the statement: parquetsql LOCATION 'SELECT …'; . is the current folder")
	}
	if c.mode == modeQuery && len(words) > 0 && isMode(words[0]) {
		return fmt.Errorf("%s comes before the location: parquetsql %[1]s %s", words[0], c.dsn)
	}
	return nil
}

// statements are the words that most statements begin with.
var statements = []string{"SELECT", "WITH", "FROM", "SHOW", "DESCRIBE", "EXPLAIN", "SUMMARIZE", "VALUES"}

// rest takes what follows the location.
func (c *command) rest(args []string) error {
	if err := format.Check(c.format); err != nil {
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

// version returns the versions of the tool and of the driver, as the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "parquetsql (devel)"
	}
	return "parquetsql " + info.Main.Version
}

package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
)

// ErrQuit is returned by the command that leaves the shell.
var ErrQuit = errors.New("quit")

// A file that includes itself ends here.
const maxDepth = 16

// Command is a command of the shell, for the help and for completion.
type Command struct{ Name, Argument, Help string }

type action struct {
	Command
	do func(s *Session, ctx context.Context, argument string) error
}

func actions() []action {
	return []action{
		{Command{`\d`, "[TABLE]", "the tables with their rows and sizes, or the columns of one"}, (*Session).describe},
		{Command{`\dt`, "", "the tables with their rows and sizes"}, (*Session).tables},
		{Command{`\df`, "[TEXT]", "the functions whose names contain the text"}, (*Session).functions},
		{Command{`\f`, "[FORMAT]", "the format of the rows: " + strings.Join(format.Names(), ", ")}, (*Session).format},
		{Command{`\x`, "", "one line for each value, and back"}, (*Session).expanded},
		{Command{`\o`, "[FILE]", "write rows to a file, in the format of its name, or with |PROGRAM to a program; without: here again"}, (*Session).setOutput},
		{Command{`\i`, "FILE", "run the statements of a file"}, (*Session).include},
		{Command{`\timing`, "[on|off]", "say how long each statement took"}, (*Session).timing},
		{Command{`\null`, "[TEXT]", "how table and vertical show NULL"}, (*Session).null},
		{Command{`\rows`, "[N]", "how many rows a table shows of a result; 0: all"}, (*Session).maxRows},
		{Command{`\?`, "", "this list"}, (*Session).help},
		{Command{`\q`, "", "leave; so do Ctrl-D, exit and quit"}, func(*Session, context.Context, string) error { return ErrQuit }},
	}
}

// Commands lists the commands.
func Commands() []Command {
	var list []Command
	for _, a := range actions() {
		list = append(list, a.Command)
	}
	return list
}

func (s *Session) command(ctx context.Context, text string) error {
	name, argument, _ := strings.Cut(text, " ")
	argument = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(argument), ";"))
	for _, a := range actions() {
		if a.Name == strings.TrimSuffix(name, ";") {
			return a.do(s, ctx, argument)
		}
	}
	return fmt.Errorf(`there is no command %s; \? lists them`, name)
}

func (s *Session) describe(ctx context.Context, table string) error {
	if table == "" {
		return s.tables(ctx, "")
	}
	return Placeless(s.Runner.Run(ctx, "DESCRIBE "+Quoted(table), nil))
}

// Placeless is an error of a statement that nobody has typed, without its place.
func Placeless(err error) error {
	if statement, ok := errors.AsType[*parquetsql.StatementError](err); ok {
		return statement.Err
	}
	return err
}

func (s *Session) functions(ctx context.Context, text string) error {
	rows, err := s.Runner.DB.QueryContext(ctx, "SHOW FUNCTIONS")
	if err != nil {
		return err
	}
	defer rows.Close()
	out := s.stdout()
	for rows.Next() {
		var name, kind, signature, help, example string
		if err := rows.Scan(&name, &kind, &signature, &help, &example); err != nil {
			return err
		}
		if strings.Contains(strings.ToLower(name), strings.ToLower(text)) {
			fmt.Fprintf(out, "%s\n    %s\n", signature, help)
		}
	}
	return errors.Join(rows.Err(), out.Flush())
}

func (s *Session) format(_ context.Context, name string) error {
	if name == "" {
		return s.say("the format is %s; there are %s", s.Runner.Format, strings.Join(format.Names(), ", "))
	}
	if err := format.Check(name); err != nil {
		return err
	}
	s.Runner.Format, s.named = name, ""
	return nil
}

func (s *Session) expanded(context.Context, string) error {
	if s.Runner.Format == "vertical" {
		s.Runner.Format = s.plain
	} else {
		s.plain, s.Runner.Format = s.Runner.Format, "vertical"
	}
	return s.say("the format is %s", s.Runner.Format)
}

// setOutput takes the format from the name of a file, until rows go elsewhere.
func (s *Session) setOutput(_ context.Context, name string) error {
	named, err := format.OfFile(name)
	if err != nil && s.Runner.Format == "table" {
		return fmt.Errorf(`%w; \f chooses one for a file of any name`, err)
	}
	if err := s.SetOutput(name); err != nil || named == "" {
		return err
	}
	s.before, s.named, s.Runner.Format = s.Runner.Format, named, named
	return nil
}

func (s *Session) include(ctx context.Context, name string) error {
	if name == "" {
		return errors.New(`\i needs the name of a file`)
	}
	if s.depth == maxDepth {
		return fmt.Errorf("%s: files include each other %d deep", name, maxDepth)
	}
	return s.RunFile(ctx, name)
}

// RunFile runs the statements and commands of a file, up to the first that fails.
func (s *Session) RunFile(ctx context.Context, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s.depth++
	defer func() { s.depth-- }()
	return s.RunText(ctx, string(text), nil)
}

func (s *Session) timing(_ context.Context, value string) error {
	switch value {
	case "":
		s.Runner.Timing = !s.Runner.Timing
	case "on", "off":
		s.Runner.Timing = value == "on"
	default:
		return fmt.Errorf(`\timing is on or off, not %q`, value)
	}
	if s.Runner.Timing {
		return s.say("timing is on")
	}
	return s.say("timing is off")
}

func (s *Session) null(_ context.Context, text string) error {
	s.Runner.Opts.Null = text
	return nil
}

func (s *Session) maxRows(_ context.Context, text string) error {
	if text == "" {
		return s.say("a table shows %d rows", s.Runner.Opts.MaxRows)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf(`\rows is a number of rows, not %q`, text)
	}
	s.Runner.Opts.MaxRows = n
	return nil
}

func (s *Session) help(context.Context, string) error {
	out := s.stdout()
	fmt.Fprintln(out, "A statement of SQL may have several lines and ends with a semicolon.")
	for _, c := range Commands() {
		fmt.Fprintf(out, "  %-18s %s\n", strings.TrimSpace(c.Name+" "+c.Argument), c.Help)
	}
	fmt.Fprintln(out, "Ctrl-C cancels a query; twice with no key between leaves. Tab completes, Ctrl-R searches in the history.")
	return out.Flush()
}

func (s *Session) say(message string, args ...any) error {
	_, err := fmt.Fprintf(s.Runner.Stdout, message+"\n", args...)
	return err
}

// Quoted returns a name as a statement has to write it, which is as it is where it is
// quoted already.
func Quoted(name string) string {
	if len(name) > 1 && (name[0] == '"' || name[0] == '`') && name[len(name)-1] == name[0] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// others are the commands of other shells, and those of this one that do the same.
var others = map[string]string{
	"tables":  `\dt`,
	".tables": `\dt`, ".schema": `\d TABLE`, ".columns": `\d TABLE`, ".mode": `\f FORMAT`, ".output": `\o FILE`, ".once": `\o FILE`,
	".read": `\i FILE`, ".timer": `\timing`, ".nullvalue": `\null TEXT`, ".help": `\?`, ".quit": `\q`, ".exit": `\q`,
}

// elsewhere says what to use in place of another shell's command; nil of one of this shell.
func elsewhere(text string) error {
	word, _, _ := strings.Cut(strings.ToLower(strings.Fields(text)[0]), ";")
	command := others[word]
	switch {
	case word == "clear":
		return errors.New(`Ctrl-L clears the screen; \? lists the commands`)
	case command == "" && strings.HasPrefix(word, "."):
		command = `\?`
	case command == "":
		return nil
	}
	return fmt.Errorf(`commands begin with a backslash here: %s; \? lists them`, command)
}

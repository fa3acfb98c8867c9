package cli

import (
	"flag"
	"io"
	"os"
	"slices"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/manual"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// previews are the modes that run a statement over a table.
var previews = map[string]string{
	"head":    "SELECT * FROM %s LIMIT %d",
	"sample":  "SELECT * FROM %s USING SAMPLE %d ROWS",
	"count":   "SELECT COUNT(*) AS rows FROM %s",
	"cat":     "SELECT * FROM %s",
	modeMerge: "SELECT * FROM %s",
}

// previewRows is how many rows head and sample show, if no option says it.
const previewRows = 10

// isMode tells whether a first word is a mode over a location.
func isMode(word string) bool {
	return slices.Contains([]string{modeSchema, modeMeta, modeDiff}, word) || previews[word] != ""
}

func book() *manual.Manual {
	m := &manual.Manual{
		Name:    "parquetsql",
		Summary: "queries Parquet files with SQL",
		Modes: []manual.Mode{
			{Synopsis: "[options] LOCATION …", Help: "a shell, or the statements of the standard input"},
			{Synopsis: "[options] LOCATION … 'SQL' [argument …]"},
			{Synopsis: "[options] -f FILE LOCATION … [-- argument …]"},
			{Name: modeSchema, Table: true, Synopsis: "[options] schema LOCATION [TABLE]", Help: "the columns as the file has them"},
			{Name: modeMeta, Table: true, Synopsis: "[options] meta LOCATION [TABLE]", Help: "a picture of the files, or all of it with -json: row groups, columns, sizes, indexes"},
			{Name: "head", Table: true, Synopsis: "[options] head LOCATION [TABLE]", Help: "ten rows, or -n N; likewise sample (rows at random), count (the number of rows), cat (all rows)"},
			{Name: "sample", Table: true, Help: "rows at random"},
			{Name: "count", Table: true, Help: "the number of rows"},
			{Name: "cat", Table: true, Help: "all rows"},
			{Name: modeMerge, Synopsis: "[options] merge -o FILE LOCATION …", Help: "all rows of several files as one, FILE.parquet or another format"},
			{Name: modeDiff, Synopsis: "[options] diff LOCATION LOCATION [TABLE]", Help: "the columns in which two tables differ"},
			{Name: modeServe, Synopsis: "serve [options] LOCATION", Help: "a server for PostgreSQL's clients; serve -help lists its options"},
			{Name: modeShell, Synopsis: "completion bash|zsh|fish", Help: "a script that completes words in that shell; its first line says how"},
			{Name: modeMan, Synopsis: "man", Help: "a page for man(1): parquetsql man | man -l -"},
		},
		Words: `LOCATION is a folder, a file, an address such as s3://bucket/folder, or a glob in quotes, and after ?
options of the driver, such as 'data?memory_limit=1GiB'. Several files and folders of this machine,
as the shell makes of *.parquet, are a table each. An argument is the value of a ? in the statement,
or of :name where it is written :name=value. Options stand anywhere; behind -- there are none.`,
		Exit: `The exit code is 0, or 1 where a statement has failed, 2 for a wrong command line, and 130
where the user has cancelled. In the shell \? lists the commands.`,
		Examples: `parquetsql data 'SELECT region, SUM(amount) FROM orders GROUP BY region'
parquetsql -csv orders.parquet 'SELECT * FROM orders WHERE day >= ?' 2024-01-01 > orders.csv
parquetsql meta orders.parquet`,
	}
	for _, o := range options {
		m.Options = append(m.Options, o.Option)
	}
	for _, f := range format.All() {
		m.Formats = append(m.Formats, manual.Option{Name: f.Name, Help: f.Help})
	}
	return m
}

// option is an option of the command line, and what it sets.
type option struct {
	manual.Option
	set func(c *command, f *flag.FlagSet, name string)
}

// nearestMode is the first word that one which there is not may be meant for: a letter is wrong, missing or
// too much, or two are exchanged.
func nearestMode(word string) string {
	for _, mode := range book().Modes {
		if mode.Name != "" && isNear(word, mode.Name) {
			return mode.Name
		}
	}
	return ""
}

func isNear(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch len(a) - len(b) {
	case 0:
		exchanged := i+1 < len(b) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return i == len(b) || a[i+1:] == b[i+1:] || exchanged
	case 1:
		return a[i+1:] == b[i:]
	}
	return false
}

func text(target func(*command) *string) func(*command, *flag.FlagSet, string) {
	return func(c *command, f *flag.FlagSet, name string) { f.StringVar(target(c), name, *target(c), "") }
}

func number(target func(*command) *int) func(*command, *flag.FlagSet, string) {
	return func(c *command, f *flag.FlagSet, name string) { f.IntVar(target(c), name, *target(c), "") }
}

func yes(target func(*command) *bool) func(*command, *flag.FlagSet, string) {
	return func(c *command, f *flag.FlagSet, name string) { f.BoolVar(target(c), name, false, "") }
}

var options = []option{
	{manual.Option{Name: "c", Argument: "SQL", Help: "the statement, as behind the location"}, func(c *command, f *flag.FlagSet, name string) {
		f.Func(name, "", func(text string) error { c.text, c.hasText = text, true; return nil })
	}},
	{manual.Option{Name: "f", Argument: "FILE", Help: "run the statements of FILE; - is the standard input"}, text(func(c *command) *string { return &c.file })},
	{manual.Option{Name: "o", Argument: "FILE", Help: "write the rows to FILE, in the format of its name (.csv, .tsv, .json, .ndjson, .md, .html, .svg, .arrow, .parquet)"}, text(func(c *command) *string { return &c.output })},
	{manual.Option{Name: "format", Argument: "NAME", Help: "one of the formats below; -csv is short for -format csv, and so on"}, func(c *command, f *flag.FlagSet, name string) { f.Func(name, "", c.setFormat) }},
	{manual.Option{Name: "x", Help: "short for -format vertical"}, func(c *command, f *flag.FlagSet, name string) {
		f.BoolFunc(name, "", func(string) error { return c.setFormat("vertical") })
	}},
	{manual.Option{Name: "n", Argument: "N", Help: "head, sample: how many rows (10)"}, number(func(c *command) *int { return &c.rows })},
	{manual.Option{Name: "union", Help: "the files of all locations are one table, files; _file is files/ and the path, key=value folders are columns"}, yes(func(c *command) *bool { return &c.union })},
	{manual.Option{Name: "no-header", Help: "csv, tsv, table: without the line of names"}, yes(func(c *command) *bool { return &c.opts.NoHeader })},
	{manual.Option{Name: "null", Argument: "TEXT", Help: "how table and vertical show NULL (NULL)"}, text(func(c *command) *string { return &c.opts.Null })},
	{manual.Option{Name: "width", Argument: "N", Help: "characters that a table may be wide (the terminal's width; 0: no limit)"}, number(func(c *command) *int { return &c.opts.Width })},
	{manual.Option{Name: "max-cell", Argument: "N", Help: "characters that a table shows of a value (100; 0: all)"}, number(func(c *command) *int { return &c.opts.MaxCell })},
	{manual.Option{Name: "timing", Help: "say how long each statement took"}, yes(func(c *command) *bool { return &c.timing })},
	{manual.Option{Name: "no-progress", Help: "no progress bar"}, yes(func(c *command) *bool { return &c.quiet })},
	{manual.Option{Name: "no-rc", Help: "the shell does not run ~/.config/parquetsql/rc first"}, yes(func(c *command) *bool { return &c.noRC })},
	{manual.Option{Name: "all", Help: "meta: each row group and page size, however many"}, yes(func(c *command) *bool { return &c.all })},
	{manual.Option{Name: "version", Help: "the version"}, yes(func(c *command) *bool { return &c.version })},
	{manual.Option{Name: "help", Also: []string{"h"}, Help: "this text"}, yes(func(c *command) *bool { return &c.help })},
}

// flags are the options; what they set begins with the defaults.
func (c *command) flags(stdout *os.File) *flag.FlagSet {
	flags := flag.NewFlagSet("parquetsql", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	c.opts = format.Options{Color: terminal.HasColor(stdout), Null: "NULL", MaxCell: 100}
	if terminal.Is(stdout) {
		c.opts.Width, _ = terminal.Size(stdout)
	}
	for _, o := range options {
		for _, name := range append([]string{o.Name}, o.Also...) {
			o.set(c, flags, name)
		}
	}
	for _, name := range format.Names() {
		flags.BoolFunc(name, "", func(string) error { return c.setFormat(name) })
	}
	return flags
}

// Package format writes the rows of a query as text: as a table for people, or as CSV,
// JSON and others for programs. Each format is a Writer and has a file of its own. All
// of them stream: what they keep of a result is bounded, however many rows it has.
package format

import (
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Writer writes one result: Head once, Row for each row, Tail once. Each call of Row is
// one call of the io.Writer's Write at most; the table holds back its first rows.
type Writer interface {
	// Head begins the result.
	Head(columns []Column) error
	// Row writes a row: one value for each column, nil for NULL. It keeps no reference
	// to the values.
	Row(values []any) error
	// Tail ends the result.
	Tail() error
}

// Column is a column of the result.
type Column struct {
	Name string
	Type string // as sql.ColumnType.DatabaseTypeName returns it: BIGINT, DECIMAL, LIST
	Note string // the type for people: DECIMAL(10,2)
}

// Options are the settings of the formats. Each uses those that concern it.
type Options struct {
	Null     string // the text of NULL in table and vertical
	NoHeader bool   // without the line of names: csv, tsv, table
	Width    int    // characters that a table may be wide; 0 is no limit
	MaxCell  int    // characters of a cell in a table; 0 is no limit
	Color    bool   // table and vertical use the colours of a terminal
	NoCount  bool   // table: without the line that counts the rows
	MaxRows  int64  // table: rows that are shown, the rest is counted; 0 is no limit
}

// Info is the name of a format and what it is.
type Info struct{ Name, Help string }

type formatInfo struct {
	Info
	make func(w io.Writer, o Options) Writer // nil: the format is no text, see IsBinary
}

func formats() []formatInfo {
	return []formatInfo{
		{Info{"table", "a table as wide as the terminal"}, newTable},
		{Info{"vertical", "one line for each value"}, newVertical},
		{Info{"csv", "RFC 4180; NULL is an empty field, an empty text is \"\""}, newCSV},
		{Info{"tsv", "PostgreSQL's text format: NULL is \\N; \\t, \\n, \\r and \\\\ are escaped"}, newTSV},
		{Info{"json", "an array of objects"}, newJSON},
		{Info{"ndjson", "one object for each line"}, newNDJSON},
		{Info{"markdown", "a table of GitHub's Markdown"}, newMarkdown},
		{Info{"html", "a page with a table"}, newHTML},
		{Info{"chart", "bars, lines or a histogram: texts, times or numbers, and then numbers; into .svg a picture"}, newChart},
		{Info{"svg", "the same as a picture"}, newSVG},
		{Info{"arrow", "a stream of Apache Arrow; in FILE.arrow a file of it"}, nil},
		{Info{"parquet", "a Parquet file, compressed with zstd"}, nil},
	}
}

// New returns the Writer of the format of that name, or an error that lists the names.
func New(name string, w io.Writer, o Options) (Writer, error) {
	for _, f := range formats() {
		if f.Name == name && f.make != nil {
			return f.make(w, o), nil
		}
	}
	if err := Check(name); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s is for the rows of statements alone", name)
}

// Check returns an error that lists the names where there is no format of that one.
func Check(name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("there is no format %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// IsBinary reports whether a format is none of text, so that no Writer makes it.
func IsBinary(name string) bool {
	return slices.ContainsFunc(formats(), func(f formatInfo) bool { return f.Name == name && f.make == nil })
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.Name)
	}
	return names
}

// All lists the formats with what they are.
func All() []Info {
	var list []Info
	for _, f := range formats() {
		list = append(list, f.Info)
	}
	return list
}

// Columns returns the columns of a result of database/sql.
func Columns(types []*sql.ColumnType) []Column {
	columns := make([]Column, len(types))
	for i, t := range types {
		name := t.DatabaseTypeName()
		columns[i] = Column{Name: t.Name(), Type: name, Note: name}
		if precision, scale, ok := t.DecimalSize(); ok {
			columns[i].Note = fmt.Sprintf("%s(%d,%d)", name, precision, scale)
		}
	}
	return columns
}

// isNumber reports whether the column's values are aligned to the right.
func (c Column) isNumber() bool {
	switch c.Type {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
		"HUGEINT", "UHUGEINT", "HALF", "FLOAT", "DOUBLE", "DECIMAL":
		return true
	}
	return false
}

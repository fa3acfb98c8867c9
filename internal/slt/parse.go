package slt

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// kind is what a record asks for.
type kind int

const (
	statementOK kind = iota
	statementError
	query
	halt
)

// Sort modes of a query.
const (
	noSort    = "nosort"
	rowSort   = "rowsort"
	valueSort = "valuesort"
)

// Script is a parsed file.
type Script struct {
	Name    string
	lines   []string
	records []record
}

// Queries are the texts of the queries for an engine whose rows the script has.
func (s *Script) Queries(engine string) (out []string) {
	for _, r := range s.records {
		if r.kind == query && r.isFor(engine) {
			out = append(out, r.sql)
		}
	}
	return out
}

// record is one statement or query with what is expected of it.
type record struct {
	kind     kind
	line     int // of the directive, from 1
	skip     []string
	only     []string
	sql      string
	types    string // one letter per column
	sort     string
	label    string
	expected []string
	from, to int // the lines of expected: s.lines[from:to]
}

// ParseFile reads the script of a file, which is named after it.
func ParseFile(path string) (*Script, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Parse(filepath.Base(path), f)
}

// Parse reads a script. An error names the line.
func Parse(name string, r io.Reader) (*Script, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	p := parser{script: &Script{Name: name, lines: lines}}
	for p.at < len(lines) {
		if err := p.next(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.start+1, err)
		}
	}
	if len(p.skip)+len(p.only) > 0 {
		return nil, fmt.Errorf("%s:%d: skipif or onlyif without a record", name, len(lines))
	}
	if len(p.script.records) == 0 {
		return nil, fmt.Errorf("%s: no records", name)
	}
	return p.script, nil
}

type parser struct {
	script     *Script
	at         int // the next line
	start      int // the line of the directive at hand
	skip, only []string
}

// next reads a blank line, a comment, a condition or a record.
func (p *parser) next() error {
	line := p.script.lines[p.at]
	p.start = p.at
	p.at++
	fields := strings.Fields(line)
	if len(fields) == 0 || strings.HasPrefix(line, "#") {
		return nil
	}
	switch fields[0] {
	case "skipif", "onlyif":
		if len(fields) < 2 {
			return fmt.Errorf("%s needs the name of an engine", fields[0])
		}
		if fields[0] == "skipif" {
			p.skip = append(p.skip, fields[1])
		} else {
			p.only = append(p.only, fields[1])
		}
		return nil
	case "halt":
		return p.add(record{kind: halt})
	case "statement":
		return p.statement(fields[1:])
	case "query":
		return p.query(fields[1:])
	}
	return fmt.Errorf("unknown directive %q", fields[0])
}

func (p *parser) add(r record) error {
	r.line, r.skip, r.only = p.start+1, p.skip, p.only
	p.skip, p.only = nil, nil
	p.script.records = append(p.script.records, r)
	return nil
}

func (p *parser) statement(fields []string) error {
	if len(fields) != 1 || fields[0] != "ok" && fields[0] != "error" {
		return fmt.Errorf("a statement is ok or error, not %q", strings.Join(fields, " "))
	}
	r := record{kind: statementOK}
	separator, err := p.body(&r)
	if err != nil {
		return err
	}
	if fields[0] == "ok" {
		if separator {
			return fmt.Errorf("statement ok expects nothing, but there is a ----")
		}
		return p.add(r)
	}
	r.kind = statementError
	if !separator || len(r.expected) == 0 {
		return fmt.Errorf("statement error without ---- and a part of the message")
	}
	return p.add(r)
}

func (p *parser) query(fields []string) error {
	r := record{kind: query, sort: noSort}
	if len(fields) == 0 {
		return fmt.Errorf("a query needs a letter per column")
	}
	r.types = fields[0]
	if i := strings.IndexFunc(r.types, func(c rune) bool { return !strings.ContainsRune("IRT", c) }); i >= 0 {
		return fmt.Errorf("the letters are I, R and T, not %q", r.types)
	}
	fields = fields[1:]
	if len(fields) > 0 && slices.Contains([]string{noSort, rowSort, valueSort}, fields[0]) {
		r.sort, fields = fields[0], fields[1:]
	}
	if len(fields) > 1 {
		return fmt.Errorf("%q is neither a sort mode nor a label", fields[0])
	}
	if len(fields) == 1 {
		r.label = fields[0]
	}
	separator, err := p.body(&r)
	if err != nil {
		return err
	}
	if !separator {
		return fmt.Errorf("a query without ----")
	}
	return p.add(r)
}

// body reads the SQL and, behind ----, what is expected, up to a blank line.
func (p *parser) body(r *record) (separator bool, err error) {
	var text []string
	for ; p.at < len(p.script.lines) && p.script.lines[p.at] != ""; p.at++ {
		if p.script.lines[p.at] == "----" {
			separator = true
			p.at++
			break
		}
		text = append(text, p.script.lines[p.at])
	}
	r.from = p.at
	if separator {
		for p.at < len(p.script.lines) && p.script.lines[p.at] != "" {
			p.at++
		}
	}
	r.to = p.at
	r.sql, r.expected = strings.Join(text, "\n"), p.script.lines[r.from:r.to]
	if len(text) == 0 {
		return false, fmt.Errorf("no SQL")
	}
	for _, line := range r.expected {
		for value := range strings.SplitSeq(line, "\t") {
			if pattern, _, ok := asPattern(value); ok {
				if _, err := regexp.Compile(pattern); err != nil {
					return false, err
				}
			}
		}
	}
	return separator, nil
}

// asPattern reports whether an expected value is a regular expression.
func asPattern(value string) (pattern string, matches, ok bool) {
	if pattern, ok = strings.CutPrefix(value, "<REGEX>:"); ok {
		return pattern, true, true
	}
	pattern, ok = strings.CutPrefix(value, "<!REGEX>:")
	return pattern, false, ok
}

package slt

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Engine is a database that runs scripts.
type Engine struct {
	Name string // for skipif and onlyif
	DB   *sql.DB

	// Text gives the text of a value that needs more than the usual form; false
	// leaves it to the runner. It may be nil.
	Text func(v any, c *sql.ColumnType) (string, bool)
	// AnyError takes every error for the expected one: messages of another engine.
	AnyError bool
	// CheckValue and CheckError make further demands on each value and on each
	// expected error. They may be nil.
	CheckValue func(v any, c *sql.ColumnType) error
	CheckError func(error) error
}

// Run runs the script on one engine and gives a failure for each record whose
// answer is not the expected one.
func (s *Script) Run(ctx context.Context, e Engine) []error {
	var failures []error
	labels := map[string][]string{}
	for _, r := range s.records {
		if !r.isFor(e.Name) {
			continue
		}
		if r.kind == halt {
			break
		}
		if err := r.run(ctx, e, labels); err != nil {
			failures = append(failures, fmt.Errorf("%s:%d: %s\n%w", s.Name, r.line, r.sql, err))
		}
	}
	return failures
}

func (r *record) isFor(engine string) bool {
	return !slices.Contains(r.skip, engine) && (len(r.only) == 0 || slices.Contains(r.only, engine))
}

func (r *record) run(ctx context.Context, e Engine, labels map[string][]string) error {
	got, err := answerOf(ctx, e, r)
	switch {
	case r.kind == statementError:
		return r.checkError(e, err)
	case err != nil:
		return fmt.Errorf("it fails: %w", err)
	case r.kind == statementOK:
		return nil
	}
	if err := got.checkTypes(r.types); err != nil {
		return err
	}
	if r.label != "" {
		want, ok := labels[r.label]
		if ok && !slices.Equal(got.lines(r), want) {
			return fmt.Errorf("label %s: the answers differ", r.label)
		}
		labels[r.label] = got.lines(r)
	}
	return r.checkRows(got)
}

func (r *record) checkError(e Engine, err error) error {
	want := strings.Join(r.expected, "\n")
	if err == nil {
		return fmt.Errorf("it succeeds; want an error with %s", want)
	}
	if e.CheckError != nil {
		if wrong := e.CheckError(err); wrong != nil {
			return wrong
		}
	}
	if e.AnyError {
		return nil
	}
	if pattern, matches, ok := asPattern(want); ok {
		if regexp.MustCompile(pattern).MatchString(err.Error()) != matches {
			return fmt.Errorf("the error is %w\nwant %s", err, want)
		}
		return nil
	}
	if !strings.Contains(err.Error(), want) {
		return fmt.Errorf("the error is %w\nwant one with %s", err, want)
	}
	return nil
}

// checkRows compares with the expected values, by row or by value.
func (r *record) checkRows(got answer) error {
	want := answer{}
	width := len(r.types)
	switch {
	case len(r.expected) == len(got.rows):
		for _, line := range r.expected {
			want.rows = append(want.rows, splitRow(line, width))
		}
	case len(r.expected) == len(got.rows)*width:
		for row := range slices.Chunk(r.expected, width) {
			want.rows = append(want.rows, row)
		}
	default:
		return fmt.Errorf("%d rows:\n%s\nwant\n%s", len(got.rows), strings.Join(got.lines(r), "\n"), strings.Join(r.expected, "\n"))
	}
	for i := range want.rows {
		if len(want.rows[i]) != width {
			return fmt.Errorf("line %d has %d values, the query %d columns", r.from+i+1, len(want.rows[i]), width)
		}
	}
	have := got.sorted(r.sort)
	for i, row := range want.sorted(r.sort) {
		for c, value := range row {
			if !sameText(have[i][c], value) {
				return fmt.Errorf("row %d, column %d: %s, want %s", i+1, c+1, have[i][c], value)
			}
		}
	}
	return nil
}

// splitRow splits a line at its tabs; a line of one column may contain some.
func splitRow(line string, width int) []string {
	if width == 1 {
		return []string{line}
	}
	return strings.Split(line, "\t")
}

func sameText(got, want string) bool {
	if pattern, matches, ok := asPattern(want); ok {
		return regexp.MustCompile("^(?:"+pattern+")$").MatchString(got) == matches
	}
	return got == want
}

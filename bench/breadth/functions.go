package breadth

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/bench/differential"
)

// A Query has functions in it.
type Query struct {
	Functions []string // their names, in upper case
	Text      string
}

// Functions are queries of each scalar and aggregate function of parquetsql's table of functions, over the tables
// that Write has written and ours is opened over: a call for each kind of arguments. Where package differential draws a call, it
// is taken: its arguments suit the function. For others, arguments are made of signatures, so that a new function has queries by
// itself. Window functions are in queries/breadth.sql.
func Functions(ours *sql.DB) ([]Query, error) {
	all, err := table(ours)
	if err != nil {
		return nil, err
	}
	known := map[string][]differential.Call{"scalar": differential.Scalars(), "aggregate": differential.Aggregates()}
	for _, list := range known {
		for i := range list {
			list[i].Text = bare(list[i].Text)
		}
	}
	var out []Query
	place := map[string]int{} // of texts in out
	for _, f := range all {
		calls, err := f.calls(known[f.kind])
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			text, err := ask(ours, c, f.kind)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.names[0], err)
			}
			at, ok := place[text]
			if !ok {
				at = len(out)
				place[text], out = at, append(out, Query{Text: text})
			}
			out[at].Functions = append(out[at].Functions, f.names[0])
		}
	}
	return out, nil
}

// A function is an entry of the table of functions.
type function struct {
	kind       string
	names      []string // the others are aliases
	signatures [][]string
}

// table is what SHOW FUNCTIONS tells, without window functions.
func table(ours *sql.DB) ([]function, error) {
	rows, err := ours.Query("SELECT type, UPPER(name), signature, help || example FROM (SHOW FUNCTIONS) WHERE type <> 'window'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []function
	last := ""
	for rows.Next() {
		var kind, name, signature, about string
		if err := rows.Scan(&kind, &name, &signature, &about); err != nil {
			return nil, err
		}
		if about != last {
			out, last = append(out, function{kind: kind, names: []string{name}}), about
		}
		f := &out[len(out)-1]
		if !slices.Contains(f.names, name) {
			f.names = append(f.names, name)
		}
		if name == f.names[0] {
			f.signatures = append(f.signatures, arguments(signature))
		}
	}
	return out, rows.Err()
}

// arguments are the types in a signature such as f(VARCHAR, LIST(T), ...) → T.
func arguments(signature string) []string {
	_, list, _ := strings.Cut(signature[:strings.LastIndex(signature, ") →")], "(")
	list = strings.TrimSuffix(list, ", ...")
	var out []string
	from, depth := 0, 0
	for i, c := range list {
		switch {
		case strings.ContainsRune("([", c):
			depth++
		case strings.ContainsRune(")]", c):
			depth--
		case c == ',' && depth == 0:
			out, from = append(out, strings.TrimSpace(list[from:i])), i+1
		}
	}
	if list = strings.TrimSpace(list[from:]); list != "" {
		out = append(out, list)
	}
	return out
}

var rounded = regexp.MustCompile(`^\(ROUND\((.*), \d\) \+ 0e0\)$`)

// bare is a call without the rounding that makes answers equal: here they may differ by a part of 1e-9.
func bare(call string) string { return rounded.ReplaceAllString(call, "$1") }

// calls are those of the function: written by hand, known ones, and others for the signatures that have none.
func (f function) calls(known []differential.Call) ([]differential.Call, error) {
	name := f.names[0]
	if _, ok := unasked[name]; ok {
		return nil, nil
	}
	var out []differential.Call
	covered := map[string]bool{}
	for _, c := range append(written[name], known...) {
		kind, ok := f.within(c)
		if ok {
			out, covered[kind] = append(out, c), true
		}
	}
	if len(written[name]) > 0 {
		return out, nil
	}
	for _, s := range f.signatures {
		for _, args := range variants(s) {
			kind := ""
			if i := slices.IndexFunc(args, varies); i >= 0 {
				kind = args[i]
			}
			if covered[kind] {
				continue
			}
			covered[kind] = true
			c, err := called(name, args)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// within reports whether a call is one of the function by one of its names, and the type of its first argument.
func (f function) within(c differential.Call) (kind string, ok bool) {
	for _, name := range f.names {
		for from := 0; ; {
			at := strings.Index(c.Text[from:], name+"(")
			if at < 0 {
				break
			}
			from += at + len(name)
			if start := from - len(name); start > 0 && wordEnd.MatchString(c.Text[:start]) {
				continue
			}
			if first := strings.Count(c.Text[:from], "$"); first < len(c.Args) {
				return strings.Replace(c.Args[first], "text of a TIMESTAMP", "VARCHAR", 1), true
			}
			return "", true
		}
	}
	return "", false
}

var wordEnd = regexp.MustCompile(`[A-Z0-9_]$`)

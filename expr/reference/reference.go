// Package reference lists all functions of SQL, of all kinds, for people: SHOW FUNCTIONS,
// information_schema.routines and docs/functions.md are made of it.
package reference

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/window"
)

// Entry describes a function.
type Entry struct {
	Kind       string // scalar, aggregate or window
	Name       string // in upper case
	Aliases    []string
	Signatures []expr.Signature
	Help       string // what the function returns, in one line
	Volatile   bool   // the result may differ for the same arguments
	// Example is what may follow SELECT. Result is what it returns as text, with commas
	// between rows; it is empty if the function is volatile.
	Example, Result string
}

// Group is entries under a title.
type Group struct {
	Title   string
	Entries []Entry
}

// Groups are all functions.
func Groups() []Group {
	var out []Group
	for _, family := range function.Families() {
		g := Group{Title: family.Title}
		for _, f := range family.Functions {
			g.add(Entry{Kind: "scalar", Name: f.Name, Aliases: f.Aliases, Signatures: f.Signatures, Help: f.Help, Volatile: f.Volatile}, f.Example)
		}
		out = append(out, g)
	}
	g := Group{Title: "Aggregates"}
	for _, f := range aggregate.Functions() {
		g.add(Entry{Kind: "aggregate", Name: f.Name, Aliases: f.Aliases, Signatures: f.Signatures, Help: f.Help}, f.Example)
	}
	out = append(out, g)
	g = Group{Title: "Window functions"}
	for _, f := range window.Functions() {
		g.add(Entry{Kind: "window", Name: f.Name, Aliases: f.Aliases, Signatures: f.Signatures, Help: f.Help}, f.Example)
	}
	return append(out, g)
}

func (g *Group) add(e Entry, example string) {
	e.Example, e.Result, _ = strings.Cut(example, " → ")
	g.Entries = append(g.Entries, e)
}

// Row is a function under one of its names, with one of its signatures.
type Row struct {
	*Entry
	Name      string // in lower case
	Signature expr.Signature
}

// Rows are all functions by all their names, in the order of Groups.
func Rows() []Row {
	var out []Row
	for _, g := range Groups() {
		for i := range g.Entries {
			e := &g.Entries[i]
			for _, name := range append([]string{e.Name}, e.Aliases...) {
				for _, s := range e.Signatures {
					out = append(out, Row{Entry: e, Name: strings.ToLower(name), Signature: s})
				}
			}
		}
	}
	return out
}

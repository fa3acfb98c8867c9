// Package manual writes what the command line offers: as the text of --help, as a page for man,
// and as scripts that complete words in a shell. All of them come from the same tables.
package manual

import (
	"fmt"
	"slices"
	"strings"
)

// Manual is what there is to say of a program.
type Manual struct {
	Name     string
	Summary  string // one line
	Modes    []Mode
	Words    string // what locations and arguments are
	Options  []Option
	Formats  []Option // the names of formats; each is an option too
	Exit     string   // what the exit codes say
	Examples string   // lines for a shell
}

// Mode is a way to call the program.
type Mode struct {
	Name     string // a first word that stands for the mode; "" of the others
	Synopsis string // "" of a mode that another one's help names
	Help     string
	Table    bool // a location and a table follow
}

// shown are the modes with a line of their own.
func (m *Manual) shown() []Mode {
	return slices.DeleteFunc(slices.Clone(m.Modes), func(mode Mode) bool { return mode.Synopsis == "" })
}

// named are the modes that have a word.
func (m *Manual) named() []Mode {
	return slices.DeleteFunc(slices.Clone(m.Modes), func(mode Mode) bool { return mode.Name == "" })
}

// Option is an option and its argument, if it takes one.
type Option struct {
	Name, Argument, Help string
	Also                 []string // other names
}

// indent is the column of the explanations.
const indent = 18

// Help is the text of --help.
func (m *Manual) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s.\n\n", m.Name, m.Summary)
	for _, mode := range m.shown() {
		line := "  " + m.Name + " " + mode.Synopsis
		if mode.Help != "" {
			line = fmt.Sprintf("%-54s%s", line, mode.Help)
		}
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "\n%s\n\n", m.Words)
	for _, o := range m.Options {
		fmt.Fprintf(&b, "  %-*s%s\n", indent, o.usage(), o.Help)
	}
	fmt.Fprint(&b, "\nFormats:\n")
	for _, o := range m.Formats {
		fmt.Fprintf(&b, "  %-9s %s\n", o.Name, o.Help)
	}
	fmt.Fprintf(&b, "%s\n", m.Exit)
	return b.String()
}

// usage is the option as it is typed.
func (o Option) usage() string {
	text := "-" + o.Name
	for _, name := range o.Also {
		text += ", -" + name
	}
	if o.Argument != "" {
		text += " " + o.Argument
	}
	return text
}

// words are the first words that stand for a mode.
func (m *Manual) words() (all, withTable []string) {
	for _, mode := range m.named() {
		all = append(all, mode.Name)
		if mode.Table {
			withTable = append(withTable, mode.Name)
		}
	}
	return all, withTable
}

// flags are all options with a hyphen, and those of them that take an argument.
func (m *Manual) flags() (all, withArgument []string) {
	for _, o := range m.Options {
		for _, name := range append([]string{o.Name}, o.Also...) {
			all = append(all, "-"+name)
			if o.Argument != "" {
				withArgument = append(withArgument, "-"+name)
			}
		}
	}
	for _, o := range m.Formats {
		all = append(all, "-"+o.Name)
	}
	return all, withArgument
}

func (m *Manual) formats() []string {
	var names []string
	for _, o := range m.Formats {
		names = append(names, o.Name)
	}
	return names
}

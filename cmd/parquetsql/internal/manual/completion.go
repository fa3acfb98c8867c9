package manual

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed completion/*
var scripts embed.FS

// Shells lists the shells for which there are scripts.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Completion is a script that completes the words of the command line in a shell.
//
// The scripts have marks between @ for what the tables say; text/template would keep the linker
// from leaving out methods that nothing calls, which is a third of the program.
func (m *Manual) Completion(shell string) (string, error) {
	text, err := scripts.ReadFile(path.Join("completion", shell))
	if err != nil {
		return "", fmt.Errorf("there are scripts for %s, not for %q", strings.Join(Shells(), ", "), shell)
	}
	modes, tables := m.words()
	flags, arguments := m.flags()
	return strings.NewReplacer(
		"@name@", m.Name, "@modes|@", strings.Join(modes, "|"), "@modes@", strings.Join(modes, " "),
		"@tables|@", strings.Join(tables, "|"), "@tables@", strings.Join(tables, " "), "@flags@", strings.Join(flags, " "),
		"@arguments|@", strings.Join(arguments, "|"), "@arguments@", strings.Join(arguments, " "),
		"@formats@", strings.Join(m.formats(), " "), "@shells@", strings.Join(Shells(), " "),
		"@zsh flags@", m.zshFlags(), "@zsh modes@", m.zshModes(), "@fish modes@", m.fishModes(), "@fish flags@", m.fishFlags(),
	).Replace(string(text)), nil
}

// options are all options, each with one name.
func (m *Manual) options() []Option {
	var list []Option
	for _, o := range m.Options {
		list = append(list, o)
		for _, name := range o.Also {
			list = append(list, Option{Name: name, Argument: o.Argument, Help: o.Help})
		}
	}
	for _, o := range m.Formats {
		list = append(list, Option{Name: o.Name, Help: "short for -format " + o.Name})
	}
	return list
}

func (m *Manual) zshFlags() string {
	var b strings.Builder
	for _, o := range m.options() {
		fmt.Fprintf(&b, "            %s\n", quoted("-"+o.Name+":"+o.Help))
	}
	return b.String()
}

func (m *Manual) zshModes() string {
	var b strings.Builder
	for _, mode := range m.named() {
		fmt.Fprintf(&b, "            %s\n", quoted(mode.Name+":"+mode.Help))
	}
	return b.String()
}

func (m *Manual) fishModes() string {
	var b strings.Builder
	for _, mode := range m.named() {
		fmt.Fprintf(&b, "complete -c %s -n __%s_first -a %s -d %s\n", m.Name, m.Name, mode.Name, quoted(mode.Help))
	}
	return b.String()
}

func (m *Manual) fishFlags() string {
	var b strings.Builder
	for _, o := range m.options() {
		takes := ""
		switch {
		case o.Name == "format":
			takes = " -x -a " + quoted(strings.Join(m.formats(), " "))
		case o.Argument != "":
			takes = " -r"
		}
		fmt.Fprintf(&b, "complete -c %s -o %s%s -d %s\n", m.Name, o.Name, takes, quoted(o.Help))
	}
	return b.String()
}

// quoted is a word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

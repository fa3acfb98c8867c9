package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// update writes a cell of the table of a document, whose columns after the first are memory
// limits. Rows that it does not have are added, in the order of the cases.
func update(path, name, limit, measured string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	head := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| query |") })
	if head < 0 {
		return fmt.Errorf("%s has no table of queries", path)
	}
	column := slices.IndexFunc(cells(lines[head]), func(c string) bool { return strings.ReplaceAll(c, " ", "") == limit })
	if column < 0 {
		return fmt.Errorf("the table of %s has no column of %s", path, limit)
	}
	row := head + 2
	for row < len(lines) && strings.HasPrefix(lines[row], "|") && order(cells(lines[row])[0]) < order(name) {
		row++
	}
	if !strings.HasPrefix(lines[row], "| "+name+" |") {
		lines = slices.Insert(lines, row, "| "+name+strings.Repeat(" |", len(cells(lines[head]))))
	}
	list := cells(lines[row])
	list[column] = measured
	lines[row] = strings.ReplaceAll("| "+strings.Join(list, " | ")+" |", "|  |", "| |")
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666)
}

// cells are the texts of a row of a table.
func cells(line string) []string {
	const bar = "\x00" // in place of a bar that is text
	list := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|"), "|")
	for i, c := range list {
		list[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, `\|`)
	}
	return list
}

// order is the place of a case.
func order(name string) int {
	return slices.IndexFunc(all, func(c testCase) bool { return c.name == name })
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadme runs the README's first command and compares what it prints with
// what the README says.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^go run \./examples/query (\S+) '(.*)'$`).FindSubmatch(readme)
	printed := regexp.MustCompile("(?s)The first prints\n\n```\n(.*?)```").FindSubmatch(readme)
	if command == nil || printed == nil {
		t.Fatal("the README's first command or its output is not where it was")
	}
	var out bytes.Buffer
	if err := query(context.Background(), &out, filepath.Join(root, string(command[1])), string(command[2]), nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != string(printed[1]) {
		t.Errorf("it prints\n%s\nthe README says\n%s", out.String(), printed[1])
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/csv"
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
	if err := query(context.Background(), &table{out: &out}, filepath.Join(root, string(command[1])), string(command[2]), nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != string(printed[1]) {
		t.Errorf("it prints\n%s\nthe README says\n%s", out.String(), printed[1])
	}
}

// TestFormats prints values of each kind, as a table and as CSV.
func TestFormats(t *testing.T) {
	const columns = `SELECT DATE '2024-01-01' AS d, TIMESTAMP '2024-01-01 10:20:30.5' AS t, NULL AS n, CAST(0.10 AS DECIMAL(5,2)) AS m, x'00ff' AS b, 'a "b",c' AS s`
	tests := []struct {
		name string
		make func(*bytes.Buffer) printer
		want string
	}{
		{"table", func(out *bytes.Buffer) printer { return &table{out: out} },
			"d           t                      n     m     b       s\n2024-01-01  2024-01-01 10:20:30.5  NULL  0.10  \\x00ff  a \"b\",c\n"},
		{"csv", func(out *bytes.Buffer) printer { return &csvPrinter{csv.NewWriter(out)} },
			"d,t,n,m,b,s\n2024-01-01,2024-01-01 10:20:30.5,NULL,0.10,\\x00ff,\"a \"\"b\"\",c\"\n"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		if err := query(context.Background(), test.make(&out), filepath.Join("..", "..", "testdata"), columns, nil); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.name, out.String(), test.want)
		}
	}
}

// TestTableStreams checks that a table holds back its first rows only.
func TestTableStreams(t *testing.T) {
	var out bytes.Buffer
	p := &table{out: &out}
	if err := query(context.Background(), p, filepath.Join("..", "..", "testdata"), "SELECT range, repeat('x', range) FROM range(1000)", nil); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(out.Bytes(), []byte("\n")); lines != 1001 || p.held != nil {
		t.Errorf("%d lines, %d rows are held back", lines, len(p.held))
	}
}

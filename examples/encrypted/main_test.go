package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadme runs the README's command and compares what it prints with what the README
// says. The means were worked out by hand from the values in testdata/gen/staff.go.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("(?s)`go run ./examples/encrypted`[^`]* prints\n\n```\n(.*?)```").FindSubmatch(readme)
	if said == nil {
		t.Fatal("the README does not show what the example prints")
	}
	var out bytes.Buffer
	if err := run(context.Background(), &out, "data", "masterkeys.json"); err != nil {
		t.Fatal(err)
	}
	if out.String() != string(said[1]) {
		t.Errorf("it prints\n%s\nthe README says\n%s", out.String(), said[1])
	}
}

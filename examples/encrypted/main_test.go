package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadme runs the command of docs/encryption.md and compares what it prints with what the page
// says. The means were worked out by hand from the values in testdata/gen/staff.go.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "encryption.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("(?s)`go run ./examples/encrypted`[^`]* prints\n\n```\n(.*?)```").FindSubmatch(page)
	if said == nil {
		t.Fatal("the page does not show what the example prints")
	}
	var out bytes.Buffer
	if err := run(context.Background(), &out, "data", "masterkeys.json"); err != nil {
		t.Fatal(err)
	}
	if out.String() != string(said[1]) {
		t.Errorf("it prints\n%s\nthe page says\n%s", out.String(), said[1])
	}
}

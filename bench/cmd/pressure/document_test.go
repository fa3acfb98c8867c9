package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUpdate: cells are written where they belong, and rows added in the order of the cases.
func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "document.md")
	const before = "Text.\n\n| query | 16 MiB | default |\n| --- | ---: | ---: |\n| REPEAT | 1 MiB | |\n| `\\|\\|` | | 2 MiB |\n\nMore.\n"
	const after = "Text.\n\n| query | 16 MiB | default |\n| --- | ---: | ---: |\n| REPEAT | 1 MiB | 4 MiB |\n| SPACE | 3 MiB | |\n| `\\|\\|` | **5 MiB** | 2 MiB |\n| LIST | | 6 MiB |\n\nMore.\n"
	if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{"SPACE", "16MiB", "3 MiB"}, {"REPEAT", "default", "4 MiB"}, {"`\\|\\|`", "16MiB", "**5 MiB**"}, {"LIST", "default", "6 MiB"}} {
		if err := update(path, c[0], c[1], c[2]); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != after {
		t.Errorf("%v\n%s", err, text)
	}
	if err := update(path, "LIST", "1MiB", "6 MiB"); err == nil {
		t.Error("a column that is not there")
	}
}

package format

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// otherEnds are names of files that have a format of another name.
var otherEnds = map[string]string{"md": "markdown", "jsonl": "ndjson", "htm": "html", "feather": "arrow"}

// plain are names of files that say nothing of a format.
var plain = []string{"", "txt", "text", "log", "out"}

// OfFile is the format that the name of a file says, "" if it says none. An ending that stands for no
// format is an error. Behind | is a program.
func OfFile(name string) (string, error) {
	if strings.HasPrefix(name, "|") {
		return "", nil
	}
	end := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if long, ok := otherEnds[end]; ok {
		end = long
	}
	switch {
	case slices.Contains(Names(), end):
		return end, nil
	case slices.Contains(plain, end):
		return "", nil
	}
	return "", fmt.Errorf("%s: .%s stands for no format; there are .csv, .tsv, .json, .ndjson, .md, .html, .svg, .arrow, .parquet and .txt", name, end)
}

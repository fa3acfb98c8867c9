package format

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// otherEnds are names of files that have a format of another name.
var otherEnds = map[string]string{"md": "markdown", "jsonl": "ndjson", "htm": "html", "feather": "arrow"}

// foreign are names of formats for which nobody wants a table of text.
var foreign = []string{"xlsx", "xls", "ods", "orc", "avro", "xml", "yaml", "yml", "db", "duckdb", "sqlite", "png", "jpg", "pdf"}

// OfFile is the format that the name of a file says, "" if it says none. The name of a format
// that is not there is an error. Behind | is a program.
func OfFile(name string) (string, error) {
	if strings.HasPrefix(name, "|") {
		return "", nil
	}
	end := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if long, ok := otherEnds[end]; ok {
		end = long
	}
	if slices.Contains(foreign, end) {
		return "", fmt.Errorf("%s: .%s is none of the formats %s", name, end, strings.Join(Names(), ", "))
	}
	if slices.Contains(Names(), end) {
		return end, nil
	}
	return "", nil
}

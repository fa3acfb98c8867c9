package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// standard are packages and variables of the standard library that the documents
// name.
var standard = []string{"database", "db", "driver", "errors", "fs", "io", "os", "sql", "time"}

var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	fileName   = regexp.MustCompile(`^\.?[\w.*-]+(/[\w.*-]+)*$`)
	identifier = regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)$`)
)

// TestDocumentsNameWhatExists: each file, folder and pkg.Name that a document has
// in backticks exists.
func TestDocumentsNameWhatExists(t *testing.T) {
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "CHANGELOG.md", "docs/contract.md"} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(document)))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range quoted.FindAllStringSubmatch(string(text), -1) {
			name := found[1]
			parts := identifier.FindStringSubmatch(name)
			switch {
			case parts != nil:
				if !slices.Contains(standard, parts[1]) && !declares(t, files, parts[1], parts[2]) {
					t.Errorf("%s names %s, which no Go file declares", document, name)
				}
			case document != "ARCHITECTURE.md" && document != "CONTRIBUTING.md":
			case fileName.MatchString(name) && (strings.Contains(name, "/") || path.Ext(name) == ".go" || path.Ext(name) == ".md"):
				if matches, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(name))); len(matches) == 0 && !strings.HasPrefix(name, "database/") {
					t.Errorf("%s names the file or folder %s, which does not exist", document, name)
				}
			}
		}
	}
}

// declares reports whether the package of a name declares an identifier.
func declares(t *testing.T, files []source, pkg, name string) bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^((func|type|var|const) |\t)` + name + `\b`)
	for _, s := range files {
		folder := s.folder()
		if s.isTest() || path.Base(folder) != pkg && (folder != "." || pkg != "parquetsql") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.path)))
		if err != nil {
			t.Fatal(err)
		}
		if declared.Match(text) {
			return true
		}
	}
	return false
}

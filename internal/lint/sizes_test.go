package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestUsersOfSizes: the table of sizes in internal/quota says who uses each, in brackets: these
// packages or ones below them, and no others.
func TestUsersOfSizes(t *testing.T) {
	said := usersOfSizes(t, filepath.Join(root, "internal/quota/sizes.go"))
	if len(said) < 25 {
		t.Fatalf("%d sizes", len(said))
	}
	files, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	uses, used := regexp.MustCompile(`\bquota\.([A-Z]\w*)`), map[string][]string{}
	for _, s := range files {
		if s.isTest() || !slices.Contains(s.imports, module+"/internal/quota") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.path)))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range uses.FindAllStringSubmatch(string(text), -1) {
			used[found[1]] = append(used[found[1]], s.folder())
		}
	}
	for name, users := range said {
		for _, folder := range used[name] {
			if !slices.ContainsFunc(users, func(u string) bool { return covers(u+"/...", folder) }) {
				t.Errorf("%s uses quota.%s, whose comment in sizes.go has only %v", folder, name, users)
			}
		}
		for _, u := range users {
			if !slices.ContainsFunc(used[name], func(folder string) bool { return covers(u+"/...", folder) }) {
				t.Errorf("sizes.go says that %s uses quota.%s, which it does not", u, name)
			}
		}
	}
}

// usersOfSizes are the packages in brackets at the end of the comment of each size that others can
// use. A size without a comment shares that of the one before.
func usersOfSizes(t *testing.T, file string) map[string][]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	brackets, out := regexp.MustCompile(`\[([^\]]*)\]\s*$`), map[string][]string{}
	for _, d := range parsed.Decls {
		doc := ""
		for _, spec := range d.(*ast.GenDecl).Specs {
			size := spec.(*ast.ValueSpec)
			if size.Doc != nil {
				doc = size.Doc.Text()
			}
			found := brackets.FindStringSubmatch(doc)
			if found == nil {
				t.Errorf("%s: the comment does not say who uses it", size.Names[0].Name)
				continue
			}
			if name := size.Names[0].Name; ast.IsExported(name) {
				for u := range strings.SplitSeq(found[1], ", ") {
					switch u {
					case "Meter": // of the package itself
					case "root":
						out[name] = append(out[name], ".")
					default:
						out[name] = append(out[name], u)
					}
				}
			}
		}
	}
	return out
}

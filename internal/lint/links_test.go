package lint

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	markdownLink  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownCode  = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	markdownTitle = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
)

// TestLinks checks the links of all documents: files exist, parts of pages have a title,
// and addresses are of https.
func TestLinks(t *testing.T) {
	links := 0
	eachPage(t, func(file, text string) {
		for _, m := range markdownLink.FindAllStringSubmatch(markdownCode.ReplaceAllString(text, ""), -1) {
			links++
			if problem := checkLink(file, m[1]); problem != "" {
				t.Errorf("%s: the link %s: %s", file, m[1], problem)
			}
		}
	})
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
}

// eachPage calls f with the pages of the project.
func eachPage(t *testing.T, f func(file, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "files" || entry.Name() == "data"):
			return filepath.SkipDir // of others
		case entry.IsDir() || filepath.Ext(file) != ".md":
			return nil
		}
		text, err := os.ReadFile(file)
		if err == nil {
			f(file, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkLink returns what is wrong with a link of a document, or "".
func checkLink(document, link string) string {
	address, err := url.Parse(link)
	switch {
	case err != nil:
		return err.Error()
	case address.Scheme != "":
		if address.Scheme != "https" || address.Host == "" {
			return "it is not https"
		}
		return ""
	}
	file := document
	if address.Path != "" {
		file = filepath.Join(filepath.Dir(document), filepath.FromSlash(address.Path))
	}
	if _, err := os.Stat(file); err != nil {
		return err.Error()
	}
	if address.Fragment == "" || filepath.Ext(file) != ".md" {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	for _, m := range markdownTitle.FindAllStringSubmatch(string(text), -1) {
		if anchor(m[1]) == address.Fragment {
			return ""
		}
	}
	return "the page has no such title"
}

// anchor returns the name that GitHub gives to a title.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}

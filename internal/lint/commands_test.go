package lint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	goCommand   = regexp.MustCompile("(?m)(?:^|`)((?:cd ([^ ]+) && )?(?:[A-Z_]+=[^ ]+ )*go (?:run|test) [^`\n#]*)")
	ownFlag     = regexp.MustCompile(`\.(?:Bool|Int|Int64|String|Duration|Float64|Uint64|Uint)(?:Var)?\([^"\n]*"([^"]+)"`)
	namedTest   = regexp.MustCompile(`(?m)^func (?:Test|Benchmark|Fuzz)(\w+)`)
	flagsOfTest = strings.Fields("v run bench benchtime count short timeout tags race cpu fuzz fuzztime")
)

// TestCommands checks the commands of go on all pages without running them: the folders are there,
// and so are the tests, benchmarks and flags that they name.
func TestCommands(t *testing.T) {
	commands := 0
	eachPage(t, func(file, text string) {
		for _, m := range goCommand.FindAllStringSubmatch(text, -1) {
			commands++
			if problem := commandIn(filepath.Dir(file), m[2], strings.TrimSpace(m[1])); problem != "" {
				t.Errorf("%s: %s: %s", file, m[1], problem)
			}
		}
	})
	if commands < 30 {
		t.Errorf("only %d commands were found", commands)
	}
}

// commandIn returns what is wrong with a command that a page in a folder has, or "". It runs in the
// folder of the page, in the root or in the module of the benchmarks.
func commandIn(page, cd, command string) (problem string) {
	_, command, _ = strings.Cut(command, "go ")
	for _, from := range []string{page, root, filepath.Join(root, "bench")} {
		if problem = commandFrom(filepath.Join(from, cd), strings.Fields(command)); problem == "" {
			return ""
		}
	}
	return problem
}

func commandFrom(folder string, words []string) string {
	testing, words := words[0] == "test", words[1:]
	at, names, flags := folder, []string(nil), []string(nil)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w, "./") || w == ".":
			at = filepath.Join(folder, strings.TrimSuffix(w, "..."))
			if !testing {
				i = len(words)
			}
		case w == "-run" || w == "-bench":
			if i++; i < len(words) && words[i] != "xxx" {
				names = append(names, strings.Trim(words[i], "'\""))
			}
		case strings.HasPrefix(w, "-"):
			flags = append(flags, strings.TrimLeft(w, "-"))
		}
	}
	if !testing {
		for _, w := range words {
			if flag, ok := strings.CutPrefix(w, "-"); ok {
				flags = append(flags, flag)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(at, "*.go"))
	if below, _ := filepath.Glob(filepath.Join(at, "*", "*.go")); err != nil || len(files)+len(below) == 0 {
		return fmt.Sprintf("there is no package in %s", at)
	}
	var source bytes.Buffer
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		source.Write(text)
	}
	for _, name := range names {
		name = strings.TrimPrefix(name, "Test")
		if !slices.ContainsFunc(namedTest.FindAllSubmatch(source.Bytes(), -1), func(m [][]byte) bool { return strings.Contains(string(m[1]), name) }) {
			return fmt.Sprintf("%s has no test %s", at, name)
		}
	}
	own := ownFlag.FindAllStringSubmatch(source.String(), -1)
	for _, flag := range flags {
		flag, _, _ = strings.Cut(flag, "=")
		if testing && slices.Contains(flagsOfTest, flag) || slices.ContainsFunc(own, func(m []string) bool { return m[1] == flag }) {
			continue
		}
		return fmt.Sprintf("%s has no flag -%s", at, flag)
	}
	return ""
}

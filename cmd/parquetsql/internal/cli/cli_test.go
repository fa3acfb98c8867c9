package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain makes the test's program the tool itself for tests that need it as a process.
func TestMain(m *testing.M) {
	if os.Getenv("PARQUETSQL_TEST_TOOL") != "" {
		os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

var testdata = filepath.Join("..", "..", "..", "..", "testdata")

// run runs the tool in this process and returns its exit code and what it has written.
func run(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	folder := t.TempDir()
	open := func(name, text string) *os.File {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	in, out, errs := open("stdin", stdin), open("stdout", ""), open("stderr", "")
	code = Run(args, in, out, errs)
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return code, read("stdout"), read("stderr")
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queries.sql")
	if err := os.WriteFile(file, []byte("-- two\nSELECT 1 AS a;\n\\f tsv\nSELECT ? AS b;"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		stdin  string
		args   []string
		code   int
		stdout string // a regular expression
		stderr string
	}{
		{"query", "", []string{"-csv", testdata, "SELECT Species, COUNT(*) AS n FROM penguins GROUP BY 1 ORDER BY 1"}, 0, `^Species,n\nAdelie,152\nChinstrap,68\nGentoo,124\n$`, `^$`},
		{"arguments", "", []string{"-csv", testdata, "SELECT COUNT(*) FROM penguins WHERE Island = ?", "Dream"}, 0, `\n124\n$`, `^$`},
		{"named arguments", "", []string{testdata, "--csv", "SELECT COUNT(*) FROM penguins WHERE Island = :i", ":i=Dream"}, 0, `\n124\n$`, `^$`},
		{"comment first", "", []string{"-csv", testdata, "-- a comment\nSELECT 1 AS x"}, 0, `^x\n1\n$`, `^$`},
		{"file", "", []string{"-csv", "-f", file, testdata, "five"}, 1, ``, `0 placeholders`},
		{"stdin", "SELECT 1 AS a;\n\\f tsv\nSELECT NULL AS b", []string{"-csv", testdata}, 0, `^a\n1\nb\n\\N\n$`, `^$`},
		{"commands", "\\dt\n\\d penguins\n\\df sha256\n\\x\nSELECT 1 AS a;\n\\timing on\nSELECT 2 AS b", []string{testdata}, 0,
			`(?s)penguins.*Flipper Length.*sha256.*vertical.*a  1.*timing is on.*b  2`, `Time: [0-9.]+ s`},
		{"a mark below the place", "", []string{testdata, "SELECT Island,\n\tspecis FROM penguins"}, 1, `^$`, `(?m)specis.*\n   specis FROM penguins\n   \^~~~~~\n$`},
		{"syntax", "", []string{testdata, "SELECT 1 +"}, 1, `^$`, `syntax error.*\n  SELECT 1 \+\n            \^\n$`},
		{"an error ends the file", "SELECT nope;\nSELECT 1;", []string{testdata}, 1, `^$`, `nope`},
		{"no such folder", "", []string{"/does/not/exist", "SELECT 1"}, 1, `^$`, `^error: .*exist`},
		{"no location", "", nil, 2, `^$`, `location is missing`},
		{"no location before the statement", "", []string{"SELECT 1"}, 2, `^$`, `location comes before the statement`},
		{"a command behind the location", "", []string{testdata, "head"}, 2, `^$`, `parquetsql head `},
		{"a format that there is not", "", []string{testdata, "-o", "x.xlsx", "SELECT 1"}, 2, `^$`, `\.xlsx stands for no format; there are \.csv`},
		{"no such option", "", []string{"-nope", testdata}, 2, `^$`, `-nope`},
		{"no such format", "", []string{"-format", "xls", testdata, "SELECT 1"}, 2, `^$`, `table, vertical, csv`},
		{"help", "", []string{"--help"}, 0, `(?s)LOCATION.*markdown`, `^$`},
		{"version", "", []string{"-version"}, 0, `^parquetsql `, `^$`},
		{"schema", "", []string{"-csv", "schema", filepath.Join(testdata, "penguins.parquet")}, 0, `Species,VARCHAR,BYTE_ARRAY,STRING,OPTIONAL,1,0\n`, `^$`},
		{"meta", "", []string{"meta", filepath.Join(testdata, "penguins.parquet")}, 0, `(?s)344 rows in 1 row group, by DuckDB.*Species.*SB··.*Adelie.*Gentoo`, `^$`},
		{"meta of one of several", "", []string{"-all", "meta", testdata, "movies"}, 0, `(?s)movies.parquet.*pages`, `^$`},
		{"meta of which", "", []string{"meta", testdata}, 1, `^$`, `[0-9]+ tables.*penguins`},
		{"include", "\\i " + file, []string{testdata}, 1, `a`, `placeholder`},
		{"-c", "", []string{"-csv", testdata, "-c", "SELECT ? AS x", "7"}, 0, `^x\n7\n$`, `^$`},
		{"options behind the statement", "", []string{testdata, "SELECT ? AS x", "7", "-csv"}, 0, `^x\n7\n$`, `^$`},
		{"arguments like options", "", []string{testdata, "-csv", "SELECT ? AS x", "--", "-x"}, 0, `^x\n-x\n$`, `^$`},
		{"head", "", []string{"-csv", "head", testdata, "penguins"}, 0, `^Species,[^\n]*\n(Adelie,[^\n]*\n){10}$`, `^$`},
		{"head of some", "", []string{"-csv", "-n", "3", "head", testdata, "penguins"}, 0, `^Species,[^\n]*\n(Adelie,[^\n]*\n){3}$`, `^$`},
		{"head of a number", "", []string{"-csv", "head", filepath.Join(testdata, "penguins.parquet"), "3"}, 0, `^Species,[^\n]*\n(Adelie,[^\n]*\n){3}$`, `^$`},
		{"head of a table and a number", "", []string{"head", testdata, "penguins", "3"}, 2, `^$`, `head -n 3 `},
		{"rows of what has all", "", []string{"-n", "3", "cat", testdata, "penguins"}, 2, `^$`, `head and sample`},
		{"two formats", "", []string{"-csv", "-json", testdata, "SELECT 1"}, 2, `^$`, `two formats, csv and json`},
		{"a format that meta has not", "", []string{"-csv", "meta", testdata, "penguins"}, 2, `^$`, `-json`},
		{"an output of the schema", "", []string{"-o", "x.csv", "schema", testdata, "penguins"}, 2, `^$`, `-o is for`},
		{"a location behind --", "", []string{"-csv", "--", testdata, "SELECT 1 AS a"}, 0, `^a\n1\n$`, `^$`},
		{"a command that is misspelt", "", []string{"hed", testdata}, 2, `^$`, `there is head`},
		{"letters exchanged", "", []string{"mtea", testdata}, 2, `^$`, `there is meta`},
		{"two statements", "", []string{"-c", "SELECT 1", testdata, "SELECT 2"}, 2, `^$`, `two statements`},
		{"no folder of the output", "", []string{"-o", "/nosuch/x.csv", testdata, "SELECT 1"}, 1, `^$`, `^error: /nosuch/x.csv: no such`},
		{"no location of the server", "", []string{"serve", "nosuch"}, 1, `^$`, `^parquetsql serve: location "nosuch"`},
		{"count", "", []string{"-csv", "count", filepath.Join(testdata, "penguins.parquet")}, 0, `^rows\n344\n$`, `^$`},
		{"sample", "", []string{"-csv", "sample", testdata, "penguins"}, 0, `^Species,[^\n]*\n([^\n]*\n){10}$`, `^$`},
		{"cat", "", []string{"-csv", "cat", testdata, "penguins"}, 0, `^Species,[^\n]*\n([^\n]*\n){344}$`, `^$`},
		{"a command of another shell", ".tables", []string{testdata}, 1, `^$`, `\\dt; \\\? lists`},
		{"a command of another shell without a semicolon", ".tables\nSELECT 1 AS a;", []string{"-csv", testdata}, 1, `^$`, `\\dt; \\\? lists`},
		{"the tables for people", "SHOW TABLES", []string{testdata}, 0, `(?s)name.*files.*rows.*size.*penguins +│ +1 │ +344 │`, `(?m)^delta: .*_delta_log`},
		{"the tables for programs", "SHOW TABLES", []string{"-csv", testdata}, 0, `^name\n[^,]*\npenguins\n[^,]*$`, `^$`},
		{"a script that leaves as elsewhere", "SELECT 1 AS a;\nexit\nSELECT 2 AS b;", []string{"-csv", testdata}, 0, `^a\n1\n$`, `^$`},
		{"an empty folder", "", []string{t.TempDir()}, 0, `^There are no Parquet files here`, `^$`},
		{"the tables of an empty folder", "SHOW TABLES", []string{t.TempDir()}, 0, `^There are no Parquet files here`, `^$`},
		{"an ending that says no format", "", []string{testdata, "-o", "x.xyz", "SELECT 1"}, 2, `^$`, `\.xyz stands for no format.*\.parquet.*-format`},
		{"a command that is a key", "clear", []string{testdata}, 1, `^$`, `Ctrl-L clears`},
		{"a word for a command", "tables", []string{testdata}, 1, `^$`, `\\dt; \\\? lists`},
		{"a script that leaves", "SELECT 1 AS a;\n\\q\nSELECT 2 AS b;", []string{"-csv", testdata}, 0, `^a\n1\n$`, `^$`},
		{"null", "", []string{"-null", "", "-x", testdata, "SELECT NULL AS a"}, 0, `(?m)^a  $`, `^$`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := run(t, test.stdin, test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			for _, stream := range []struct{ name, got, want string }{{"stdout", stdout, test.stdout}, {"stderr", stderr, test.stderr}} {
				if !regexp.MustCompile(stream.want).MatchString(stream.got) {
					t.Errorf("%s is\n%s\nwhich does not match %s", stream.name, stream.got, stream.want)
				}
			}
		})
	}
}

func TestOutputFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.csv")
	code, stdout, stderr := run(t, "SELECT 1 AS a;\n\\o\n SELECT 2 AS b;\n\\o |cat\nSELECT 3 AS c;", "-csv", "-o", file, testdata)
	text, err := os.ReadFile(file)
	if code != 0 || err != nil || string(text) != "a\n1\n" || stdout != "b\n2\nc\n3\n" {
		t.Errorf("code %d, file %q, stdout %q, stderr %q, %v", code, text, stdout, stderr, err)
	}
}

func TestOutputName(t *testing.T) {
	for name, want := range map[string]string{"x.csv": "a\n1\n", "x.JSON": "[\n", "x.jsonl": "{\"a\":1}\n", "x.md": "|", "x.txt": "┌"} {
		file := filepath.Join(t.TempDir(), name)
		code, _, stderr := run(t, "", "-o", file, testdata, "SELECT 1 AS a")
		text, err := os.ReadFile(file)
		if code != 0 || err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: code %d, file %q, stderr %q, %v", name, code, text, stderr, err)
		}
	}
	file := filepath.Join(t.TempDir(), "x.csv")
	if code, _, _ := run(t, "", "-o", file, "-tsv", testdata, "SELECT 'a b' AS a, 2 AS b"); code != 0 {
		t.Errorf("code %d", code)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "a\tb\na b\t2\n" {
		t.Errorf("an option is stronger than a name: %q, %v", text, err)
	}
}

// TestColumnar: files of Parquet and of Arrow have the rows of one statement.
func TestColumnar(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "kept.parquet")
	const query = "SELECT Species, [Island, NULL] AS l, COUNT(*) AS n FROM penguins GROUP BY ALL ORDER BY ALL"
	if code, stdout, stderr := run(t, "", "-o", file, testdata, query); code != 0 || stdout != "" || stderr != "" {
		t.Fatal(code, stdout, stderr)
	}
	_, want, _ := run(t, "", "-csv", testdata, query)
	if code, got, stderr := run(t, "", "-csv", "cat", file); code != 0 || got != want || want == "" {
		t.Errorf("code %d\n%s\n%s\n%s", code, got, want, stderr)
	}
	for name, begin := range map[string]string{"x.arrow": "ARROW1", "x.feather": "ARROW1", "x.bin": "\xff\xff\xff\xff"} {
		file := filepath.Join(folder, name)
		args := []string{"-o", file, testdata, query}
		if name == "x.bin" {
			args = append(args, "-arrow")
		}
		code, _, stderr := run(t, "", args...)
		if text, err := os.ReadFile(file); code != 0 || err != nil || !strings.HasPrefix(string(text), begin) {
			t.Errorf("%s: code %d, %d bytes, %s, %v", name, code, len(text), stderr, err)
		}
	}
	if code, stdout, stderr := run(t, "", "-arrow", testdata, query); code != 0 || !strings.HasPrefix(stdout, "\xff\xff\xff\xff") {
		t.Errorf("code %d, %q, %s", code, stdout, stderr)
	}
	script := "\\o " + file + "\n\\f parquet\nSELECT 1 AS a;\n\\o " + file + "2\nSELECT 2 AS b;\nSELECT 3 AS c;"
	if code, _, stderr := run(t, script, testdata); code != 1 || !strings.Contains(stderr, "one statement") {
		t.Errorf("code %d, %s", code, stderr)
	}
	file += "3"
	if code, _, stderr := run(t, "", "-parquet", "-o", file, testdata, "SELECT CAST(name AS BIGINT) FROM airports"); code != 1 || !strings.Contains(stderr, "BIGINT") {
		t.Errorf("code %d, %s", code, stderr)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file of a statement that has failed: %v", err)
	}
}

// TestInputs checks that no file that is read is replaced, by whatever name.
func TestInputs(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	text, err := os.ReadFile(filepath.Join(testdata, "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(names ...string) {
		for _, name := range names {
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, text, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	in := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	target, link := filepath.Join(outside, "target.dat"), in("link.parquet")
	write(in("m.parquet"), in("days/1.parquet"), in("plain.dat"), in("lake/_delta_log/x.json"), target)
	back := filepath.Join(outside, "back.parquet")
	if err := errors.Join(os.Symlink(target, link), os.Symlink(in("m.parquet"), back), os.Link(in("m.parquet"), filepath.Join(outside, "hard.parquet"))); err != nil {
		t.Skip(err)
	}
	const query = "SELECT 1 AS a"
	for _, args := range [][]string{
		{"-o", in("m.parquet"), folder, query},
		{"-o", in("m.parquet"), in("m.parquet"), query},
		{"-o", in("m.parquet"), "file://" + filepath.ToSlash(in("m.parquet")), query},
		{"-o", in("m.parquet"), folder + "?parallelism=1", query},
		{"-csv", "-o", in("m.parquet"), in("*.parquet"), query},
		{"-o", in("days/1.parquet"), in("**/*.parquet"), query},
		{"-o", in("days/1.parquet"), folder, query},
		{"-csv", "-o", in("plain.dat"), folder, query},
		{"-csv", "-o", in("lake/_delta_log/x.json"), folder, query},
		{"-csv", "-o", target, folder, query},
		{"-o", link, folder, query},
		{"-o", back, folder, query},
		{"-o", filepath.Join(outside, "hard.parquet"), in("m.parquet"), query},
		{"-o", in("m.parquet"), "merge", in("m.parquet"), in("days/1.parquet")},
		{"-o", in("days/1.parquet"), "merge", in("m.parquet"), in("days/1.parquet")},
	} {
		if code, _, stderr := run(t, "", args...); code != codeFailed || !strings.Contains(stderr, "does not change its inputs") {
			t.Errorf("%q: code %d, %s", args, code, stderr)
		}
	}
	if code, _, stderr := run(t, "\\o "+in("m.parquet"), folder); code != codeFailed || !strings.Contains(stderr, "inputs") {
		t.Errorf("code %d, %s", code, stderr)
	}
	for _, name := range []string{in("m.parquet"), in("days/1.parquet"), in("plain.dat"), in("lake/_delta_log/x.json"), target} {
		if now, err := os.ReadFile(name); err != nil || string(now) != string(text) {
			t.Errorf("%s has changed, %v", name, err)
		}
	}
	write(in("old.csv"))
	if err := os.WriteFile(in("old.csv"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-o", in("old.csv"), folder, query}, {"-o", in("new.parquet"), folder, query}, {"-o", in("new.parquet"), in("m*.parquet"), query}} {
		if code, _, stderr := run(t, "", args...); code != 0 {
			t.Errorf("%q: code %d, %s", args, code, stderr)
		}
	}
}

// TestOverwritten replaces a file only where the statement succeeds, and keeps its permissions.
func TestOverwritten(t *testing.T) {
	folder := t.TempDir()
	file, kept := filepath.Join(folder, "p.csv"), filepath.Join(folder, "kept.csv")
	if err := errors.Join(os.WriteFile(file, []byte("before"), 0o640), os.WriteFile(kept, []byte("kept"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "", "-o", file, testdata, "SELECT 5 AS n"); code != 0 {
		t.Fatal(code, stderr)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "n\n5\n" {
		t.Errorf("%s, error %v", got, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, error %v", info, err)
	}
	if code, _, _ := run(t, "", "-o", kept, testdata, "SELECT nope FROM penguins"); code != 1 {
		t.Errorf("code %d", code)
	}
	if got, err := os.ReadFile(kept); err != nil || string(got) != "kept" {
		t.Errorf("the file has %q, error %v", got, err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 2 {
		t.Errorf("%v, error %v", list, err)
	}
}

// TestVersion: the statement says what the option says.
func TestVersion(t *testing.T) {
	_, option, _ := run(t, "", "-version")
	if code, stdout, stderr := run(t, "", "-csv", testdata, "SELECT version() AS v"); code != 0 || stdout != "v\n"+option {
		t.Errorf("%q, %q, %s", stdout, option, stderr)
	}
}

// TestReadmeOptions checks that the manual and the help have the same options.
func TestReadmeOptions(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if _, text, _ := strings.Cut(string(readme), "```text\n"); !strings.HasPrefix(text, book().Help()) {
		t.Errorf("README.md has to have the text of --help in its first block of text")
	}
}

// TestClosedPipe checks that a reader that goes away, as head does, is no error.
func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{{testdata, "SELECT range FROM range(1000000)"}, {"-csv", testdata, "SELECT range FROM range(1000000)"}, {"meta", "-json", testdata, "penguins"}, {"-help"}} {
		c := exec.Command(os.Args[0], args...)
		c.Env = append(os.Environ(), "PARQUETSQL_TEST_TOOL=1")
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var message strings.Builder
		c.Stdout, c.Stderr = writer, &message
		err = errors.Join(reader.Close(), c.Run(), writer.Close())
		if err != nil || message.Len() > 0 {
			t.Errorf("%q: %v: %s", args, err, message.String())
		}
	}
}

func TestUnknownOption(t *testing.T) {
	if code, _, stderr := run(t, "", "-forma", "csv", testdata); code != codeUsage || !strings.Contains(stderr, "there is no option -forma (there is -format)") {
		t.Errorf("%d: %s", code, stderr)
	}
	if code, _, stderr := run(t, "", "-quatsch", testdata); code != codeUsage || !strings.Contains(stderr, "there is no option -quatsch\n") {
		t.Errorf("%d: %s", code, stderr)
	}
}

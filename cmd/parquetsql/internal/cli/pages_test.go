package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var repository = filepath.Dir(testdata)

// notRun are the documented commands and pieces of code that this test does not run, by how they
// begin, and why not. Commands of go that measure or take minutes are checked by internal/lint: what
// they name exists.
var notRun = []struct{ begins, why string }{
	{"go get github.com/", "no version is published"},
	{"go install github.com/", "no version is published"},
	{"go test ", "internal/lint checks what it names; .ci/run runs the tests"},
	{"cd bench && go test", "the same"},
	{".ci/run", "it runs this test"},
	{"PARQUETSQL_TPC_OPTIONS=", "internal/lint checks what it names; minutes"},
	{"go run ./cmd/", "internal/lint checks what it names; it measures"},
	{"cd remote && ", "internal/lint checks what it names; it measures"},
	{"cd iceberg && ", "internal/lint checks what it names; it measures"},
	{"cd examples/query && go build -o /tmp/query", "it measures, and writes to /tmp"},
	{"parquetsql serve", "it does not end, and listens on PostgreSQL's own port: server/clients_test.go has the clients"},
	{"psql 'host=", "the client of the line before"},
	{"parquetsql 'iceberg://host/", "there is no such host: iceberg/ has a catalog for tests"},
	{"COPY (SELECT * FROM events", "DuckDB's, to write"},
	{"pq.write_table", "pyarrow's, to write"},
	{"properties := parquet.NewWriterProperties", "arrow-go's, to write: bench/cmd/writing has it as a program"},
	{"writer := parquet.NewGenericWriter", "parquet-go's, to write: bench/cmd/writing has it as a program"},
	{`import "github.com/parquetsql/parquetsql/fragments"`, "a module of its own: fragments/example_test.go runs it"},
	{"import (\n\t\"github.com/parquetsql/parquetsql/fragments/bucket\"", "a module of its own: fragments/bucket/bucket_test.go runs it"},
	{"beam.Init()", "a module of its own: beam/query_test.go runs it"},
	{"cd beam && go run ./cmd/parquetbeam", "a module of its own, whose compilation takes minutes: internal/lint checks what it names"},
	{"func (d *Driver) Connect", "examples/consumers/platforms compiles and runs it"},
	{"SELECT date_trunc('month', date) AS time, weather", "$__timeFilter is Grafana's: examples/consumers/platforms runs it"},
}

// outputs are blocks that show what a command prints, by how they begin; they have to be part of it.
var outputs = []struct{ begins, command string }{
	{"Species    n    mean", `go run ./examples/query testdata 'SELECT Species, COUNT(*) AS n, AVG("Body Mass (g)") AS mean FROM penguins GROUP BY Species ORDER BY n DESC'`},
	{"research: 4 people", "go run ./examples/encrypted"},
	{`error: no such column: "specis"`, "cd testdata; parquetsql penguins.parquet 'SELECT\n  specis FROM penguins' 2>&1 || true"},
}

// elsewhere are pages whose blocks another test runs.
var elsewhere = map[string]string{"docs/recipes.md": "TestRecipes of the driver", "ARCHITECTURE.md": "pictures of folders and plans"}

type block struct {
	page, lang, text string
	line             int
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

var (
	fenced = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	inline = regexp.MustCompile("`(parquetsql [^`\n]*)`")
)

// blocks returns the code of all pages of the repository.
func blocks(t *testing.T) (all []block) {
	pages, err := exec.Command("git", "-C", repository, "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("not in a clone: ", err)
	}
	for _, page := range strings.Fields(string(pages)) {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fenced.FindAllSubmatchIndex(text, -1) {
			line := 1 + bytes.Count(text[:m[0]], []byte("\n"))
			all = append(all, block{page, string(text[m[2]:m[3]]), string(text[m[4]:m[5]]), line})
		}
		prose := fenced.ReplaceAllFunc(text, func(b []byte) []byte { return bytes.Repeat([]byte("\n"), bytes.Count(b, []byte("\n"))) })
		for _, m := range inline.FindAllSubmatchIndex(prose, -1) {
			all = append(all, block{page, "sh", string(prose[m[2]:m[3]]) + "\n", 1 + bytes.Count(prose[:m[0]], []byte("\n"))})
		}
	}
	return all
}

// TestPages runs the commands, statements and pieces of Go of all pages as they are written.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles examples")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	p := newPlace(t, bash)
	excused := map[string]bool{}
	why := func(text string) bool {
		for _, n := range notRun {
			if strings.HasPrefix(text, n.begins) {
				excused[n.begins] = true
				return true
			}
		}
		return false
	}
	ran := 0
	for _, b := range blocks(t) {
		if elsewhere[b.page] != "" || strings.HasPrefix(b.page, "testdata/") || why(b.text) && b.lang != "" && b.lang != "sh" {
			continue
		}
		switch i := slices.IndexFunc(outputs, func(o struct{ begins, command string }) bool { return strings.HasPrefix(b.text, o.begins) }); {
		case i >= 0:
			if got := p.sh(t, repository, outputs[i].command); !strings.Contains(got, b.text) {
				t.Errorf("%s: %s prints\n%s", b, outputs[i].command, got)
			}
		case b.lang == "text": // the help, see TestReadmeOptions
		case strings.HasPrefix(b.text, `\d`):
			p.commands(t, b)
		case b.lang == "sql":
			p.sql(t, b)
		case b.lang == "go":
			p.compiles(t, b)
		case b.lang == "sh" || b.lang == "":
			for line := range strings.Lines(b.text) {
				line = strings.TrimSpace(line)
				if continued := !regexp.MustCompile(`^[a-z.A-Z_]+[ =/(]`).MatchString(line); why(line) || continued {
					continue
				}
				folder := p.folder
				if strings.HasPrefix(line, "go run ./examples") {
					folder = repository
				}
				p.sh(t, folder, p.filled(line))
				ran++
			}
		default:
			t.Errorf("%s: nobody runs code of %q", b, b.lang)
		}
	}
	if ran < 15 {
		t.Errorf("only %d commands ran", ran)
	}
	for _, n := range notRun {
		if !excused[n.begins] {
			t.Errorf("no page has %q: its exception is not needed", n.begins)
		}
	}
}

// place is a folder with what the commands of the pages name.
type place struct{ bash, folder, bin string }

func newPlace(t *testing.T, bash string) *place {
	p := &place{bash, t.TempDir(), t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tool := fmt.Sprintf("#!/bin/sh\nPARQUETSQL_TEST_TOOL=1 exec '%s' \"$@\"\n", self)
	if err := os.WriteFile(filepath.Join(p.bin, "parquetsql"), []byte(tool), 0o700); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(p.folder, "home", ".config", "fish", "completions")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	p.sh(t, p.folder, `mkdir data 2023 2024
rows="SELECT region, amount, DATE '2023-12-30' + CAST(n AS INTEGER) AS day FROM (VALUES ('north', 500.5, 1), ('south', 2000.25, 2), ('east', 70, 3)) v(region, amount, n)"
parquetsql -o orders.parquet data "$rows"
cp orders.parquet data; cp orders.parquet 2023; cp orders.parquet 2024
echo 'SELECT COUNT(*) FROM orders;' > report.sql`)
	return p
}

// sh runs a command and returns what it writes.
func (p *place) sh(t *testing.T, folder, command string) string {
	t.Helper()
	for _, program := range []string{"jq", "man"} { // which not every machine has
		if _, err := exec.LookPath(program); err != nil && strings.Contains(command, "| "+program) {
			t.Logf("no %s: not run: %s", program, command)
			return ""
		}
	}
	c := exec.Command(p.bash, "-e", "-o", "pipefail", "-c", `fpath=("$PWD" "$PWD"); `+command)
	c.Dir = folder
	c.Env = append(os.Environ(), "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	if !strings.Contains(command, "go run") { // which has its caches at home
		c.Env = append(c.Env, "HOME="+filepath.Join(p.folder, "home"))
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Errorf("%s: %v\n%s%s", command, err, out.String(), errs.String())
	}
	return out.String()
}

// filled is a command with files in place of the words that stand for one.
func (p *place) filled(command string) string {
	words := strings.Fields(command)
	if words[0] != "parquetsql" || strings.ContainsAny(command, `'"|`) {
		return command
	}
	for i, w := range words {
		switch w {
		case "FILE":
			words[i] = "orders.parquet"
		case "LOCATION", "A":
			words[i] = "2023/orders.parquet"
		case "B":
			words[i] = "2024/orders.parquet"
		case "testdata":
			words[i] = filepath.Join(repository, w)
			if abs, err := filepath.Abs(words[i]); err == nil {
				words[i] = abs
			}
		}
	}
	return strings.Join(words, " ")
}

// commands runs the commands of the shell, which a block lists with their arguments.
func (p *place) commands(t *testing.T, b block) {
	var script strings.Builder
	for line := range strings.Lines(b.text) {
		form, _, _ := strings.Cut(line, "  ")
		form = regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(form, "")
		fmt.Fprintln(&script, strings.Replace(form, "FILE", filepath.Join(p.folder, "report.sql"), 1))
	}
	if code, _, stderr := run(t, script.String(), filepath.Join(p.folder, "data")); code != 0 {
		t.Errorf("%s: code %d, %s", b, code, stderr)
	}
}

// compiles checks that a piece of Go is right: what it declares is used, and what it does not
// declare is there.
func (p *place) compiles(t *testing.T, b block) {
	imports, body := "", b.text
	if m := regexp.MustCompile(`(?s)^import (\(.*?\n\)|[^\n]*)\n`).FindString(b.text); m != "" {
		imports, body = m, b.text[len(m):]
	}
	for name, path := range map[string]string{"sql": "database/sql", "parquetsql": "github.com/parquetsql/parquetsql"} {
		if strings.Contains(body, name+".") && !strings.Contains(imports, `	"`+path) {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	used := ""
	for _, m := range regexp.MustCompile(`(?m)^(\w+(?:, \w+)*) :=`).FindAllStringSubmatch(body, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			used += "_ = " + name + "\n"
		}
	}
	program := "package main\n" + imports + "func main() {\n" + body + used + "}\n"
	if strings.Contains(body, "myKMS") {
		program += "var myKMS parquetsql.KMS\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", file)
	vet.Dir = filepath.Join("..", "..")
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s%s", b, err, out, program)
	}
}

// sql runs statements over tables of their kind.
func (p *place) sql(t *testing.T, b block) {
	folder := t.TempDir()
	switch b.page {
	case "docs/delta.md":
		deltaEvents(t, filepath.Join(folder, "events"))
	case "docs/iceberg.md":
		icebergEvents(t, filepath.Join(folder, "events"))
		icebergEvents(t, filepath.Join(folder, "lake", "db", "events"))
	default:
		t.Errorf("%s: nobody runs it", b)
		return
	}
	code, stdout, stderr := run(t, b.text, "-csv", folder)
	if n := strings.Count(b.text, ";"); code != 0 || strings.Count(stdout, "\n") < 2*n {
		t.Errorf("%s: code %d, %s%s", b, code, stdout, stderr)
	}
}

// deltaEvents writes a table of five versions, the first ones before 2024-02-01.
func deltaEvents(t *testing.T, folder string) {
	file, err := os.ReadFile(filepath.Join(testdata, "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "_delta_log")
	if err := os.MkdirAll(log, 0o700); err != nil {
		t.Fatal(err)
	}
	schema := `{\"type\":\"struct\",\"fields\":[{\"name\":\"Species\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}`
	for version := range 5 {
		data := fmt.Sprintf("part-%d.parquet", version)
		commit := fmt.Sprintf(`{"add":{"path":"%s","partitionValues":{},"size":%d,"modificationTime":0,"dataChange":true}}`+"\n", data, len(file))
		if version == 0 {
			commit = `{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}` + "\n" +
				`{"metaData":{"id":"e","format":{"provider":"parquet","options":{}},"schemaString":"` + schema + `","partitionColumns":[],"configuration":{}}}` + "\n" + commit
		}
		name := filepath.Join(log, fmt.Sprintf("%020d.json", version))
		at := time.Date(2024, 1, 30+version, 0, 0, 0, 0, time.UTC)
		for _, err := range []error{os.WriteFile(filepath.Join(folder, data), file, 0o600), os.WriteFile(name, []byte(commit), 0o600), os.Chtimes(name, at, at)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A snapshot of the table, and what the page calls it.
const was, is = "4416477559988274704", "5763349507283783091"

// icebergEvents is a table of DuckDB's repository, with the snapshot, the branch and the times that
// the page names.
func icebergEvents(t *testing.T, folder string) {
	from := filepath.Join(testdata, "iceberg", "duckdb-iceberg", "data", "persistent", "equality_deletes", "warehouse", "mydb", "mytable_partitioned")
	if err := os.CopyFS(folder, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "metadata", "*.metadata.json"))
	if err != nil || len(names) == 0 {
		t.Fatal("no metadata: ", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var metadata map[string]any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&metadata); err != nil {
			t.Fatal(err)
		}
		retold(metadata)
		if refs, ok := metadata["refs"].(map[string]any); ok && len(refs) > 0 {
			refs["audit"] = map[string]any{"snapshot-id": json.Number(is), "type": "branch"}
		}
		if text, err = json.Marshal(metadata); err == nil {
			err = os.WriteFile(name, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// retold renames the snapshot in a metadata file, and moves all times five years back.
func retold(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if n, ok := v.(json.Number); ok && strings.HasSuffix(key, "-ms") {
				if ms, err := n.Int64(); err == nil && ms > 0 {
					value[key] = ms - (5 * 365 * 24 * time.Hour).Milliseconds()
				}
			}
			if v == json.Number(was) {
				value[key] = json.Number(is)
			}
			retold(v)
		}
	case []any:
		for _, v := range value {
			retold(v)
		}
	}
}

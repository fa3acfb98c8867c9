package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestSeveralLocations(t *testing.T) {
	testdata, err := filepath.Abs(testdata)
	if err != nil {
		t.Fatal(err)
	}
	penguins, movies := filepath.Join(testdata, "penguins.parquet"), filepath.Join(testdata, "movies.parquet")
	other := filepath.Join(t.TempDir(), "penguins.parquet")
	text, err := os.ReadFile(penguins)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("notes", []byte("a,b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"bare", "y=1", "y=2", ".h"} {
		if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(folder+"/t.parquet", text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"a table each", []string{"-csv", penguins, movies, "SHOW TABLES"}, 0, "name\nmovies\npenguins\n", ""},
		{"a folder among them", []string{"-csv", penguins, filepath.Join(testdata, "mapping"), "SELECT COUNT(*) AS n FROM mapping"}, 0, "n\n12\n", ""},
		{"arguments", []string{"-csv", penguins, movies, "SELECT COUNT(*) AS n FROM penguins WHERE Island = ?", "Dream"}, 0, "n\n124\n", ""},
		{"the statement first", []string{"-csv", "-c", "SELECT COUNT(*) AS n FROM movies", penguins, movies}, 0, "n\n3201\n", ""},
		{"one table", []string{"-csv", "-union", penguins, other, "SELECT COUNT(*) AS n, COUNT(DISTINCT _file) AS f FROM files"}, 0, "n,f\n688,2\n", ""},
		{"the paths that were typed", []string{"-csv", "-union", "y=1/t.parquet", "./y=2/t.parquet", "SELECT _file, y, COUNT(*) AS n FROM files GROUP BY ALL ORDER BY ALL"}, 0,
			"_file,y,n\nfiles/y=1/t.parquet,1,344\nfiles/y=2/t.parquet,2,344\n", ""},
		{"a file of a folder, and the folder", []string{"-csv", "-union", "bare/t.parquet", "bare", "SELECT COUNT(*) AS n, COUNT(DISTINCT _file) AS f FROM files"}, 0, "n,f\n688,2\n", ""},
		{"a hidden folder", []string{"-csv", "-union", ".h/t.parquet", "bare", "SELECT COUNT(*) AS n FROM files"}, 0, "n\n688\n", ""},
		{"one name twice", []string{penguins, other, "SELECT 1"}, 1, "", "-union makes all files one"},
		{"what is not there", []string{penguins, "nothing.parquet", "SELECT 1"}, 1, "", `location "nothing.parquet": no such file`},
		{"what is no Parquet file", []string{"merge", "-o", filepath.Join(t.TempDir(), "x.parquet"), penguins, "notes"}, 1, "", `corrupt file "notes": not a Parquet file`},
		{"folders with bare names", []string{"-csv", filepath.Join(testdata, "mapping"), "bare", "SHOW TABLES"}, 0, "name\nbare\nmapping\n", ""},
		{"addresses", []string{"s3://bucket/a", penguins, "SELECT 1"}, 1, "", "files and folders of this machine"},
		{"options", []string{"-csv", penguins + "?binary_as_string=true", movies, "SELECT COUNT(*) AS n FROM movies"}, 0, "n\n3201\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := run(t, "", test.args...)
			if code != test.code || stdout != test.stdout || !strings.Contains(stderr, test.stderr) {
				t.Errorf("code %d\n%s\n%s", code, stdout, stderr)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	penguins := filepath.Join(testdata, "penguins.parquet")
	if code, stdout, stderr := run(t, "", "diff", penguins, testdata, "penguins"); code != 0 || stdout+stderr != "" {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	code, stdout, _ := run(t, "", "-csv", "diff", filepath.Join(testdata, "seattle_weather.parquet"), filepath.Join(testdata, "airports.parquet"))
	if code != 1 || !strings.Contains(stdout, "\nweather,only in the first,VARCHAR,\n") || !strings.Contains(stdout, "\nlatitude,only in the second,,DOUBLE\n") {
		t.Errorf("%d %s", code, stdout)
	}
	if code, _, stderr := run(t, "", "diff", penguins); code != 2 || !strings.Contains(stderr, "two locations") {
		t.Errorf("%d %s", code, stderr)
	}
}

func TestCharts(t *testing.T) {
	const bars = "SELECT Species, COUNT(*) AS n FROM penguins GROUP BY 1 ORDER BY 1"
	code, stdout, _ := run(t, "", "-chart", "-width", "40", testdata, bars)
	if code != 0 || !strings.Contains(stdout, "\nAdelie    ███") || !strings.Contains(stdout, " 152\n") {
		t.Errorf("%d\n%s", code, stdout)
	}
	for _, args := range [][]string{{"-o"}, {"-chart", "-o"}} {
		file := filepath.Join(t.TempDir(), "x.svg")
		code, _, stderr := run(t, "", append(args, file, testdata, bars)...)
		if text, err := os.ReadFile(file); code != 0 || err != nil || !strings.HasPrefix(string(text), "<svg") || !strings.Contains(string(text), "Chinstrap") {
			t.Errorf("%v: %d %s %v", args, code, stderr, err)
		}
	}
	if code, _, stderr := run(t, "", "-chart", testdata, "SELECT Species FROM penguins"); code != 1 || !strings.Contains(stderr, "Species (text)") {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestCompletion runs the script in bash, with this program as the tool.
func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	_, script, _ := run(t, "", "completion", "bash")
	folder := t.TempDir()
	tool := "#!/bin/sh\nPARQUETSQL_TEST_TOOL=1 exec " + os.Args[0] + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "parquetsql"), []byte(tool), 0o700); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"he":                       "head",
		"-forma":                   "-format",
		"-format ndj":              "ndjson",
		"head " + testdata + " pe": "penguins",
		"-csv -null x count " + testdata + " movi": "movies",
		"completion fi":   "fish",
		testdata + "/pen": testdata + "/penguins.parquet",
	} {
		text := script + `COMP_WORDS=(parquetsql ` + line + `); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parquetsql; echo "${COMPREPLY[*]}"`
		cmd := exec.Command(bash, "-c", text)
		cmd.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, %v", line, out, err)
		}
	}
	hostile := t.TempDir()
	if err := os.WriteFile(filepath.Join(hostile, "x$(touch $HOSTILE).parquet"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-c", script+`COMP_WORDS=(parquetsql head "$FOLDER" ""); COMP_CWORD=3; _parquetsql; echo "${COMPREPLY[*]}"`)
	cmd.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"), "FOLDER="+hostile, "HOSTILE="+filepath.Join(folder, "run"))
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != `x\$\(touch\ \$HOSTILE\)` {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "run")); err == nil {
		t.Error("the name of a table was run")
	}
	for _, shell := range []string{"zsh", "fish"} {
		_, script, _ := run(t, "", "completion", shell)
		for _, word := range []string{"ndjson", "head", "-union"} {
			if !strings.Contains(script, strings.TrimPrefix(word, "-")) {
				t.Errorf("the script for %s has no %s", shell, word)
			}
		}
		if program, err := exec.LookPath(shell); err == nil {
			if out, err := exec.Command(program, "-n", "-c", script).CombinedOutput(); err != nil {
				t.Errorf("%s: %s", shell, out)
			}
		}
	}
	if code, _, stderr := run(t, "", "completion", "csh"); code != 2 || !strings.Contains(stderr, "bash, zsh, fish") {
		t.Errorf("%d %s", code, stderr)
	}
}

func TestMan(t *testing.T) {
	_, page, _ := run(t, "", "man")
	for _, o := range options {
		if !strings.Contains(page, `\fB\-`+strings.ReplaceAll(o.Name, "-", `\-`)) {
			t.Errorf("the page has no -%s", o.Name)
		}
	}
	man, err := exec.LookPath("man")
	if err != nil {
		return
	}
	cmd := exec.Command(man, "--warnings", "-l", "-")
	cmd.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	if err := cmd.Run(); err != nil || warnings.Len() > 0 {
		t.Errorf("man: %v %s", err, warnings.String())
	}
}

func TestMetaJSON(t *testing.T) {
	code, stdout, _ := run(t, "", "-json", "meta", filepath.Join(testdata, "penguins.parquet"))
	for _, want := range []string{`"table": "penguins"`, `"rows": 344`, `"codecs": [`, `"max": "Gentoo"`} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%d, no %s in\n%s", code, want, stdout)
		}
	}
}

func TestTables(t *testing.T) {
	code, stdout, _ := run(t, "\\d\n", "-csv", filepath.Join(testdata, "penguins.parquet"))
	if code != 0 || stdout != "name,files,rows,size\npenguins,1,344,5.2 KiB\n" {
		t.Errorf("%d %s", code, stdout)
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "bad.parquet"), []byte("PAR1 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := run(t, "SHOW TABLES", damaged); code != 0 || !strings.Contains(stdout, "NULL") || !strings.HasPrefix(stderr, "bad: ") || !strings.Contains(stderr, "bad.parquet") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	code, stdout, _ = run(t, "\\d\n", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "There are no Parquet files") {
		t.Errorf("%d %s", code, stdout)
	}
	code, stdout, _ = run(t, "\\rows 2\nSELECT * FROM range(1000) r(n);\n\\rows 0\n\\rows x", t.TempDir())
	if code != 1 || !strings.Contains(stdout, "│      1 │\n└────────┘\n2 of 1000 rows; \\rows 0 shows all\n") {
		t.Errorf("%d %s", code, stdout)
	}
}

func TestMerge(t *testing.T) {
	penguins := filepath.Join(testdata, "penguins.parquet")
	folder := t.TempDir()
	text, err := os.ReadFile(penguins)
	if err != nil {
		t.Fatal(err)
	}
	other, out := filepath.Join(folder, "other.parquet"), filepath.Join(folder, "all.parquet")
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "", "merge", penguins, other, "-o", out); code != 0 {
		t.Fatalf("%d %s", code, stderr)
	}
	code, stdout, stderr := run(t, "", "-csv", out, `SELECT COUNT(*) AS n, SUM("Body Mass (g)") AS s, COUNT(DISTINCT Species) AS d FROM "all"`)
	if code != 0 || stdout != "n,s,d\n688,2874000,3\n" { // twice 344 rows and 1437000 grams
		t.Errorf("%d %s %s", code, stdout, stderr)
	}
	if code, _, stderr := run(t, "", "merge", penguins, other); code != 2 || !strings.Contains(stderr, "-o FILE") {
		t.Errorf("%d %s", code, stderr)
	}
}

// Command pressure measures what queries need under memory limits: each query runs in a
// fresh process, which tells the peak of its resident memory and its answer. DuckDB,
// which has written the files, tells the right answer. It prints a table, and what is past the
// promise of docs/reliability.md in bold; -update writes what was measured to the table there. It
// needs Linux.
//
//	go run ./cmd/pressure -dir /tmp/pressure [-only GROUP] [-limits 16MiB,64MiB] [-update ../docs/reliability.md]
package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/parquetsql/parquetsql"
)

// outcome is what a child process prints.
type outcome struct {
	Before, Peak int64 // bytes of resident memory
	Answer       string
	Error        string
	Limited      bool // Error is ErrMemoryLimit
}

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", filepath.Join(os.TempDir(), "pressure"), "folder of the files, which are written where they are missing")
	only := flag.String("only", "", "only the cases whose names have one of these in them, with semicolons")
	document := flag.String("update", "", "document whose table gets what is measured")
	limits := flag.String("limits", "16MiB,64MiB,256MiB,default", "memory limits, with commas")
	corrupt := flag.String("corrupt", filepath.Join("..", "testdata", "corrupt"), "folder of damaged files")
	child := flag.Bool("child", false, "run the query on the standard input alone")
	limit := flag.String("limit", "", "memory limit of -child")
	flag.Parse()
	if *child {
		runChild(*dir, *limit)
		return
	}
	if err := generate(*dir, *corrupt); err != nil {
		log.Fatal(err)
	}
	if err := table(*dir, *only, *document, strings.Split(*limits, ",")); err != nil {
		log.Fatal(err)
	}
}

// table runs all cases.
func table(dir, only, document string, limits []string) error {
	fmt.Printf("| query | %s |\n| --- |%s\n", strings.Join(limits, " | "), strings.Repeat(" ---: |", len(limits)))
	for _, c := range all {
		if !slices.ContainsFunc(strings.Split(only, ";"), func(part string) bool { return strings.Contains(c.name, part) }) {
			continue
		}
		want, err := expected(dir, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Printf("| %s |", c.name)
		for _, limit := range limits {
			start := time.Now()
			measured := cell(dir, c, limit, want)
			fmt.Printf(" %s, %.1f s |", measured, time.Since(start).Seconds())
			if document == "" {
				continue
			}
			if err := update(document, c.name, limit, measured); err != nil {
				return err
			}
		}
		fmt.Println()
	}
	return nil
}

// expected is the answer of DuckDB, or the one that is known.
func expected(dir string, c testCase) (string, error) {
	if c.want != "" {
		return c.want, nil
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	for name := range files {
		if _, err := db.Exec(fmt.Sprintf("CREATE VIEW %s AS FROM '%s'", name, filepath.Join(dir, name+".parquet"))); err != nil {
			return "", err
		}
	}
	return answer(db, c.query)
}

// cell runs a case in a process of its own.
func cell(dir string, c testCase, limit, want string) string {
	var out, errs bytes.Buffer
	cmd := exec.Command(os.Args[0], "-dir", dir, "-child", "-limit", limit)
	cmd.Stdin = strings.NewReader(c.query)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var o outcome
	if err != nil || json.Unmarshal(out.Bytes(), &o) != nil {
		first, _, _ := strings.Cut(errs.String(), "\n")
		return fmt.Sprintf("**dies: %v %s**", err, first)
	}
	peak := (o.Peak - o.Before) >> 20
	text := fmt.Sprintf("%d MiB", peak)
	switch {
	case o.Error != "" && want == refused:
		text += ", refused"
	case o.Error != "" && !o.Limited:
		return fmt.Sprintf("**%.200s**", o.Error)
	case o.Error != "":
		text += ", ErrMemoryLimit"
	case o.Answer != want:
		return fmt.Sprintf("**wrong: %s, not %s**", o.Answer, want)
	}
	if n, err := strconv.ParseInt(strings.TrimSuffix(limit, "MiB"), 10, 64); err == nil && peak >= n+promised {
		return "**" + text + "**"
	}
	return text
}

// promised is how many MiB a process may hold beyond what it held before and the limit.
const promised = 64

// runChild runs one query and prints its outcome.
func runChild(dir, limit string) {
	query, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	dsn := dir + "?temp_dir=" + os.TempDir() + "&footer_key=" + base64.RawURLEncoding.EncodeToString([]byte(hiddenKey))
	if limit != "default" {
		dsn += "&memory_limit=" + limit
	}
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Ping(); err != nil {
		log.Fatal(err)
	}
	o := outcome{Before: status("VmRSS")}
	if o.Answer, err = answer(db, string(query)); err != nil {
		o.Error, o.Limited = err.Error(), errors.Is(err, parquetsql.ErrMemoryLimit)
	}
	o.Peak = status("VmHWM")
	if err := json.NewEncoder(os.Stdout).Encode(o); err != nil {
		log.Fatal(err)
	}
}

// answer is the number of rows and the first one.
func answer(db *sql.DB, query string) (string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	n, first := 0, new(strings.Builder)
	values, into := make([]sql.RawBytes, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if n++; n > 1 {
			continue
		}
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		for _, v := range values {
			first.WriteString(" " + string(v[:min(len(v), 20)]))
		}
	}
	return strconv.Itoa(n) + " rows, first" + first.String(), rows.Err()
}

// status reads a number of bytes from /proc/self/status.
func status(name string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

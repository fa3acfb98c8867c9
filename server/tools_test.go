package server_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestTools runs what reporting tools ask when they connect and list, and questions as they write
// them: testdata/tools.txt has the statements with their origin, each with the columns that PostgreSQL 15
// answers: their names and kinds of types. Where those here differ on purpose they stand behind !.
func TestTools(t *testing.T) {
	const path = "testdata/tools.txt"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, nil)
	c := connect(t, address, "")
	var theirs *pgx.Conn
	if *postgres != "" {
		theirs = twin(t)
	}
	var out bytes.Buffer
	n := 0
	for block := range strings.SplitSeq(strings.TrimSpace(string(file)), "\n\n") {
		lines := strings.Split(block, "\n")
		if len(lines) < 2 {
			t.Fatalf("%q", block)
		}
		title, statement, want, ours := lines[0], lines[1], "", ""
		for _, line := range lines[2:] {
			if answer, ok := strings.CutPrefix(line, "= "); ok {
				want = answer
			} else if answer, ok := strings.CutPrefix(line, "! "); ok {
				ours = answer
			}
		}
		if theirs != nil {
			want = shape(t, theirs, statement)
			fmt.Fprintf(&out, "%s\n%s\n= %s\n", title, statement, want)
			if ours != "" {
				fmt.Fprintf(&out, "! %s\n", ours)
			}
			fmt.Fprintln(&out)
		}
		if ours != "" {
			want, _, _ = strings.Cut(ours, " // ")
		}
		if got := shape(t, c, statement); got != want {
			t.Errorf("%s\n%s\n= %s\nPostgreSQL:\n= %s", title, statement, got, want)
		}
		n++
	}
	if theirs != nil {
		if err := os.WriteFile(path, append(bytes.TrimSpace(out.Bytes()), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n < 45 {
		t.Errorf("%d statements", n)
	}
}

// twin is a connection to PostgreSQL with a table that the test data have, too.
func twin(t *testing.T) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), *postgres)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	for _, statement := range []string{"CREATE SCHEMA IF NOT EXISTS main", `CREATE TABLE IF NOT EXISTS main.penguins ("Species" varchar, "Island" varchar, "Beak Length (mm)" float8, "Beak Depth (mm)" float8,
		"Flipper Length (mm)" int8, "Body Mass (g)" int8, "Sex" varchar)`, "SET search_path TO main"} {
		if _, err := c.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// kinds are types that clients read alike: a name is a text, and an oid a number.
var kinds = map[uint32]string{16: "bool", 17: "bytea", 18: "text", 19: "text", 25: "text", 1042: "text", 1043: "text", 20: "int", 21: "int", 23: "int", 24: "text", 194: "text", 26: "int", 28: "int", 2205: "int", 2206: "int",
	700: "float", 701: "float", 1700: "float", 114: "json", 3802: "json", 1082: "date", 1114: "timestamp", 1184: "timestamptz", 1186: "interval"}

// shape is the columns that a statement answers, once its rows have been read.
func shape(t *testing.T, c *pgx.Conn, statement string) string {
	t.Helper()
	described, err := c.PgConn().Prepare(t.Context(), "", statement, nil)
	if err == nil {
		_, err = c.PgConn().Exec(t.Context(), statement).ReadAll()
	}
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, f := range described.Fields {
		kind := kinds[f.DataTypeOID]
		if kind == "" {
			kind = "other"
		}
		out = append(out, strings.ReplaceAll(f.Name, " ", "_")+":"+kind)
	}
	slices.Sort(out) // clients find columns by their names
	return strings.Join(out, " ")
}

package server_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

var postgres = flag.String("postgres", "", "the address of a PostgreSQL 15, whose answers replace those of testdata/types.txt")

// TestTypes compares values as text and as bytes, and the number of their type, with those of
// PostgreSQL 15, and sends each back as an argument in both formats. A line of testdata/types.txt is
// an expression, that of PostgreSQL where it is another one, the type, the text, and the bytes.
func TestTypes(t *testing.T) {
	const path = "testdata/types.txt"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if *postgres != "" {
		file = answers(t, string(file))
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, address := start(t, nil)
	c := connect(t, address, "").PgConn()
	n := 0
	for line := range strings.Lines(string(file)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), " | ")
		if len(fields) != 5 {
			t.Fatalf("%q", line)
		}
		n++
		expression, want := fields[0], fields[2:]
		if got := value(t, c, expression); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, PostgreSQL has %q", expression, got, want)
		}
		oid, _ := strconv.ParseUint(want[0], 10, 32)
		data, err := hex.DecodeString(want[2])
		if err != nil {
			t.Fatal(err)
		}
		for format, argument := range [][]byte{[]byte(want[1]), data} {
			r := c.ExecParams(t.Context(), "SELECT $1", [][]byte{argument}, []uint32{uint32(oid)}, []int16{int16(format)}, []int16{1}).Read()
			if r.Err != nil {
				t.Errorf("%s as an argument in format %d: %v", expression, format, r.Err)
			} else if !bytes.Equal(r.Rows[0][0], data) {
				t.Errorf("%s as an argument in format %d: %x, want %x", expression, format, r.Rows[0][0], data)
			}
		}
	}
	if n < 60 {
		t.Errorf("%d types", n)
	}
}

// value is the type of an expression, its text and its bytes.
func value(t *testing.T, c *pgconn.PgConn, expression string) []string {
	t.Helper()
	var out []string
	for format := range int16(2) {
		r := c.ExecParams(t.Context(), "SELECT "+expression, nil, nil, nil, []int16{format}).Read()
		if r.Err != nil {
			return []string{r.Err.Error()}
		}
		if format == 0 {
			out = append(out, fmt.Sprint(r.FieldDescriptions[0].DataTypeOID), string(r.Rows[0][0]))
		} else {
			out = append(out, hex.EncodeToString(r.Rows[0][0]))
		}
	}
	return out
}

// answers are the lines with what PostgreSQL says.
func answers(t *testing.T, file string) []byte {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), *postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	var out bytes.Buffer
	for line := range strings.Lines(file) {
		fields := strings.Split(strings.TrimRight(line, "\n"), " | ")
		theirs := fields[0]
		if len(fields) > 1 && fields[1] != "" {
			theirs = fields[1]
		} else if len(fields) == 1 {
			fields = append(fields, "")
		}
		fmt.Fprintln(&out, strings.Join(append(fields[:2:2], value(t, c, theirs)...), " | "))
	}
	return out.Bytes()
}

package query

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
)

// failing fails after some bytes, as a pipe whose reader has gone.
type failing struct{ left int }

var errGone = errors.New("gone")

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errGone
	}
	return len(b), nil
}

func open(t *testing.T, query string) (*sql.Rows, func()) {
	t.Helper()
	db, err := sql.Open("parquet", filepath.Join("..", "..", "..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rows.Close() })
	return rows, cancel
}

func newWriter(t *testing.T, w interface{ Write([]byte) (int, error) }) format.Writer {
	t.Helper()
	writer, err := format.New("csv", w, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Head([]format.Column{{Name: "a", Type: "BIGINT"}, {Name: "b", Type: "BIGINT"}}); err != nil {
		t.Fatal(err)
	}
	return writer
}

// TestWriteRows checks that all rows arrive in their order, whatever the chunks are.
func TestWriteRows(t *testing.T) {
	rows, cancel := open(t, "SELECT range, range * 2 FROM range(10000)")
	var out bytes.Buffer
	if err := writeRows(rows, newWriter(t, &out), 2, cancel); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 10001 || lines[1] != "0,0" || lines[4242] != "4241,8482" || lines[10000] != "9999,19998" {
		t.Errorf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
	}
}

// TestWriteRowsFails checks that a query ends where its rows cannot be written, though it
// is not done, and that an error of the query arrives.
func TestWriteRowsFails(t *testing.T) {
	rows, cancel := open(t, "SELECT range, range FROM range(100000000000) WHERE range < 500 OR range % 1000000007 < 0")
	if err := writeRows(rows, newWriter(t, &failing{500}), 2, cancel); !errors.Is(err, errGone) {
		t.Errorf("the error is %v", err)
	}
	rows, cancel = open(t, "SELECT range, CAST(CASE WHEN range = 5000 THEN 'x' ELSE '1' END AS BIGINT) FROM range(10000)")
	if err := writeRows(rows, newWriter(t, &bytes.Buffer{}), 2, cancel); err == nil || !strings.Contains(err.Error(), "x") {
		t.Errorf("the error is %v", err)
	}
}

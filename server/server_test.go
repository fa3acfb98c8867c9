package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server"
)

var testdata = filepath.Join("..", "testdata")

// start runs a server over the repository's test data, and returns its address.
func start(t testing.TB, change func(*server.Config)) (*server.Server, string) {
	t.Helper()
	c := server.Config{Databases: map[string]*parquetsql.Config{"": {Path: testdata}}, Log: slog.New(noPanics{slog.NewTextHandler(io.Discard, nil), t})}
	if change != nil {
		change(&c)
	}
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, server.ErrClosed) {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// noPanics makes a panic of the server, which it survives, an error of the test.
type noPanics struct {
	slog.Handler
	t testing.TB
}

func (h noPanics) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "panic") {
		r.Attrs(func(a slog.Attr) bool { h.t.Errorf("%s: %v", a.Key, a.Value); return true })
	}
	return h.Handler.Handle(ctx, r)
}

func connect(t testing.TB, address, options string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), "postgres://ana@"+address+"/sales?sslmode=disable&"+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// text is the rows of a query as text, columns divided by "|", rows by ";".
func text(t testing.TB, c *pgx.Conn, query string, args ...any) string {
	t.Helper()
	rows, err := c.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var out []string
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		var cells []string
		for _, v := range values {
			cells = append(cells, fmt.Sprint(v))
		}
		out = append(out, strings.Join(cells, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.Join(out, ";")
}

// TestQueries runs queries in each of the ways of pgx: messages step by step with and without a
// description, in the binary format and as text, and the simple protocol.
func TestQueries(t *testing.T) {
	_, address := start(t, nil)
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) {
			c := connect(t, address, "default_query_exec_mode="+mode)
			for _, q := range []struct {
				query string
				args  []any
				want  string
			}{
				{"SELECT Species, COUNT(*) FROM penguins GROUP BY 1 ORDER BY 1", nil, "Adelie|152;Chinstrap|68;Gentoo|124"},
				{"SELECT COUNT(*) FROM penguins WHERE Island = $1", []any{"Dream"}, "124"},
				{`SELECT COUNT(*) FROM penguins WHERE "Beak Length (mm)" > $1 AND Species = $2 OR $1 < 0`, []any{0.5, "Chinstrap"}, "68"},
				{"SELECT Species FROM penguins ORDER BY Species DESC LIMIT $1", []any{2}, "Gentoo;Gentoo"},
				{"SELECT $1::int + 1, $2::text, $3::boolean", []any{41, "x", true}, "42|x|true"},
				{"SELECT COUNT(*) FROM penguins WHERE Island = ANY($1)", []any{[]string{"Dream", "Torgersen"}}, "176"},
				{"SELECT NULL, '', 1 WHERE 1 = $1", []any{1}, "<nil>||1"},
			} {
				if got := text(t, c, q.query, q.args...); got != q.want {
					t.Errorf("%s: %q, want %q", q.query, got, q.want)
				}
			}
		})
	}
}

// code is the SQLSTATE of an error, and where it says that it is.
func code(err error) (string, int32) {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code, e.Position
	}
	return fmt.Sprint(err), 0
}

func TestErrors(t *testing.T) {
	_, address := start(t, nil)
	for _, mode := range []string{"exec", "simple_protocol"} {
		c := connect(t, address, "default_query_exec_mode="+mode)
		for _, q := range []struct {
			query    string
			code     string
			position int32
		}{
			{"SELEC 1", "42601", 1},
			{"SELECT 1 +", "42601", 11},
			{"SELECT 'ä', nix FROM penguins", "42703", 13},
			{"SELECT * FROM pinguins", "42P01", 15},
			{"SELECT nofunction(1)", "42883", 8},
			{"DROP TABLE penguins", "25006", 0},
			{"INSERT INTO penguins VALUES (1)", "25006", 0},
			{"SELECT CAST('x' AS INTEGER)", "22P02", 0},
			{"SHOW nothing_of_this_name", "42704", 0},
			{"SET client_encoding = 'LATIN1'", "22023", 0},
			{"SET server_version = '9'", "55P02", 0},
			{"FETCH 1 FROM c", "34000", 0},
			{"DECLARE c CURSOR FOR SELECT 1", "25P01", 0},
			{"COPY penguins FROM STDIN", "25006", 0},
			{"COPY  unknown TO STDOUT", "42P01", 7},
			{"COPY penguins TO '/tmp/x'", "42501", 0},
		} {
			_, err := c.Exec(t.Context(), q.query)
			if got, position := code(err); got != q.code || position != q.position && q.position != 0 {
				t.Errorf("%s: %s: %s at %d, want %s at %d: %v", mode, q.query, got, position, q.code, q.position, err)
			}
		}
		if got := text(t, c, "SELECT 1"); got != "1" {
			t.Errorf("after errors: %q", got)
		}
	}
}

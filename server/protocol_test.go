package server_test

import (
	"bytes"
	"context"
	"errors"

	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/parquetsql/parquetsql/server"
)

// endless is a query that lasts longer than any test.
const endless = "SELECT COUNT(*) FROM penguins p, range(100000000000) a WHERE a.range < length(p.Species) - 100"

// TestPortals fetches rows in parts, of two statements at the same time.
func TestPortals(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "")
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec := func(query string) string {
		t.Helper()
		tag, err := c.Exec(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return tag.String()
	}
	exec("DECLARE a CURSOR FOR SELECT range FROM range(5)")
	exec(`DECLARE "B c" NO SCROLL CURSOR WITH HOLD FOR SELECT Species FROM penguins ORDER BY 1`)
	for _, q := range []struct{ query, want string }{
		{"FETCH 2 FROM a", "0;1"},
		{`FETCH FORWARD 1 IN "B c"`, "Adelie"},
		{"FETCH NEXT FROM a", "2"},
		{"FETCH a", "3"},
		{"FETCH ALL FROM a", "4"},
		{"FETCH ALL FROM a", ""},
	} {
		if got := text(t, c, q.query, pgx.QueryExecModeSimpleProtocol); got != q.want {
			t.Errorf("%s: %q, want %q", q.query, got, q.want)
		}
	}
	if tag := exec(`MOVE 200 FROM "B c"`); tag != "MOVE 200" {
		t.Error(tag)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := text(t, c, `FETCH 1 FROM "B c"`, pgx.QueryExecModeSimpleProtocol); got != "Chinstrap" {
		t.Errorf("after COMMIT: %q", got)
	}
	if _, err := c.Exec(t.Context(), "FETCH 1 FROM a"); err == nil {
		t.Error("the cursor has outlived its transaction")
	}
	if tag := exec("CLOSE ALL"); tag != "CLOSE CURSOR ALL" {
		t.Error(tag)
	}
}

// TestPortalLimit sends Execute with a limit, as JDBC does with a fetch size.
func TestPortalLimit(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "").PgConn()
	if err := c.Exec(t.Context(), "BEGIN").Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	f := c.Frontend()
	f.SendParse(parse("", "SELECT range FROM range(7)"))
	f.SendBind(bind("p", ""))
	for range 3 {
		f.SendExecute(execute("p", 3))
	}
	f.SendSync(sync())
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := f.Receive()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, short(m))
		if strings.HasPrefix(got[len(got)-1], "Z") {
			break
		}
	}
	if want := "1 2 D0 D1 D2 s D3 D4 D5 s D6 CSELECT 1 ZT"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTransactions(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=exec")
	status := func() byte { return c.PgConn().TxStatus() }
	exec := func(query string) error { _, err := c.Exec(t.Context(), query); return err }
	must := func(query string) {
		t.Helper()
		if err := exec(query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	must("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
	must("SET LOCAL statement_timeout = '5s'")
	must("SET application_name = 'x'")
	if status() != 'T' {
		t.Errorf("%c", status())
	}
	must("SAVEPOINT a")
	if err := exec("SELECT nix"); err == nil || status() != 'E' {
		t.Errorf("%v, %c", err, status())
	}
	if got, _ := code(exec("SELECT 1")); got != "25P02" {
		t.Error(got)
	}
	must("ROLLBACK TO SAVEPOINT a")
	if got := text(t, c, "SHOW statement_timeout"); got != "5s" || status() != 'T' {
		t.Errorf("%q, %c", got, status())
	}
	must("ROLLBACK")
	if got := text(t, c, "SHOW statement_timeout"); got != "0" || status() != 'I' {
		t.Errorf("%q, %c", got, status())
	}
	if got := c.PgConn().ParameterStatus("application_name"); got != "" {
		t.Errorf("after ROLLBACK: %q", got)
	}
	must("START TRANSACTION")
	if err := exec("SELECT nix"); err == nil {
		t.Error("there is a column nix")
	}
	if tag, err := c.Exec(t.Context(), "COMMIT"); err != nil || tag.String() != "ROLLBACK" {
		t.Errorf("%v, %v", tag, err)
	}
}

func TestSettings(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "application_name=test&options=-c%20statement_timeout%3D1min&default_query_exec_mode=exec")
	for _, q := range []struct{ query, want string }{
		{"SHOW application_name", "test"},
		{"SHOW statement_timeout", "1min"},
		{"SELECT current_setting('application_name')", "test"},
		{"SELECT current_user, current_database(), user", "ana|sales|ana"},
		{"SHOW server_version", "15.0 (parquetsql)"},
		{"SELECT substr(version(), 1, 13)", "PostgreSQL 15"},
	} {
		if got := text(t, c, q.query); got != q.want {
			t.Errorf("%s: %q, want %q", q.query, got, q.want)
		}
	}
	for _, query := range []string{"SET extra_float_digits = 3", "SET TIME ZONE 'Europe/Berlin'", "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "SET my.own TO 'x'",
		"SET search_path TO main, public", "SET DateStyle = ISO", "RESET ALL", "DISCARD ALL", "UNLISTEN *", "DEALLOCATE ALL", "SET NAMES 'utf8'", "/* */ ; -- nothing"} {
		if _, err := c.Exec(t.Context(), query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if _, err := c.Prepare(t.Context(), "two", "SELECT 1; SELECT 2"); err == nil {
		t.Error("two statements in one that is prepared")
	}
	var b bytes.Buffer
	for _, query := range []string{"SET TimeZone = 'America/New_York'", "SET IntervalStyle = iso_8601"} {
		if _, err := c.Exec(t.Context(), query); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.PgConn().CopyTo(t.Context(), &b, "COPY (SELECT TIMESTAMPTZ '2024-07-01 12:00:00+00', INTERVAL '1 month 2 days') TO STDOUT"); err != nil || b.String() != "2024-07-01 08:00:00-04\tP1M2D\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestCopy compares with what PostgreSQL 15 writes for the same values; see testdata/copy.sql.
func TestCopy(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "").PgConn()
	const values = `(VALUES (1, 'a"b', NULL::VARCHAR), (2, E'x\ty\\z\n', ''), (3, 'c,d', '\N')) t(i, s, n)`
	for options, want := range map[string]string{
		"":                                 "1\ta\"b\t\\N\n2\tx\\ty\\\\z\\n\t\n3\tc,d\t\\\\N\n",
		"(FORMAT csv, HEADER)":             "i,s,n\n1,\"a\"\"b\",\n2,\"x\ty\\z\n\",\"\"\n3,\"c,d\",\\N\n",
		"WITH CSV HEADER DELIMITER ';'":    "i;s;n\n1;\"a\"\"b\";\n2;\"x\ty\\z\n\";\"\"\n3;c,d;\\N\n",
		"WITH (DELIMITER '|', NULL 'nil')": "1|a\"b|nil\n2|x\\ty\\\\z\\n|\n3|c,d|\\\\N\n",
		"(FORMAT binary)": "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
			"\x00\x03\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x03a\"b\xff\xff\xff\xff" +
			"\x00\x03\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x06x\ty\\z\n\x00\x00\x00\x00" +
			"\x00\x03\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x03c,d\x00\x00\x00\x02\\N\xff\xff",
	} {
		var b bytes.Buffer
		tag, err := c.CopyTo(t.Context(), &b, "COPY (SELECT * FROM "+values+") TO STDOUT "+options)
		if err != nil || b.String() != want || tag.String() != "COPY 3" {
			t.Errorf("%s: %q, want %q; %v, %v", options, b.String(), want, tag, err)
		}
	}
	var b bytes.Buffer
	if tag, err := c.CopyTo(t.Context(), &b, `COPY penguins (Species, Island) TO STDOUT`); err != nil || tag.RowsAffected() != 344 || !strings.HasPrefix(b.String(), "Adelie\tTorgersen\n") {
		t.Errorf("%v, %v, %.40q", tag, err, b.String())
	}
	if _, err := c.CopyTo(t.Context(), &b, "COPY (SELECT nix) TO STDOUT"); err == nil {
		t.Error("there is a column nix")
	}
}

// TestCancel: a request on another connection ends the statement, and so do its time, and a client
// that vanishes.
func TestCancel(t *testing.T) {
	s, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=exec")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() { _, err := c.PgConn().Exec(t.Context(), endless).ReadAll(); ended <- err }()
	<-ctx.Done()
	for {
		if err := c.PgConn().CancelRequest(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if got, _ := code(err); got != "57014" {
				t.Errorf("%v", err)
			}
		case <-time.After(200 * time.Millisecond):
			continue // it had not begun
		}
		break
	}
	if _, err := c.Exec(t.Context(), "SET statement_timeout = 1000"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), endless); err == nil || !strings.Contains(err.Error(), "statement timeout") {
		t.Errorf("%v", err)
	}
	if _, err := c.Exec(t.Context(), "RESET statement_timeout"); err != nil { // as an error of its own would say
		t.Error(err)
	}
	gone := connect(t, address, "default_query_exec_mode=exec")
	gone.PgConn().Frontend().SendQuery(query(endless))
	if err := gone.PgConn().Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, "parquetsql_queries_running 1")
	gone.PgConn().Conn().Close()
	waitFor(t, s, "parquetsql_queries_running 0")
}

// waitFor waits until the metrics have a line.
func waitFor(t *testing.T, s *server.Server, line string) {
	t.Helper()
	for range 600 {
		if strings.Contains(metrics(t, s), "\n"+line+"\n") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the metrics do not come to %s:\n%s", line, metrics(t, s))
}

func TestShutdown(t *testing.T) {
	s, address := start(t, nil)
	idle := connect(t, address, "default_query_exec_mode=exec")
	busy := connect(t, address, "default_query_exec_mode=exec")
	busy.PgConn().Frontend().SendQuery(query(endless))
	if err := busy.PgConn().Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, "parquetsql_queries_running 1")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	_, err := idle.Exec(t.Context(), "SELECT 1")
	var told *pgconn.PgError
	if !errors.As(err, &told) || told.Code != "57P01" {
		t.Errorf("%v", err)
	}
}

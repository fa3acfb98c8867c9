package server_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server"
)

// TestTimeOverMessages: the server's limit is for a statement, in however many messages its rows are
// fetched.
func TestTimeOverMessages(t *testing.T) {
	_, address := start(t, func(c *server.Config) { c.Limits.Time = 300 * time.Millisecond })
	c := connect(t, address, "default_query_exec_mode=simple_protocol")
	_, err := c.Exec(t.Context(), "BEGIN; DECLARE c CURSOR FOR SELECT range FROM range(1000000000000)")
	for i := 0; err == nil && i < 2000; i++ {
		_, err = c.Exec(t.Context(), "FETCH 200000 FROM c")
	}
	if got, _ := code(err); got != "57014" {
		t.Errorf("%v", err)
	}
}

// TestUnreadCopy: a client that does not take what it copies loses its connection, and nobody else
// notices.
func TestUnreadCopy(t *testing.T) {
	s, address := start(t, func(c *server.Config) { c.Limits.Unread = 300 * time.Millisecond })
	for _, format := range []string{"text", "csv", "binary"} {
		lazy := connect(t, address, "").PgConn()
		lazy.Frontend().SendQuery(query("COPY (SELECT repeat('x', 1000), range FROM range(10000000)) TO STDOUT (FORMAT " + format + ")"))
		if err := lazy.Frontend().Flush(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, s, "parquetsql_queries_running 1")
		if got := text(t, connect(t, address, ""), "SELECT COUNT(*) FROM penguins"); got != "344" {
			t.Error(got)
		}
		waitFor(t, s, "parquetsql_queries_running 0")
		waitFor(t, s, "parquetsql_memory_granted_bytes 0")
	}
}

// TestLongOverTLS: somebody looks whether the client is there while a statement runs, and what it
// sends afterwards is not lost.
func TestLongOverTLS(t *testing.T) {
	_, address := start(t, func(c *server.Config) {
		c.TLS = certificate(t)
		c.Roles = map[string]server.Role{"ana": {Password: "x"}}
	})
	c, err := pgx.Connect(t.Context(), "postgres://ana:x@"+address+"/sales?sslmode=require&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for range 3 {
		if _, err := c.Exec(t.Context(), "SET statement_timeout = 400"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(t.Context(), endless); err == nil || !strings.Contains(err.Error(), "statement timeout") {
			t.Errorf("%v", err)
		}
		if got := text(t, c, "SELECT COUNT(*) FROM penguins WHERE Island = $1", "Dream"); got != "124" {
			t.Error(got)
		}
	}
}

// TestTexts: a NUL ends texts in the protocol, and is none of those that names and errors have.
func TestTexts(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=exec")
	if got := text(t, c, "SELECT length(chr(0) || 'a')"); got != "2" {
		t.Error(got)
	}
	rows, err := c.Query(t.Context(), "SELECT * FROM (PIVOT (SELECT chr(0) || 'a' AS k, 1 AS v) ON k USING SUM(v))")
	if err != nil {
		t.Fatal(err)
	}
	rows.Close()
	if f := rows.FieldDescriptions(); len(f) != 1 || f[0].Name != "\uFFFDa" {
		t.Errorf("%v, %v", f, rows.Err())
	}
	if _, err := c.Exec(t.Context(), "SELECT CAST(chr(0) || 'a' AS INTEGER)"); err == nil || !strings.Contains(err.Error(), "\uFFFDa") && !strings.Contains(err.Error(), `\x00a`) {
		t.Errorf("%v", err)
	}
	if _, err := c.Exec(t.Context(), "SELECT 1 -- \x00"); err == nil {
		t.Error("a text with a NUL")
	} else if got, _ := code(err); got != "08P01" {
		t.Error(err)
	}
	if got := text(t, c, "SELECT 1"); got != "1" {
		t.Errorf("after a message that is none: %q", got)
	}
}

// TestWideRows: a row of the protocol has 32,767 columns at most.
func TestWideRows(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=simple_protocol")
	for _, n := range []int{32767, 32768, 70000} {
		_, err := c.Exec(t.Context(), "SELECT "+strings.Repeat("1,", n-1)+"1")
		if got, _ := code(err); (got == "54011") != (n > 32767) {
			t.Errorf("%d columns: %v", n, err)
		}
	}
}

// TestArguments: what portals hold of their arguments is bounded.
func TestArguments(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "").PgConn()
	f := c.Frontend()
	f.SendQuery(query("BEGIN"))
	f.SendParse(parse("a", "SELECT $1::text"))
	for i := range 9 {
		b := bind(fmt.Sprint("p", i), "a")
		b.Parameters = [][]byte{bytes.Repeat([]byte("x"), 4<<20)}
		f.SendBind(b)
	}
	f.SendSync(sync())
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	got := receive(t, f, 2)
	if want := "CBEGIN ZT 1 2 2 2 2 2 2 2 2 E53400@0 ZE"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestUnknownUsers: who has no account is asked as those who have one: as many iterations and as long a
// salt as one of them has.
func TestUnknownUsers(t *testing.T) {
	const stored = ":AAECAwQFBgcICQoLDA0ODxAREhM=$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	_, address := start(t, func(c *server.Config) {
		c.Databases = map[string]*parquetsql.Config{"sales": {Path: testdata}}
		c.Roles = map[string]server.Role{"ana": {Password: "SCRAM-SHA-256$10000" + stored}, "bob": {Password: "SCRAM-SHA-256$15000" + stored}}
	})
	seen := map[string]bool{}
	for i := range 40 {
		user := fmt.Sprint("nobody", i)
		first, again := challenge(t, address, user), challenge(t, address, user)
		if first != again {
			t.Errorf("%s is asked %s, then %s", user, first, again)
		}
		salt, iterations, _ := strings.Cut(first, ",")
		seen[iterations] = true
		if len(salt) != len("s=AAECAwQFBgcICQoLDA0ODxAREhM=") {
			t.Errorf("%s is asked %s", user, first)
		}
	}
	if !seen["i=10000"] || !seen["i=15000"] || len(seen) != 2 {
		t.Errorf("%v", seen)
	}
}

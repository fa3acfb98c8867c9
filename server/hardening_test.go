package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	stdsync "sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server"
)

// TestRoles: who connects to what, and which tables a role sees.
func TestRoles(t *testing.T) {
	verifier, err := server.Verifier("secret")
	if err != nil || !strings.HasPrefix(verifier, "SCRAM-SHA-256$4096:") {
		t.Fatal(verifier, err)
	}
	s, address := start(t, func(c *server.Config) {
		c.Databases = map[string]*parquetsql.Config{"sales": {Path: testdata}, "other": {Path: testdata}}
		c.Roles = map[string]server.Role{
			"ana": {Password: verifier, Databases: []string{"sales"}, Tables: []string{"pen*"}},
			"bob": {Password: "it's bob", Connections: 1},
		}
	})
	open := func(user, password, database string) (*pgx.Conn, error) {
		config, err := pgx.ParseConfig("postgres://" + address + "/" + database + "?sslmode=disable")
		if err != nil {
			t.Fatal(err)
		}
		config.User, config.Password = user, password
		c, err := pgx.ConnectConfig(t.Context(), config)
		if err == nil {
			t.Cleanup(func() { c.Close(context.Background()) })
		}
		return c, err
	}
	for _, c := range []struct{ user, password, database, code string }{
		{"ana", "Secret", "sales", "28P01"}, {"ana", "", "sales", "28P01"}, {"ana", verifier, "sales", "28P01"}, {"nobody", "secret", "sales", "28P01"},
		{"ana", "secret", "other", "42501"}, {"bob", "it's bob", "nothing", "3D000"},
	} {
		if _, err := open(c.user, c.password, c.database); err == nil {
			t.Errorf("%v has connected", c)
		} else if got, _ := code(err); got != c.code {
			t.Errorf("%v: %v", c, err)
		}
	}
	ana, err := open("ana", "secret", "sales")
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, ana, "SELECT relname FROM pg_class"); got != "penguins" {
		t.Errorf("%q", got)
	}
	for _, from := range []string{"movies", "`movies.parquet`", "`../testdata/movies.parquet`", "read_parquet('movies.parquet')", "`movies$files`", "'/etc/passwd'", "`penguins.parquet`"} {
		if _, err := ana.Exec(t.Context(), "SELECT * FROM "+from); err == nil {
			t.Errorf("ana reads %s", from)
		}
	}
	bob, err := open("bob", "it's bob", "other")
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, bob, "SELECT COUNT(*) > 100 FROM movies"); got != "true" {
		t.Errorf("%q", got)
	}
	if _, err := open("bob", "it's bob", "other"); err == nil {
		t.Error("bob has two connections")
	}
	if !strings.Contains(metrics(t, s), "\nparquetsql_authentication_failures_total 4\n") {
		t.Error(metrics(t, s))
	}
}

func TestReadRoles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "roles")
	for content, ok := range map[string]bool{`{"a": {"password": "x", "tables": ["t"]}}`: true, `{}`: false, `{"a": {"pasword": "x"}}`: false, `[]`: false, `{"a": {"password": "x"}} {}`: false, ``: false} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if roles, err := server.ReadRoles(file); (err == nil) != ok {
			t.Errorf("%s: %v, %v", content, roles, err)
		}
	}
	if err := os.WriteFile(file, []byte(`{"a": {"password": "x"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := server.ReadRoles(file); err == nil && runtime.GOOS != "windows" {
		t.Error("others can read the passwords")
	}
}

// TestExposed: an address that others reach takes roles and TLS.
func TestExposed(t *testing.T) {
	for _, c := range []struct {
		roles, tls, exposed, ok bool
	}{{false, false, false, false}, {false, true, true, false}, {true, false, false, false}, {true, true, false, true}, {true, false, true, true}} {
		config := server.Config{Databases: map[string]*parquetsql.Config{"": {Path: testdata}}, Exposed: c.exposed}
		if c.roles {
			config.Roles = map[string]server.Role{"a": {Password: "x"}}
		}
		if c.tls {
			config.TLS = certificate(t)
		}
		s, err := server.New(config)
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(everywhere{l}) }()
		select {
		case err := <-ended:
			if c.ok || errors.Is(err, server.ErrClosed) {
				t.Errorf("%+v: %v", c, err)
			}
		case <-time.After(200 * time.Millisecond):
			if !c.ok {
				t.Errorf("%+v: it listens", c)
			}
		}
		s.Close()
	}
}

// everywhere is a listener that says that it listens on all addresses.
type everywhere struct{ net.Listener }

func (everywhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4zero, Port: 5432} }

func certificate(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

func TestTLS(t *testing.T) {
	_, address := start(t, func(c *server.Config) {
		c.TLS = certificate(t)
		c.Roles = map[string]server.Role{"ana": {Password: "x"}}
	})
	c, err := pgx.Connect(t.Context(), "postgres://ana:x@"+address+"/sales?sslmode=require&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, ok := c.PgConn().Conn().(*tls.Conn); !ok || text(t, c, "SELECT COUNT(*) FROM penguins") != "344" {
		t.Errorf("%T", c.PgConn().Conn())
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := c.Exec(ctx, endless); err == nil {
		t.Error("it has ended")
	}
}

// TestMany: 200 connections query at once, with memory for all together.
func TestMany(t *testing.T) {
	s, address := start(t, func(c *server.Config) { c.Limits.Memory, c.Limits.Wait = 64<<20, 5*time.Minute })
	var clients stdsync.WaitGroup
	for i := range 200 {
		clients.Go(func() {
			c, err := pgx.Connect(context.Background(), "postgres://u@"+address+"/sales?sslmode=disable&default_query_exec_mode=exec")
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close(context.Background())
			for range 3 {
				var n int
				if err := c.QueryRow(context.Background(), "SELECT COUNT(*) FROM penguins WHERE Species = $1 AND $2 >= 0", "Gentoo", i).Scan(&n); err != nil || n != 124 {
					t.Errorf("%d, %v", n, err)
				}
			}
		})
	}
	clients.Wait()
	waitFor(t, s, "parquetsql_connections 0")
	for _, line := range []string{"parquetsql_queries_running 0", "parquetsql_memory_granted_bytes 0", "parquetsql_queries_waiting 0", "parquetsql_connections_total 200"} {
		if !strings.Contains(metrics(t, s), "\n"+line+"\n") {
			t.Errorf("%s is missing in\n%s", line, metrics(t, s))
		}
	}
}

func TestTooMany(t *testing.T) {
	_, address := start(t, func(c *server.Config) { c.Limits.Connections = 2; c.Limits.Rows = 3; c.Limits.Statements = 4 })
	a := connect(t, address, "default_query_exec_mode=exec")
	connect(t, address, "")
	if _, err := pgx.Connect(t.Context(), "postgres://u@"+address+"/sales?sslmode=disable"); err == nil {
		t.Error("there are three connections")
	} else if got, _ := code(err); got != "53300" {
		t.Error(err)
	}
	if _, err := a.Exec(t.Context(), "SELECT * FROM range(3)"); err != nil {
		t.Error(err)
	}
	if _, err := a.Exec(t.Context(), "SELECT * FROM range(4)"); err == nil {
		t.Error("there are four rows")
	} else if got, _ := code(err); got != "54000" {
		t.Error(err)
	}
	for i := range 6 {
		_, err := a.Prepare(t.Context(), fmt.Sprint("s", i), "SELECT 1")
		if got, _ := code(err); (got == "53400") != (i >= 4) {
			t.Errorf("statement %d: %v", i, err)
		}
	}
}

// TestUnread: a client that does not take its rows loses its connection, and nobody else notices.
func TestUnread(t *testing.T) {
	s, address := start(t, func(c *server.Config) { c.Limits.Unread = 300 * time.Millisecond })
	lazy := connect(t, address, "").PgConn()
	lazy.Frontend().SendQuery(query("SELECT repeat('x', 1000), range FROM range(10000000)"))
	if err := lazy.Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, "parquetsql_queries_running 1")
	other := connect(t, address, "")
	if got := text(t, other, "SELECT COUNT(*) FROM penguins"); got != "344" {
		t.Error(got)
	}
	waitFor(t, s, "parquetsql_queries_running 0")
	waitFor(t, s, "parquetsql_connections 1")
}

// TestRubbish sends messages that are damaged, in a wrong order or no messages at all, by clients
// that come and go. Panics are errors of the test, see start. The seed is printed.
func TestRubbish(t *testing.T) {
	rounds := 8000 // a million messages
	if testing.Short() {
		rounds = 400
	}
	s, address := start(t, func(c *server.Config) { c.Limits.Startup, c.Limits.Message = 5*time.Second, 1<<20 })
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := mathrand.New(mathrand.NewPCG(seed, 0))
	before := runtime.NumGoroutine()
	for range rounds {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute)) // a test that fails
		if _, err := c.Write(rubbish(r)); err == nil && r.IntN(2) == 0 {
			_, _ = c.Read(make([]byte, 1000)) // whatever it says
		}
		c.Close()
	}
	waitFor(t, s, "parquetsql_connections 0")
	for range 100 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
	if got := text(t, connect(t, address, ""), "SELECT COUNT(*) FROM penguins"); got != "344" {
		t.Error(got)
	}
}

// rubbish is a beginning of a connection and up to 250 messages, some bytes of which are others.
func rubbish(r *mathrand.Rand) []byte {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := func() string { return pick("", "a", "b") }
	statement := func() string {
		return pick("SELECT 1", "SELECT $1::int", "BEGIN", "ROLLBACK", "SELECT * FROM penguins", "DECLARE a CURSOR FOR SELECT 1", "FETCH 3 FROM a", "COPY penguins TO STDOUT (FORMAT csv)", "", ";", "SET a.b = 'c'",
			"SELECT $1 = ANY($2)", "SHOW ALL", "CLOSE ALL", "nonsense 'open", "COPY (SELECT (1) TO STDOUT", "SELECT 1; SELECT 2", "DISCARD ALL", "/* open", "SET TimeZone TO 'Mars'", "SAVEPOINT a", "ROLLBACK TO a")
	}
	out, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u", "database": "d"}}).Encode(nil)
	for range r.IntN(250) {
		var m pgproto3.FrontendMessage
		switch r.IntN(9) {
		case 0:
			m = &pgproto3.Query{String: statement()}
		case 1, 2:
			m = &pgproto3.Parse{Name: name(), Query: statement(), ParameterOIDs: make([]uint32, r.IntN(3))}
		case 3, 4:
			m = &pgproto3.Bind{DestinationPortal: name(), PreparedStatement: name(), Parameters: make([][]byte, r.IntN(3)), ParameterFormatCodes: []int16{int16(r.IntN(3))}, ResultFormatCodes: []int16{int16(r.IntN(3))}}
		case 5:
			m = &pgproto3.Describe{ObjectType: pick("S", "P", "x")[0], Name: name()}
		case 6:
			m = &pgproto3.Execute{Portal: name(), MaxRows: uint32(r.IntN(3))}
		case 7:
			m = &pgproto3.Sync{}
		case 8:
			m = &pgproto3.Close{ObjectType: pick("S", "P")[0], Name: name()}
		}
		out, _ = m.Encode(out)
	}
	if r.IntN(3) > 0 {
		for range r.IntN(5) {
			out[r.IntN(len(out))] = byte(r.IntN(256))
		}
	}
	return out[:len(out)-r.IntN(min(len(out), 8))]
}

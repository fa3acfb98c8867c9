package storetest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Program is the path of a server's program: in the folder that PARQUETSQL_SERVERS names, or in
// PATH. Without it the test is skipped, and says how to get it.
func Program(t testing.TB, name, howTo string) string {
	t.Helper()
	if dir := os.Getenv("PARQUETSQL_SERVERS"); dir != "" {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s, neither in PARQUETSQL_SERVERS nor in PATH: %s", name, howTo)
	}
	return path
}

// FreePort is a port of this machine on which nobody listens.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// Start runs a server until the test ends, and waits until it listens.
func Start(t testing.TB, address string, env []string, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var log strings.Builder
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait() // it is killed
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	deadline := time.Now().Add(time.Minute)
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close() // it was only to see
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended:\n%s", program, log.String())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen at %s", program, address)
		}
	}
}

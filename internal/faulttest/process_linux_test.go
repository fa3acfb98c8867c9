package faulttest

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

// childOf is the environment variable that makes this program a child, which runs a query
// that spills; its value says in what world. tempDir is the folder of its spill files.
const childOf, tempDir = "FAULTTEST_CHILD", "FAULTTEST_TEMP_DIR"

const (
	killed = "killed" // it waits in the middle of the query
	full   = "full"   // its files may have 200 KB
	intact = "intact"
)

// fullAt is the size past which a write fails in a child whose disk is full.
const fullAt = 200_000

func TestMain(m *testing.M) {
	if world := os.Getenv(childOf); world != "" {
		child(world)
		return
	}
	os.Exit(m.Run())
}

// child prints what became of the query. Its first row is there when all rows were spilled.
func child(world string) {
	if world == full {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: fullAt, Max: fullAt}); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(sorted(os.Getenv(tempDir), world == killed))
}

// sorted sorts a million numbers in little memory.
func sorted(dir string, waits bool) string {
	db, err := sql.Open("parquet", filepath.Join("..", "..", "testdata")+"?memory_limit=4MiB&temp_dir="+dir)
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	rows, err := db.QueryContext(context.Background(), "SELECT i * 7919 % 1000003 AS k FROM range(1000000) t(i) ORDER BY k")
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	n, last := 0, int64(-1)
	for rows.Next() {
		var k int64
		if err := rows.Scan(&k); err != nil {
			return err.Error()
		}
		if k <= last {
			return fmt.Sprintf("%d after %d", k, last)
		}
		if n, last = n+1, k; waits && n == 1000 {
			fmt.Println("spilled")
			time.Sleep(time.Hour)
		}
	}
	if err := rows.Err(); err != nil {
		return err.Error()
	}
	return fmt.Sprint(n, " rows")
}

// start runs this program as a child.
func start(t *testing.T, world, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childOf+"="+world, tempDir+"="+dir)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c, bufio.NewScanner(out)
}

// TestKilled: a process that is killed while it sorts on disk leaves nothing there. The
// bytes were on disk: its spill file is one of those that it has open.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	c, out := start(t, killed, dir)
	if !out.Scan() || out.Text() != "spilled" {
		t.Fatalf("the child says %q, %v", out.Text(), out.Err())
	}
	if spilled := openIn(t, c.Process.Pid, dir); spilled < 1_000_000 {
		t.Errorf("it has files of %d bytes in temp_dir", spilled)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	nothingIn(t, dir)
}

// openIn is the size of all files in a folder that a process has open.
func openIn(t *testing.T, pid int, dir string) int64 {
	t.Helper()
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, link := range links {
		name, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(name, dir) {
			continue
		}
		if info, err := os.Stat(link); err == nil {
			size += info.Size()
		}
	}
	return size
}

// TestFullDisk: the error of a disk that is full names temp_dir, and nothing is left there.
func TestFullDisk(t *testing.T) {
	for world, want := range map[string]string{full: "file too large", intact: "1000000 rows"} {
		dir := t.TempDir()
		_, out := start(t, world, dir)
		if !out.Scan() || !strings.Contains(out.Text(), want) {
			t.Errorf("%s: %q, %v", world, out.Text(), out.Err())
		}
		if world == full && (!strings.Contains(out.Text(), "temp_dir") || !strings.Contains(out.Text(), dir)) {
			t.Errorf("%q does not name temp_dir", out.Text())
		}
		nothingIn(t, dir)
	}
}

// TestUnusableFolder: so does the error of a folder in which no file can be made.
func TestUnusableFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "no folder")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sorted(dir, false); !strings.Contains(got, "temp_dir") || !strings.Contains(got, dir) {
		t.Errorf("%q does not name temp_dir", got)
	}
	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	if got := sorted(readOnly, false); !strings.Contains(got, "temp_dir") || !strings.Contains(got, readOnly) {
		t.Errorf("%q does not name temp_dir", got)
	}
	nothingIn(t, readOnly)
}

func nothingIn(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("%s is left in temp_dir", e.Name())
	}
}

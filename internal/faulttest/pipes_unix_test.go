//go:build unix

package faulttest

import (
	"database/sql"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestNamedPipe: a summary file that names a pipe is damaged; nobody waits for the pipe.
func TestNamedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.parquet"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		db, err := sql.Open("parquet", dir)
		if err == nil {
			defer db.Close()
			_, err = db.Exec("SELECT * FROM `pipe.parquet`")
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a pipe is read")
		}
	case <-time.After(20 * time.Second):
		t.Error("the query waits for the pipe")
	}
}

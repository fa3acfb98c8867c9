package catalog

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestOpenLazily: a file whose footer is cached is opened when it is read, and is then still
// that of the snapshot.
func TestOpenLazily(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "t.parquet")
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(one)
	c := open(t, Config{Path: dir})
	f := table(t, snapshot(t, c), "t").Files[0]
	opened, err := f.Open(t.Context())
	if err != nil || c.handles.Open() != 0 {
		t.Fatalf("%v: %d are open", err, c.handles.Open())
	}
	var magic [4]byte
	if n, err := opened.ReadAt(t.Context(), magic[:], 0); n != 4 || err != nil || string(magic[:]) != "PAR1" || c.handles.Open() != 1 {
		t.Errorf("%d, %v: %q, %d open", n, err, magic, c.handles.Open())
	}
	if err := errors.Join(opened.Close(), opened.Close()); err != nil || c.handles.Open() != 0 {
		t.Errorf("%v: %d open", err, c.handles.Open())
	}

	for name, change := range map[string]func(){
		"other bytes": func() { write(append(one[:len(one):len(one)], 0)) },
		"no file":     func() { os.Remove(file) },
	} {
		write(one)
		f := table(t, snapshot(t, c), "t").Files[0]
		opened, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		change()
		var changed *errs.ChangedError
		if _, err := opened.ReadAt(t.Context(), magic[:], 0); !errors.As(err, &changed) || changed.File != "t.parquet" {
			t.Errorf("%s, then a read: %v", name, err)
		}
		if err := opened.Verify(t.Context()); !errors.As(err, &changed) {
			t.Errorf("%s, then looking it up: %v", name, err)
		}
		late, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := late.ReadAt(t.Context(), magic[:], 0); !errors.As(err, &changed) {
			t.Errorf("%s, then opening and a read: %v", name, err)
		}
		if err := errors.Join(late.Close(), opened.Close()); err != nil || c.handles.Open() != 0 {
			t.Errorf("%s: %v, %d open", name, err, c.handles.Open())
		}
	}
}

// TestReplacedWhileOpen: what is read of a file that is open stays that of the snapshot when another one
// is put in its place, which Verify finds; a file that is written over is not read.
func TestReplacedWhileOpen(t *testing.T) {
	for name, change := range map[string]func(file string) error{
		"another file": func(file string) error {
			return errors.Join(os.WriteFile(file+".new", []byte("XXXX"), 0o600), os.Rename(file+".new", file))
		},
		"other bytes": func(file string) error { return os.WriteFile(file, []byte("XXXX"), 0o600) },
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "t.parquet")
		if err := os.WriteFile(file, one, 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := table(t, snapshot(t, open(t, Config{Path: dir})), "t").Files[0].Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var magic [4]byte
		if _, err := opened.ReadAt(t.Context(), magic[:], 0); err != nil {
			t.Fatal(err)
		}
		if err := change(file); err != nil {
			t.Fatal(err)
		}
		var changed *errs.ChangedError
		n, err := opened.ReadAt(t.Context(), magic[:], 0)
		if kept := name == "another file"; kept && (err != nil || string(magic[:n]) != "PAR1") || !kept && !errors.As(err, &changed) {
			t.Errorf("%s, then a read: %q, %v", name, magic[:n], err)
		}
		if err := opened.Verify(t.Context()); !errors.As(err, &changed) {
			t.Errorf("%s, then looking it up: %v", name, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

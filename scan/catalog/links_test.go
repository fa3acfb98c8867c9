package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLocalLinks: links that lead out of the location are refused or followed.
func TestLocalLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, one, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.parquet"))
	write(filepath.Join(dir, "sub", "a.parquet"))
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	link(filepath.Join(outside, "secret.parquet"), "out.parquet")
	link(outside, "outdir")
	link(filepath.Join("..", filepath.Base(outside), "secret.parquet"), "up.parquet")
	link(filepath.Join("sub", "a.parquet"), "in.parquet")
	link(filepath.Join(dir, "sub", "a.parquet"), "absolute.parquet")
	link(".", "loop")
	for _, c := range []Config{{Path: dir}, {Path: ".", FS: os.DirFS(dir)}} {
		s := snapshot(t, open(t, c))
		if got := strings.Join(names(t, s), " "); got != "absolute in out sub up" {
			t.Errorf("tables %q", got)
		}
		good := []string{"in", "in.parquet", "sub", "sub/a.parquet"}
		bad := []string{"out", "up", "out.parquet", "up.parquet", "outdir", "outdir/secret.parquet", "outdir/*.parquet"}
		if c.FS == nil {
			good = append(good, "absolute")
		}
		for _, name := range good {
			if f, err := table(t, s, name).Files[0].Open(t.Context()); err != nil || f.Close() != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, name := range bad {
			if found, err := s.Table(t.Context(), name); err == nil {
				t.Errorf("%s leads to %s", name, paths(found))
			}
		}
		if _, err := s.Table(t.Context(), "out"); err == nil || !strings.Contains(err.Error(), "follow_symlinks=true") {
			t.Errorf("the error does not name the option: %v", err)
		}
		c.FollowSymlinks = true
		s = snapshot(t, open(t, c))
		for _, name := range []string{"out", "up", "out.parquet", "outdir", "outdir/secret.parquet", "absolute", "in", "sub"} {
			if f, err := table(t, s, name).Files[0].Open(t.Context()); err != nil || f.Unchanged(t.Context()) != nil || f.Close() != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if found, err := s.Table(t.Context(), "../"+filepath.Base(outside)+"/secret.parquet"); err == nil {
			t.Errorf("a name leads to %s", paths(found))
		}
	}
	// The user named this location; it may itself be a link.
	s := snapshot(t, open(t, Config{Path: filepath.Join(dir, "out.parquet")}))
	if got := table(t, s, "out"); paths(got) != "out.parquet" {
		t.Errorf("files %s", paths(got))
	}
}

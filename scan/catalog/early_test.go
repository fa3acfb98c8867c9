package catalog

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// TestEarly builds random folders and looks for tables in them by name, path and glob: a snapshot
// that lists only what it is asked for finds what one finds that has listed everything.
func TestEarly(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	folders := []string{"a", "b", "t", "db", "k=1", "k=2", "x.parquet", "_h", ".d", "metadata", "_delta_log"}
	files := []string{"a.parquet", "b.pq", "t.PARQ", "t.txt", "a.parquet.parquet", "_a.parquet", "db.parquet", "v1.metadata.json", "00000000000000000000.json"}
	names := []string{"a", "b", "t", "T", "db", "k=1", "k", "x.parquet", "x", "a.parquet", "a/b", "a/a.parquet", "b/t", "_h/a.parquet", "metadata", "nope", "a/*", "a/**", "*/a.parquet", "a/b/*.parquet", "**", "k=*/a.parquet", "_h/*", "./a", "../db", ".", "l", "l/*", "l/a.parquet", "l/**/*.parquet", "a/l/*", "*/l/*", "l/b/*", "m.parquet", "l.parquet/*"}
	early := 0
	for n := range 300 {
		dir := filepath.Join(t.TempDir(), "db")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for range r.Intn(12) {
			at := dir
			for range r.Intn(3) {
				at = filepath.Join(at, folders[r.Intn(len(folders))])
			}
			if os.MkdirAll(at, 0o700) != nil {
				continue // a file has the name
			}
			if err := os.WriteFile(filepath.Join(at, files[r.Intn(len(files))]), one, 0o600); err != nil && !os.IsExist(err) {
				continue // a folder has the name
			}
		}
		outside := filepath.Join(filepath.Dir(dir), "outside")
		if err := errors.Join(os.MkdirAll(outside, 0o700), os.WriteFile(filepath.Join(outside, "a.parquet"), one, 0o600)); err != nil {
			t.Fatal(err)
		}
		for range r.Intn(3) {
			at := filepath.Join(dir, []string{"", "a", "db"}[r.Intn(3)])
			to := []string{dir, filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "t", "a.parquet"), outside, "nowhere"}[r.Intn(6)]
			_ = os.Symlink(to, filepath.Join(at, []string{"l", "m.parquet"}[r.Intn(2)])) // there may be no such folder
		}
		only := [][]string{nil, nil, {"a"}, {"a*", "t"}, {"*"}, {"x.*", "m*", "k=1"}}[r.Intn(6)]
		c := open(t, Config{Path: dir, FollowSymlinks: r.Intn(2) == 0, Only: only})
		for _, name := range names {
			lazy, err := c.Later(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			whole := snapshot(t, c)
			got, gotErr := lazy.find(t.Context(), name)
			want, wantErr := whole.find(t.Context(), name)
			if lazy.unready && got != nil {
				early++
			}
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, folder %d, only %q, %q:\n%+v, %v\nwant\n%+v, %v", seed, n, only, name, got, gotErr, want, wantErr)
			}
			hasLazy, err := lazy.Has(t.Context(), name)
			hasWhole, errWhole := whole.Has(t.Context(), name)
			if hasLazy != hasWhole || fmt.Sprint(err) != fmt.Sprint(errWhole) {
				t.Fatalf("seed %d, folder %d, %q: %v, %v, want %v, %v", seed, n, name, hasLazy, err, hasWhole, errWhole)
			}
		}
	}
	if early < 100 {
		t.Errorf("only %d tables were found without listing everything", early)
	}
}

// TestNoListing: a statement without tables, and one of another table, do not look into folders.
func TestNoListing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"t.parquet", "many/a.parquet"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), one, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, only := range [][]string{nil, {"t"}} {
		c := open(t, Config{Path: dir, Only: only})
		s, err := c.Later(t.Context())
		if err != nil || s.listing != nil {
			t.Fatalf("%v, the location is listed at once", err)
		}
		if found, err := s.find(t.Context(), "t"); err != nil || len(found.entries) != 1 || s.listing != nil {
			t.Errorf("%v, %v, the whole location is listed: %v", found, err, s.listing != nil)
		}
		if found, err := s.find(t.Context(), "./t"); err == nil {
			t.Errorf("./t is a path, and was found as the table t: %v", found)
		}
		if found, err := s.find(t.Context(), "many"); (err == nil) != (only == nil) {
			t.Errorf("only %q: %v, %v", only, found, err)
		}
	}
}

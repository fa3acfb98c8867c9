package log

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/storage"
)

// corpora are the folders with tables of other writers: those of testdata, and one that a
// variable of the environment names.
func corpora(t testing.TB) (tables []string) {
	for _, root := range []string{"../../../testdata/delta", os.Getenv("PARQUETSQL_DELTA_CORPUS")} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == Folder {
				tables = append(tables, filepath.Dir(p))
				return fs.SkipDir
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

func open(dir string) *Table {
	return New(storage.NewLocal(dir, false, storage.NewHandles(storage.MaxHandles, "")), ".", Options{})
}

// naive replays the commits 0 to version with maps: the logical files by path and vector. It is
// false where a commit is missing, and for tables whose logs break the rules.
func naive(t *testing.T, dir string, version int64) (map[string]bool, bool) {
	files := map[string]bool{}
	key := func(action any) string {
		a := action.(map[string]any)
		p, err := url.PathUnescape(a["path"].(string))
		if err != nil {
			p = a["path"].(string)
		}
		p = strings.TrimPrefix(p, "file:")
		for strings.HasPrefix(p, "//") {
			p = p[1:]
		}
		if dv, ok := a["deletionVector"].(map[string]any); ok {
			p += "\x00" + dv["storageType"].(string) + dv["pathOrInlineDv"].(string)
			if at, ok := dv["offset"]; ok && at != nil {
				p += fmt.Sprintf("@%.0f", at)
			}
		}
		return p
	}
	for v := range version + 1 {
		f, err := os.Open(filepath.Join(dir, Folder, fmt.Sprintf("%020d.json", v)))
		if err != nil {
			return nil, false
		}
		lines := json.NewDecoder(f)
		for lines.More() {
			var action map[string]any
			if err := lines.Decode(&action); err != nil {
				t.Fatalf("%s: %v", f.Name(), err)
			}
			if add := action["add"]; add != nil {
				files[key(add)] = true
			}
			if remove := action["remove"]; remove != nil {
				delete(files, key(remove))
			}
		}
		f.Close()
	}
	return files, true
}

// refused are tables that cannot be read, with a part of the error: their names say why.
var refused = map[string]string{
	"deltalog-state-reconstruction-without-metadata":                 "no metaData",
	"deltalog-state-reconstruction-without-protocol":                 "no protocol",
	"deltalog-state-reconstruction-from-checkpoint-missing-metadata": "no metaData",
	"deltalog-state-reconstruction-from-checkpoint-missing-protocol": "no protocol",
	"versions-not-contiguous":                                        "version 1 is missing",
	"deltalog-invalid-protocol-version":                              "reader version 99",
	"catalog-owned-preview":                                          "catalogManaged",
	"simple_table_features":                                          "reader version 5",
	"data-reader-absolute-paths-escaped-chars":                       "no metaData",
}

// TestCorpus reads each version of each table, alone and after the one before, and compares the
// logical files with those of a replay of the commits.
func TestCorpus(t *testing.T) {
	tables := corpora(t)
	if len(tables) < 10 {
		t.Fatalf("%d tables", len(tables))
	}
	compared := 0
	for _, dir := range tables {
		t.Run(tableName(dir), func(t *testing.T) {
			table := open(dir)
			l, err := table.Log(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for v := l.oldest; v <= l.newest; v++ {
				got, err := l.Snapshot(t.Context(), v)
				if why, ok := refused[tableName(dir)]; ok {
					if v == l.newest && (err == nil || !strings.Contains(err.Error(), why)) {
						t.Errorf("version %d: %v", v, err)
					}
					continue
				}
				alone, aloneErr := listed(t, dir).Snapshot(t.Context(), v)
				if (err == nil) != (aloneErr == nil) {
					t.Fatalf("version %d: %v, but alone %v", v, err, aloneErr)
				}
				var version *VersionError
				if errors.As(err, &version) && v < version.Oldest {
					continue
				}
				if err != nil {
					t.Errorf("version %d: %v", v, err)
					continue
				}
				want, ok := naive(t, dir, v)
				for _, s := range []*Snapshot{got, alone} {
					keys := map[string]bool{}
					for _, f := range s.Files {
						keys[f.Key()] = true
					}
					if ok && !maps.Equal(keys, want) {
						t.Errorf("version %d has %q, the commits %q", v, slices.Sorted(maps.Keys(keys)), slices.Sorted(maps.Keys(want)))
					}
				}
				if ok {
					compared++
				}
			}
		})
	}
	t.Logf("%d versions of %d tables", compared, len(tables))
}

// TestDeletionVectors reads each deletion vector of the newest versions. Deleted compares how many
// rows it has with what the log says.
func TestDeletionVectors(t *testing.T) {
	read := 0
	for _, dir := range corpora(t) {
		if _, ok := refused[tableName(dir)]; ok {
			continue
		}
		l := listed(t, dir)
		s, err := l.Snapshot(t.Context(), -1)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		for _, f := range s.Files {
			if f.Deletion == nil {
				continue
			}
			if _, err := l.table.Deleted(t.Context(), f); err != nil {
				t.Errorf("%s: %v", dir, err)
			}
			read++
		}
	}
	t.Logf("%d deletion vectors", read)
	if read < 3 {
		t.Errorf("%d deletion vectors", read)
	}
}

// TestSchemas reads the schema of the newest versions, and the partition values and statistics of
// their files.
func TestSchemas(t *testing.T) {
	for _, dir := range corpora(t) {
		if _, ok := refused[tableName(dir)]; ok {
			continue
		}
		s, err := listed(t, dir).Snapshot(t.Context(), -1)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		columns, err := schema.New(&s.Metadata, &s.Protocol)
		if s.Metadata.Schema == "" && err != nil {
			continue // what a broken test of the writer has left
		}
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		for _, f := range s.Files {
			for i := range columns.Fields {
				if c := &columns.Fields[i]; c.Partition {
					v, ok := f.Partition.Find(c.Physical)
					if _, err := c.PartitionValue(v); err != nil || !ok {
						t.Errorf("%s: %s: %v", dir, f.Path, err)
					}
				}
			}
			if st := schema.NewAsked(nil, nil).Read(f.Stats); f.Stats != "" && st.Rows < 0 {
				t.Errorf("%s: %s has the statistics %s", dir, f.Path, f.Stats)
			}
		}
	}
}

// tableName is the last part of a table's path that is not the same for all.
func tableName(dir string) string {
	if name := filepath.Base(dir); name != "delta" && name != "delta_lake" {
		return name
	}
	return filepath.Base(filepath.Dir(dir))
}

func listed(t *testing.T, dir string) *Log {
	l, err := open(dir).Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestErrors: what is wrong is an error of its kind.
func TestErrors(t *testing.T) {
	if _, err := open(t.TempDir()).Log(t.Context()); err == nil || !strings.Contains(err.Error(), "no Delta table") {
		t.Errorf("a folder without a log: %v", err)
	}
	var corrupt *errs.CorruptError
	if _, err := write(t, nil).Log(t.Context()); !errors.As(err, &corrupt) {
		t.Errorf("an empty log: %v", err)
	}
	const begin = `{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
{"metaData":{"id":"1","format":{"provider":"parquet"},"schemaString":"{}","partitionColumns":[],"configuration":{}}}
`
	l, err := write(t, map[string]string{"00000000000000000000.json": begin}).Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var version *VersionError
	if _, err := l.Snapshot(t.Context(), 7); !errors.As(err, &version) || version.Newest != 0 {
		t.Errorf("version 7: %v", err)
	}
	for text, want := range map[string]string{
		`{"add":{"size":1}}`:                                       "has no path",
		`{"add":{"path":"a","size":`:                               "offset",
		`{"add":{"path":"","size":1}}`:                             `adds the file ""`,
		`{"protocol":{"minReaderVersion":3,"minWriterVersion":7}}`: "no list of reader features",
		`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["later"],"writerFeatures":["later"]}}`: `reader feature "later"`,
	} {
		l, err := write(t, map[string]string{"00000000000000000000.json": begin, "00000000000000000001.json": text}).Log(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Snapshot(t.Context(), -1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Snapshot(ctx, 0); err == nil {
		t.Error("a context that has ended")
	}
	small := New(l.table.store, ".", Options{Memory: 100})
	if l, err = small.Log(t.Context()); err == nil {
		_, err = l.Snapshot(t.Context(), 0)
	}
	if !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("100 bytes of memory: %v", err)
	}
}

// write makes a table of files of its log.
func write(t testing.TB, files map[string]string) *Table {
	table, _ := writeAt(t, files)
	return table
}

// writeAt is write, with the table's folder.
func writeAt(t testing.TB, files map[string]string) (*Table, string) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, Folder), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, Folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return open(dir), dir
}

// TestLittleMemory: where the statistics of files do not fit, their numbers of rows stay; where the
// files do not fit, that is an error.
func TestLittleMemory(t *testing.T) {
	const files, perCommit = 100, 4
	commits := map[string]string{commitName(0): fmt.Sprintf(begin, "")}
	for i := range files {
		commits[commitName(1+i/perCommit)] += fmt.Sprintf(`{"add":{"path":"%d","size":1,"stats":"{\"numRecords\":%d,\"minValues\":{\"x\":\"%s\"}}"}}`+"\n", i, i, strings.Repeat("x", 1000))
	}
	table := write(t, commits)
	for memory, want := range map[int64]int{0: files, 250_000: files, 150_000: 72} {
		small := New(table.store, ".", Options{Memory: memory})
		l, err := small.Log(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Snapshot(t.Context(), -1)
		if err != nil || len(s.Files) != files {
			t.Fatalf("%d bytes: %v, %v", memory, s, err)
		}
		whole := 0
		for _, f := range s.Files {
			if schema.Rows(f.Stats) < 0 {
				t.Errorf("%d bytes: %s has the statistics %q", memory, f.Path, f.Stats)
			}
			if strings.Contains(f.Stats, "minValues") {
				whole++
			}
		}
		if whole > want || whole < want-5 {
			t.Errorf("%d bytes: %d files have bounds", memory, whole)
		}
	}
}

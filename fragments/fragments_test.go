package fragments_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/internal/killed"
)

// TestOneAttemptCounts: of attempts at the same time one counts, and the others leave nothing.
func TestOneAttemptCounts(t *testing.T) {
	store := fragments.Dir(t.TempDir())
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: killed.Tables(t, 1), SQL: "SELECT random() FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var w fragments.Worker
	failed := make(chan error)
	for range 5 {
		go func() { failed <- w.Run(context.Background(), plan.Fragments[0], store) }()
	}
	for range 5 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	names, err := store.List(t.Context(), "")
	if err != nil || len(names) != 2 {
		t.Errorf("%q, %v", names, err)
	}
}

// TestDamagedRows: rows that are not those that were written are an error, wherever a byte differs.
func TestDamagedRows(t *testing.T) {
	dir, store := killed.Tables(t, 1), t.TempDir()
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT * FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var w fragments.Worker
	if err := plan.Do(t.Context(), 1, 1, func(ctx context.Context, f *fragments.Fragment) error { return w.Run(ctx, f, fragments.Dir(store)) }); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(store, plan.ID, "0", "1", "rows-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	read := func() (n int, err error) {
		rows, err := plan.Rows(t.Context(), fragments.Dir(store))
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		for rows.Next() {
			n++
		}
		return n, rows.Err()
	}
	for at := 0; at < len(data); at += len(data)/10 + 1 {
		data[at] ^= 1
		if err := os.WriteFile(files[0], data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := read(); err == nil || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("byte %d: %v", at, err)
		}
		data[at] ^= 1
	}
	if err := os.WriteFile(files[0], data[:len(data)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); err == nil {
		t.Error("a file that is too short is no error")
	}
	if err := os.WriteFile(files[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := read(); n != 2100 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

// TestTooEarly: a fragment that runs before those that it reads is ErrNotReady.
func TestTooEarly(t *testing.T) {
	store := fragments.Dir(t.TempDir())
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: killed.Tables(t, 1), SQL: "SELECT product, COUNT(*) FROM sales GROUP BY product", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	f := plan.Fragments[len(plan.Fragments)-1]
	if len(f.DependsOn) != 1 || f.Stage != 1 {
		t.Fatalf("%+v", f)
	}
	if err := (&fragments.Worker{}).Run(t.Context(), f, store); !errors.Is(err, fragments.ErrNotReady) {
		t.Error(err)
	}
	if names, err := store.List(t.Context(), ""); len(names) > 0 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// TestChangedTables: a worker does not read other files than those of the plan, nor run another plan.
func TestChangedTables(t *testing.T) {
	dir, store := killed.Tables(t, 1), fragments.Dir(t.TempDir())
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT id FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var w fragments.Worker
	file := filepath.Join(dir, "sales", "part-0.parquet")
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context(), plan.Fragments[0], store); !errors.Is(err, parquetsql.ErrChanged) || !strings.Contains(err.Error(), "part-0") {
		t.Error(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context(), plan.Fragments[0], store); !errors.Is(err, parquetsql.ErrChanged) {
		t.Error(err)
	}
	last := plan.Fragments[len(plan.Fragments)-1]
	if err := w.Run(t.Context(), last, store); err != nil {
		t.Errorf("a fragment of other files: %v", err)
	}
	other := *last
	other.SQL, other.Task = "SELECT shop AS id FROM sales", 0
	if err := w.Run(t.Context(), &other, store); !errors.Is(err, fragments.ErrOtherPlan) {
		t.Error(err)
	}
	if names, err := store.List(t.Context(), ""); len(names) != 2 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// TestFragmentsHaveNoSecrets: keys of the DSN stay where they are.
func TestFragmentsHaveNoSecrets(t *testing.T) {
	dir := killed.Tables(t, 1)
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir + "?footer_key=c2VjcmV0c2VjcmV0MTIzNA&memory_limit=64MiB", SQL: "SELECT id FROM sales WHERE id > ? AND product <> :p", Args: nil, StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err == nil {
		plan.Close()
		t.Fatal("arguments are missing")
	}
	plan, err = fragments.New(t.Context(), fragments.Query{DSN: dir + "?footer_key=c2VjcmV0c2VjcmV0MTIzNA&memory_limit=64MiB", SQL: "SELECT id FROM sales WHERE id > ?", Args: []any{7}, StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	data, err := plan.Fragments[0].Marshal()
	if err != nil || strings.Contains(string(data), "c2VjcmV0") || strings.Contains(string(data), "footer_key") || !strings.Contains(string(data), "memory_limit") {
		t.Errorf("%s, %v", data, err)
	}
	var seen []byte
	w := fragments.Worker{Config: func(c *parquetsql.Config) error {
		c.FooterKey = []byte("secretsecret1234")
		seen = c.FooterKey
		return nil
	}}
	if err := w.Run(t.Context(), plan.Fragments[0], fragments.Dir(t.TempDir())); err != nil || seen == nil {
		t.Error(err)
	}
	if _, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT ?", Args: []any{struct{}{}}}); !errors.Is(err, parquetsql.ErrUnsupported) {
		t.Error(err)
	}
}

// TestFragmentForm: what a worker gets may be of another version, or wrong.
func TestFragmentForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":2,"id":"a","tasks":[1]}`:                     "format 2",
		`{"format":1,"id":"../a","tasks":[1]}`:                  "no name",
		`{"format":1,"id":"a","tasks":[1],"stage":1}`:           "no task",
		`{"format":1,"id":"a","tasks":[1],"stage":0,"task":-1}`: "no task",
		`{`: "a fragment",
	} {
		if _, err := fragments.Unmarshal([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDir: names stay within the folder, and the first of a name is the only one.
func TestDir(t *testing.T) {
	d := fragments.Dir(t.TempDir())
	ctx := t.Context()
	if err := d.CreateNew(ctx, "../a", nil); err == nil {
		t.Error("a name outside of the folder")
	}
	if err := d.CreateNew(ctx, "a/b", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := d.CreateNew(ctx, "a/b", []byte("2")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if data, err := d.ReadAll(ctx, "a/b"); string(data) != "1" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := d.ReadRange(ctx, "a/b", 0, 1<<60); err == nil {
		t.Error("more bytes than there are")
	}
	if err := errors.Join(d.Remove(ctx, "a/b"), d.Remove(ctx, "a/b")); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(string(d)); len(entries) > 0 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
}

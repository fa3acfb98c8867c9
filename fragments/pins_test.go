package fragments_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/internal/killed"
)

// TestWriterInBetween: what a writer commits between the planning and the fragments, which plan again, changes
// no row and no plan: a file in a folder, a version of a Delta table, a snapshot of an Iceberg table.
func TestWriterInBetween(t *testing.T) {
	folder := killed.Tables(t, 1)
	for _, c := range []struct {
		name, dir, query string
		before           func(dir string) // hides what the writer commits
		commit           func(dir string)
	}{
		{"folder", folder, "SELECT COUNT(*), MAX(id) FROM sales", func(string) {}, func(dir string) {
			copyFile(t, filepath.Join(dir, "sales", "part-0.parquet"), filepath.Join(dir, "sales", "part-00.parquet"))
		}},
		{"another schema", folder, "SELECT * FROM sales", func(string) {}, func(dir string) {
			copyFile(t, "../testdata/penguins.parquet", filepath.Join(dir, "sales", "penguins.parquet"))
		}},
		{"delta", "../testdata/delta/golden/snapshot-data3", "SELECT * FROM delta", func(dir string) {
			hide(t, filepath.Join(dir, "delta", "_delta_log"), "*3.json")
		}, show},
		{"iceberg", "../testdata/iceberg/impala/tables/iceberg_v3", "SELECT * FROM iceberg_v3_deletion_vectors", func(dir string) {
			metadata := filepath.Join(dir, "iceberg_v3_deletion_vectors", "metadata")
			hide(t, metadata, "v3.metadata.json")
			writeText(t, filepath.Join(metadata, "version-hint.text"), "2")
		}, func(dir string) {
			show(dir)
			writeText(t, filepath.Join(dir, "iceberg_v3_deletion_vectors", "metadata", "version-hint.text"), "3")
		}},
	} {
		for _, split := range []int64{1, 0} {
			t.Run(fmt.Sprintf("%s/%d", c.name, split), func(t *testing.T) {
				dir, store := filepath.Join(t.TempDir(), "tables"), fragments.Dir(t.TempDir())
				if err := os.CopyFS(dir, os.DirFS(c.dir)); err != nil {
					t.Fatal(err)
				}
				c.before(dir)
				want := allRows(t, dir, c.query)
				plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: c.query, StageOptions: parquetsql.StageOptions{SplitBytes: split}})
				if err != nil {
					t.Fatal(err)
				}
				defer plan.Close()
				c.commit(dir)
				if now := allRows(t, dir, c.query); slices.Equal(now, want) {
					t.Fatalf("the commit changed nothing: %q", now)
				}
				w := &fragments.Worker{}
				if err := plan.Do(t.Context(), 1, 1, func(ctx context.Context, f *fragments.Fragment) error { return w.Run(ctx, f, store) }); err != nil {
					t.Fatal(err)
				}
				rows, err := w.Rows(t.Context(), plan.Last(), store)
				if err != nil {
					t.Fatal(err)
				}
				if got := texts(t, rows); !slices.Equal(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// TestSchemaInBetween: a column that is dropped and added again is another one, although the snapshot and all names
// stay: the fragments say so.
func TestSchemaInBetween(t *testing.T) {
	dir, store := filepath.Join(t.TempDir(), "tables"), fragments.Dir(t.TempDir())
	if err := os.CopyFS(dir, os.DirFS("../testdata/iceberg/impala/tables/iceberg_v3")); err != nil {
		t.Fatal(err)
	}
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT SUM(i) FROM iceberg_v3_deletion_vectors", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	metadata := filepath.Join(dir, "iceberg_v3_deletion_vectors", "metadata")
	old, err := os.ReadFile(filepath.Join(metadata, "v3.metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	const schema = `{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"i","required":false,"type":"int"}]}`
	text := strings.NewReplacer(`"current-schema-id":0`, `"current-schema-id":1`, `"last-column-id":1`, `"last-column-id":2`,
		schema, schema+","+strings.NewReplacer(`"schema-id":0`, `"schema-id":1`, `"id":1`, `"id":2`).Replace(schema)).Replace(string(old))
	writeText(t, filepath.Join(metadata, "v4.metadata.json"), text)
	writeText(t, filepath.Join(metadata, "version-hint.text"), "4")
	if got := allRows(t, dir, "SELECT SUM(i) FROM iceberg_v3_deletion_vectors"); got[0] != "[<nil>]" {
		t.Fatalf("the sum of the new column is %q", got)
	}
	if err := (&fragments.Worker{}).Run(t.Context(), plan.Fragments[0], store); !errors.Is(err, fragments.ErrOtherPlan) {
		t.Error(err)
	}
}

// TestPanicInConfig: what Config panics with is its caller's, and the next fragment plans anew.
func TestPanicInConfig(t *testing.T) {
	dir, store := killed.Tables(t, 1), fragments.Dir(t.TempDir())
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT id FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	first := true
	w := &fragments.Worker{Config: func(*parquetsql.Config) error {
		if first {
			first = false
			panic("once")
		}
		return nil
	}}
	func() {
		defer func() {
			if recover() != "once" {
				t.Error("no panic")
			}
		}()
		_ = w.Run(t.Context(), plan.Fragments[0], store)
	}()
	if err := errors.Join(w.Run(t.Context(), plan.Fragments[0], store), w.Close()); err != nil {
		t.Error(err)
	}
}

func allRows(t *testing.T, dir, query string) []string {
	t.Helper()
	db, err := sql.Open("parquet", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	return texts(t, rows)
}

// texts are rows, sorted.
func texts(t *testing.T, rows *sql.Rows) (out []string) {
	t.Helper()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range at {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(values))
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

const hidden = ".hidden"

// hide takes files away that match a pattern.
func hide(t *testing.T, dir, pattern string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%q, %v", list, err)
	}
	for _, path := range list {
		if err := os.Rename(path, path+hidden); err != nil {
			t.Fatal(err)
		}
	}
}

// show gives them back.
func show(dir string) {
	list, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*"+hidden))
	for _, path := range list {
		_ = os.Rename(path, path[:len(path)-len(hidden)]) // the test finds that nothing was committed
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, to, string(data))
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

package iceberg

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/parquetsql/parquetsql"
)

// tableDirs are the folders with Iceberg metadata below a root.
func tableDirs(t *testing.T, root string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), ".metadata.json") && filepath.Base(filepath.Dir(p)) == "metadata" {
			if dir := filepath.Dir(filepath.Dir(p)); !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// opened is a folder that notes which files are opened.
type opened struct {
	fs.FS
	mu    sync.Mutex
	names []string
}

func (o *opened) Open(name string) (fs.File, error) {
	o.mu.Lock()
	o.names = append(o.names, name)
	o.mu.Unlock()
	return o.FS.Open(name)
}

// ours is a table as the driver reads it.
type ours struct {
	*sql.DB
	files *opened
	name  string // in SQL
	dir   string
}

func open(t testing.TB, dir string) *ours {
	t.Helper()
	files := &opened{FS: os.DirFS(filepath.Dir(dir))}
	c, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, Path: ".", Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return &ours{db, files, "`" + filepath.Base(dir) + "`", dir}
}

// metadata is the metadata file that was read last.
func (o *ours) metadata() string {
	for _, name := range slices.Backward(o.files.names) {
		if strings.Contains(name, ".metadata.json") {
			return filepath.Join(filepath.Dir(o.dir), filepath.FromSlash(name))
		}
	}
	return ""
}

// rows are the rows of a query as texts, sorted.
func (o *ours) rows(query string, args ...any) ([]string, error) {
	rows, err := o.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range into {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%v", values))
	}
	slices.Sort(out)
	return out, rows.Err()
}

// moved is files whose paths are those of the writer, in the folder where they are.
type moved struct{ location, dir string }

func bare(p string) string {
	if _, rest, ok := strings.Cut(p, "://"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/" + rest
	}
	return strings.TrimPrefix(p, "file:")
}

// Open implements iceio.IO.
func (m moved) Open(name string) (iceio.File, error) {
	file := bare(name)
	if _, err := os.Stat(file); err != nil {
		if rest, ok := strings.CutPrefix(file, bare(strings.TrimSuffix(m.location, "/"))+"/"); ok {
			file = filepath.Join(m.dir, filepath.FromSlash(rest))
		} else if _, rest, ok := strings.Cut(file, "/"+filepath.Base(m.dir)+"/"); ok {
			file = filepath.Join(m.dir, filepath.FromSlash(rest))
		}
		if _, err := os.Stat(file); err != nil && strings.HasSuffix(file, ".avro") {
			file = filepath.Join(m.dir, "metadata", path.Base(filepath.ToSlash(file)))
		}
	}
	return os.Open(file)
}

// Remove implements iceio.IO.
func (m moved) Remove(string) error { return fs.ErrPermission }

// theirs is the table of a metadata file as iceberg-go reads it.
func theirs(ctx context.Context, dir, metadata string) (*table.Table, error) {
	text, err := os.ReadFile(metadata)
	if err != nil {
		return nil, err
	}
	var m struct{ Location string }
	_ = json.Unmarshal(text, &m) // it may be compressed
	files := moved{m.Location, dir}
	return table.NewFromLocation(ctx, table.Identifier{"t"}, metadata, func(context.Context) (iceio.IO, error) { return files, nil }, nil)
}

// planned are the names of the data files that iceberg-go would read.
func planned(ctx context.Context, t *table.Table, filter iceberg.BooleanExpression) (out []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	tasks, err := t.Scan(table.WithRowFilter(filter)).PlanFiles(ctx)
	if err != nil {
		return nil, err
	}
	for _, task := range tasks {
		out = append(out, path.Base(task.File.FilePath()))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// read are the rows that iceberg-go reads of some columns, as texts, sorted.
func read(ctx context.Context, t *table.Table, filter iceberg.BooleanExpression, columns []string) (out []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	_, batches, err := t.Scan(table.WithRowFilter(filter), table.WithSelectedFields(columns...)).ToArrowRecords(ctx)
	if err != nil {
		return nil, err
	}
	for b, err := range batches {
		if err != nil {
			return nil, err
		}
		for i := range int(b.NumRows()) {
			row := make([]any, len(columns))
			for c, name := range columns {
				at := b.Schema().FieldIndices(name)
				if len(at) != 1 {
					return nil, fmt.Errorf("%d columns %s", len(at), name)
				}
				row[c] = valueOf(b.Column(at[0]), i)
			}
			out = append(out, fmt.Sprintf("%v", row))
		}
		b.Release()
	}
	slices.Sort(out)
	return out, nil
}

func valueOf(a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.Int32:
		return int64(a.Value(i))
	case *array.Int64:
		return a.Value(i)
	case *array.Boolean:
		return a.Value(i)
	}
	return a.ValueStr(i)
}

// simple are the columns of types that both write alike.
func simple(s *iceberg.Schema) (out []iceberg.NestedField) {
	for _, f := range s.Fields() {
		switch f.Type.(type) {
		case iceberg.Int32Type, iceberg.Int64Type, iceberg.StringType, iceberg.BooleanType:
			out = append(out, f)
		}
	}
	return out
}

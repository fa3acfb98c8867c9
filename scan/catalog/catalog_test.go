package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/vector"
)

var one = scantest.File([]scantest.Field{scantest.Int32("a")})

func paths(t *files.Set) string {
	var out []string
	for _, f := range t.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

// columns lists the visible columns as "name TYPE", nullable ones with "?".
func columns(t *files.Set) string {
	var out []string
	for _, c := range t.Columns {
		if c.Hidden {
			continue
		}
		text := c.Name + " " + c.Type.String()
		if c.Nullable {
			text += "?"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestDirectory(t *testing.T) {
	fsys := scantest.FS(map[string][]byte{
		"db/penguins.parquet":            one,
		"db/x.snappy.PARQ":               one,
		"db/readme.txt":                  []byte("text"),
		"db/_hidden.parquet":             one,
		"db/.tmp/y.parquet":              one,
		"db/events/2024/01/p.pq":         one,
		"db/events/2024/02/_part.pq":     one,
		"db/events/2024/02/part.pq":      one,
		"db/empty/notes.txt":             nil,
		"db/mixed.parquet":               one,
		"db/mixed/a.parquet":             one,
		"db/bad.parquet":                 []byte("no Parquet file"),
		"db/delta/_delta_log/0.json":     nil,
		"db/delta/part-0.parquet":        one,
		"db/deep/t/_delta_log/0.parquet": nil,
		"db/deep/t/a.parquet":            one,
	})
	s := snapshot(t, open(t, Config{FS: fsys, Path: "db"}))
	want := []string{"bad", "deep", "delta", "events", "mixed", "penguins", "x.snappy"}
	if got := names(t, s); !slices.Equal(got, want) {
		t.Fatalf("tables %q, want %q", got, want)
	}
	for name, want := range map[string]string{
		"penguins":                "penguins.parquet",
		"PENGUINS":                "penguins.parquet",
		"penguins.parquet":        "penguins.parquet",
		"./penguins.parquet":      "penguins.parquet",
		"events":                  "events/2024/01/p.pq events/2024/02/part.pq",
		"events/2024/02":          "events/2024/02/part.pq",
		"events/2024/02/":         "events/2024/02/part.pq",
		"events/*/0[!1]/*":        "events/2024/02/part.pq",
		"**/p*.pq":                "events/2024/01/p.pq events/2024/02/part.pq",
		"events/**":               "events/2024/01/p.pq events/2024/02/part.pq",
		"events/**/02/**/part.pq": "events/2024/02/part.pq",
		"mixed.parquet":           "mixed.parquet",
		"mixed/a.parquet":         "mixed/a.parquet",
		"_hidden.parquet":         "_hidden.parquet",
		".tmp/*.parquet":          ".tmp/y.parquet",
		"events/2024/02/_part.pq": "events/2024/02/_part.pq",
		"delta/part-*.parquet":    "delta/part-0.parquet",
		"m?xed/[a-b].parquet":     "mixed/a.parquet",
		"mixed//a.parquet":        "mixed/a.parquet",
		"./mixed/./a.parquet":     "mixed/a.parquet",
		".//mixed//./[a-b].*":     "mixed/a.parquet",
	} {
		if got := paths(table(t, s, name)); got != want {
			t.Errorf("%q has the files %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"mixed":                  "mixed.parquet",
		"bad":                    "not a Parquet file",
		"*.parquet":              "not a Parquet file",
		"delta":                  "_delta_log",
		"deep":                   "_delta_log",
		"deep/t":                 "_delta_log",
		"../db/penguins.parquet": "outside",
		"/db/penguins.parquet":   "outside",
		"events/../bad.parquet":  "outside",
		"[":                      "syntax error in pattern",
	} {
		if _, err := s.Table(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
	if _, err := s.Table(t.Context(), "deep"); !errors.Is(err, errs.ErrUnsupported) {
		t.Errorf("a folder above a Delta table: %v", err)
	}
	for name, nearest := range map[string]string{"pinguins": "penguins", "nothing": "", "events/2025/*.pq": "", "x": ""} {
		var e *errs.NotFoundError
		if _, err := s.Table(t.Context(), name); !errors.As(err, &e) || e.Kind != "table" || e.Name != name || strings.Join(e.Nearest, " ") != nearest {
			t.Errorf("%q: %#v", name, err)
		}
	}
}

func TestOneTableLocations(t *testing.T) {
	fsys := scantest.FS(map[string][]byte{
		"db/k=1/a.parquet": one, "db/k=2/b.parquet": one, "db/other/c.parquet": one,
		"x/2024/part-1.parquet": one, "x/2025/part-2.parquet": one, "x/2025/other.parquet": one,
		"d/_delta_log/1.json": nil, "d/a.parquet": one, "odd[1].parquet": one,
	})
	for _, c := range []struct{ path, names, table, files string }{
		{"db", "db other", "db", "k=1/a.parquet k=2/b.parquet"},
		{"x/2024/part-1.parquet", "part-1", "part-1", "part-1.parquet"},
		{"x/*/part-?.parquet", "x", "x", "2024/part-1.parquet 2025/part-2.parquet"},
		{"x/**/other.parquet", "other", "other", "2025/other.parquet"},
		{"*/*/*.parquet", "data", "data", "db/k=1/a.parquet db/k=2/b.parquet db/other/c.parquet x/2024/part-1.parquet x/2025/other.parquet x/2025/part-2.parquet"},
		{"x/2025/*", "2025", "2025", "other.parquet part-2.parquet"},
		{"odd[1].parquet", "odd[1]", "odd[1]", "odd[1].parquet"},
		{"d", "d", "", ""},
	} {
		s := snapshot(t, open(t, Config{FS: fsys, Path: c.path}))
		if got := strings.Join(names(t, s), " "); got != c.names {
			t.Errorf("%s: tables %q, want %q", c.path, got, c.names)
		}
		if c.table == "" {
			continue
		}
		if got := paths(table(t, s, c.table)); got != c.files {
			t.Errorf("%s: files %q, want %q", c.path, got, c.files)
		}
	}
	s := snapshot(t, open(t, Config{FS: fsys, Path: "x/2025/other.parquet"}))
	if _, err := s.Table(t.Context(), "part-2.parquet"); err == nil {
		t.Error("a location of one file gives access to the file next to it")
	}
	for _, p := range []string{"nothing", "x/2026/*.parquet", "nothing/*.parquet"} {
		c, err := New(Config{FS: fsys, Path: p})
		if err == nil {
			err = c.Ping(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("location %q: %v", p, err)
		}
	}
}

func TestHive(t *testing.T) {
	null := "k=" + hiveNull
	fsys := scantest.FS(map[string][]byte{
		"ints/k=1/a.parquet": one, "ints/k=-2/b.parquet": one, "ints/" + null + "/c.parquet": one,
		"dates/d=2024-02-29/a.parquet": one, "dates/d=2024-03-01/b.parquet": one,
		"texts/k=2024-02-30/e=x%2Fy%2520z/a.parquet": one, "texts/k=1/e=+/b.parquet": one,
		"uneven/k=1/a.parquet": one, "uneven/j=2/b.parquet": one,
		"own/a=7/a.parquet": one, "cased/A=7/a.parquet": one,
		"zip/k=01234/a.parquet": one, "zip/k=1234/b.parquet": one,
		"signs/k=-0/a.parquet": one, "signs/k=0/b.parquet": one, "signs/k=+1/c.parquet": one,
		"spaces/k= 5/a.parquet": one, "spaces/k=5/b.parquet": one,
		"decoded/k=%35/a.parquet": one, "decoded/k=-9223372036854775808/b.parquet": one, "long/k=9223372036854775808/a.parquet": one,
		"nulls/k=" + hiveNull + "/a.parquet": one, "duck/k=NULL/a.parquet": one, "duck/k=null/b.parquet": one, "duck/k=2/b.parquet": one,
		"days/k=2024-1-2/a.parquet": one, "days/k=2024-01-02/b.parquet": one, "mixed/k=1/a.parquet": one, "mixed/k=2024-01-02/b.parquet": one,
		"order/x=1/y=a/a.parquet": one, "order/y=b/x=2/b.parquet": one,
		"slash/x%2Fy=1/a.parquet": one, "slash/x=1/y=2/b.parquet": one,
		"less/x=1/y=a/a.parquet": one, "less/x=2/b.parquet": one,
		"case/Key=1/a.parquet": one, "case/kEY=2/b.parquet": one,
		"under/_k=1/a.parquet": one, "under/_k=2/b.parquet": one, "under/_k=2/_SUCCESS": nil, "under/_tmp/c.parquet": one,
		"both/k=1/K=2/a.parquet": one, "both/k=3/K=4/b.parquet": one, "empty/k=/a.parquet": one, "empty/k=1/b.parquet": one,
	})
	for _, c := range []struct{ mode, table, columns, values string }{
		{"", "ints", "a INTEGER, k BIGINT?", "-2|1|NULL"},
		{"off", "ints", "a INTEGER", "||"},
		{"auto", "dates", "a INTEGER, d DATE", "19782|19783"},
		{"on", "texts", "a INTEGER, k VARCHAR, e VARCHAR", "1,+|2024-02-30,x/y%20z"},
		{"auto", "uneven", "a INTEGER", "|"},
		{"on", "uneven", "a INTEGER, j BIGINT?, k BIGINT?", "2,NULL|NULL,1"},
		{"on", "own", "a BIGINT", "7"},
		{"", "cased", "a BIGINT", "7"}, // DuckDB: the file's spelling, the folder's value
		{"", "zip", "a INTEGER, k VARCHAR", "01234|1234"},
		{"", "signs", "a INTEGER, k VARCHAR", "+1|-0|0"},
		{"", "spaces", "a INTEGER, k VARCHAR", " 5|5"},
		{"", "decoded", "a INTEGER, k BIGINT", "5|-9223372036854775808"},
		{"", "long", "a INTEGER, k VARCHAR", "9223372036854775808"},
		{"", "nulls", "a INTEGER, k VARCHAR?", "NULL"},
		{"", "duck", "a INTEGER, k BIGINT?", "2|NULL|NULL"},
		{"", "days", "a INTEGER, k VARCHAR", "2024-01-02|2024-1-2"},
		{"", "mixed", "a INTEGER, k VARCHAR", "1|2024-01-02"},
		{"", "order", "a INTEGER, x BIGINT, y VARCHAR", "1,a|2,b"},
		{"on", "slash", "a INTEGER, x/y BIGINT?, x BIGINT?, y BIGINT?", "1,NULL,NULL|NULL,1,2"},
		{"", "less", "a INTEGER", "|"},
		{"on", "less", "a INTEGER, x BIGINT, y VARCHAR?", "1,a|2,NULL"},
		{"", "case", "a INTEGER, Key BIGINT", "1|2"},
		{"", "under", "a INTEGER, _k BIGINT", "1|2"}, // as in Spark; _tmp is none of its folders
		{"", "both", "a INTEGER, k BIGINT, K BIGINT", "1,2|3,4"},
		{"", "empty", "a INTEGER, k VARCHAR", "|1"},
	} {
		s := snapshot(t, open(t, Config{FS: fsys, Path: ".", HivePartitioning: c.mode}))
		found := table(t, s, c.table+"/**")
		if got := columns(found); got != c.columns {
			t.Errorf("%s %s: columns %q, want %q", c.table, c.mode, got, c.columns)
		}
		var rows []string
		for _, f := range found.Files {
			var row []string
			for i, column := range found.Columns {
				if !column.Partition {
					continue
				}
				switch v, _ := f.Value(i); {
				case v.Null:
					row = append(row, "NULL")
				case v.Type.Kind == vector.Varchar:
					row = append(row, v.Str)
				default:
					row = append(row, fmt.Sprint(v.I64))
				}
				if _, ok := columnsOf(t, f).Column(i); ok {
					t.Errorf("%s: a partition column comes from the file too", c.table)
				}
			}
			rows = append(rows, strings.Join(row, ","))
		}
		if got := strings.Join(rows, "|"); got != c.values {
			t.Errorf("%s %s: values %q, want %q", c.table, c.mode, got, c.values)
		}
	}
}

func TestHiddenColumns(t *testing.T) {
	group := scantest.Field{Name: "g", Children: []scantest.Field{scantest.Int32("x")}}
	fsys := scantest.FS(map[string][]byte{"t.parquet": scantest.File([]scantest.Field{scantest.Int32("a"), group, scantest.Text("_row")})})
	var got []string
	for _, c := range table(t, snapshot(t, open(t, Config{FS: fsys, Path: "."})), "t").Columns {
		got = append(got, fmt.Sprintf("%s/%v/%v/%d", c.Name, c.Hidden, c.Group, c.Origin))
	}
	want := "a/false/false/0 g.x/false/false/0 _row/false/false/0 _file/true/false/2 _row_group/true/false/3 g/true/true/0"
	if strings.Join(got, " ") != want {
		t.Errorf("columns %q, want %q", got, want)
	}
}

// TestCache counts how often files are opened.
func TestCache(t *testing.T) {
	fsys := scantest.FS(map[string][]byte{"t/a.parquet": one, "t/b.parquet": scantest.File([]scantest.Field{scantest.Int64("a")})})
	counting := &countingFS{MapFS: fsys}
	c := open(t, Config{FS: counting, Path: "."})
	s := snapshot(t, c)
	if counting.files.Load() != 0 || len(names(t, s)) != 1 {
		t.Fatal("a snapshot opens files")
	}
	for range 3 {
		if got := columns(table(t, snapshot(t, c), "t")); got != "a BIGINT" {
			t.Fatal(got)
		}
	}
	if n := counting.files.Load(); n != 2 {
		t.Errorf("%d files opened, want 2", n)
	}
	old := table(t, s, "t")
	fsys["t/a.parquet"] = &fstest.MapFile{Data: scantest.File([]scantest.Field{scantest.Text("b")}), ModTime: time.Unix(1700000001, 0)}
	if got := columns(table(t, snapshot(t, c), "t")); got != "b VARCHAR?, a BIGINT?" {
		t.Errorf("after a change: %s", got)
	}
	readOld := func() error {
		f, err := old.Files[0].Open(t.Context()) // its footer is known: nothing is looked at
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.ReadAt(t.Context(), make([]byte, 4), 0)
		return errors.Join(err, f.Close())
	}
	if err := readOld(); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("reading a changed file: %v", err)
	}
	if f, err := old.Files[1].Open(t.Context()); err != nil || f.Unchanged(t.Context()) != nil || f.Close() != nil || f.Close() != nil {
		t.Errorf("opening an unchanged file: %v", err)
	}
	delete(fsys, "t/a.parquet")
	if err := readOld(); err == nil || !strings.Contains(err.Error(), "t/a.parquet") {
		t.Errorf("a file of the snapshot vanished: %v", err)
	}
}

type countingFS struct {
	fstest.MapFS
	files atomic.Int64 // footers are read by several goroutines
}

func (c *countingFS) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".parquet") {
		c.files.Add(1)
	}
	return c.MapFS.Open(name)
}

func TestCorruptSkip(t *testing.T) {
	fsys := scantest.FS(map[string][]byte{"t/a.parquet": []byte("PAR1 garbage PAR1"), "t/b.parquet": one})
	if _, err := snapshot(t, open(t, Config{FS: fsys, Path: "."})).Table(t.Context(), "t"); err == nil {
		t.Error("a corrupt file is skipped")
	}
	found := table(t, snapshot(t, open(t, Config{FS: fsys, Path: ".", Scan: scan.Options{OnCorruptSkip: true}})), "t")
	var corrupt *errs.CorruptError
	if _, err := found.Files[0].Open(t.Context()); !errors.As(err, &corrupt) || corrupt.File != "t/a.parquet" || columns(found) != "a INTEGER" {
		t.Errorf("%v; columns %s", err, columns(found))
	}
}

func TestSummary(t *testing.T) {
	fields := []scantest.Field{scantest.Int32("a")}
	fsys := scantest.FS(map[string][]byte{
		"t/_metadata":        scantest.File(fields, "k=1/a.parquet", "k=2/b.parquet"),
		"t/k=1/a.parquet":    one,
		"t/k=2/b.parquet":    one,
		"t/_outside":         scantest.File(fields, "../../a.parquet"),
		"t/_absolute":        scantest.File(fields, "/k=1/a.parquet"),
		"t/_mixed":           scantest.File(fields, "k=1/a.parquet", "k=2/b.parquet", "k=1/a.parquet", ""),
		"t/_missing":         scantest.File(fields, "k=3/c.parquet"),
		"t/_common_metadata": scantest.File(fields),
		"t/_pipe":            scantest.File(fields, "pipe"),
	})
	fsys["t/pipe"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	s := snapshot(t, open(t, Config{FS: fsys, Path: "t"}))
	found := table(t, s, "_metadata")
	if paths(found) != "k=1/a.parquet k=2/b.parquet" || columns(found) != "a INTEGER, k BIGINT" {
		t.Errorf("files %q, columns %q", paths(found), columns(found))
	}
	for _, f := range found.Files {
		o, err := f.Open(t.Context())
		if err != nil || len(o.RowGroups()) != 1 || o.RowGroups()[0].Columns[0].FilePath != "" {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	mixed := table(t, s, "_mixed")
	var groups []int
	for _, f := range mixed.Files {
		o, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, len(o.RowGroups()))
	}
	if paths(mixed) != "k=1/a.parquet k=2/b.parquet _mixed" || !slices.Equal(groups, []int{2, 1, 1}) {
		t.Errorf("files %q with %v row groups", paths(mixed), groups)
	}
	if found := table(t, s, "_common_metadata"); columns(found) != "a INTEGER" {
		t.Error(columns(found))
	}
	for _, name := range []string{"_outside", "_absolute", "_missing", "_pipe"} {
		var corrupt *errs.CorruptError
		if _, err := s.Table(t.Context(), name); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNotReaderAt: fs.FS does not require io.ReaderAt.
func TestNotReaderAt(t *testing.T) {
	c := open(t, Config{FS: streamFS{scantest.FS(map[string][]byte{"a.parquet": one})}, Path: "."})
	table, err := snapshot(t, c).Table(t.Context(), "a")
	if err != nil || len(table.Files) != 1 {
		t.Error(err)
	}
}

type streamFS struct{ fs.FS }

func (s streamFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if _, folder := f.(fs.ReadDirFile); err != nil || folder {
		return f, err
	}
	return struct{ fs.File }{f}, nil
}

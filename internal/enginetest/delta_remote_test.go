package enginetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/storage"
	service "github.com/parquetsql/parquetsql/storage/remote"
)

// objects is a service of the files of a folder, with pages of a thousand, that begins listings
// where it is asked to.
type objects struct {
	dir   string
	seeks bool

	mu     sync.Mutex
	lists  []service.Listing
	gets   []string
	closed bool
}

func (o *objects) Seeks() bool { return o.seeks }

func (o *objects) Close() error {
	o.closed = true
	return nil
}

func (o *objects) Address(name string) string { return "box://b/" + name }

func (o *objects) Get(_ context.Context, r service.Range) (*service.Answer, error) {
	o.mu.Lock()
	o.gets = append(o.gets, r.Name)
	o.mu.Unlock()
	data, err := os.ReadFile(filepath.Join(o.dir, filepath.FromSlash(r.Name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &service.Error{Kind: service.NotFound, Reason: "404"}
	}
	if err != nil {
		return nil, err
	}
	off := r.Off
	if off < 0 {
		off = max(0, int64(len(data))-r.N)
	}
	part := data[off:min(int64(len(data)), off+r.N)]
	return &service.Answer{Body: io.NopCloser(bytes.NewReader(part)), Off: off, Size: int64(len(data)), Version: fmt.Sprint(len(data))}, nil
}

func (o *objects) List(_ context.Context, l service.Listing) (*service.Page, error) {
	o.mu.Lock()
	o.lists = append(o.lists, l)
	o.mu.Unlock()
	const most = 1000
	out := &service.Page{}
	err := filepath.WalkDir(o.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(o.dir, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		rest, below := strings.CutPrefix(name, l.Prefix)
		if !below || !l.Flat && strings.Contains(rest, "/") || name <= l.After || o.seeks && name < l.From {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			out.Objects = append(out.Objects, service.Object{Name: name, Size: info.Size(), Version: fmt.Sprint(info.Size()), Time: info.ModTime()})
		}
		return err
	})
	slices.SortFunc(out.Objects, func(a, b service.Object) int { return strings.Compare(a.Name, b.Name) })
	if len(out.Objects) > most {
		out.Objects = out.Objects[:most]
		out.Next = out.Objects[most-1].Name
	}
	return out, err
}

// asked is how many requests of either kind there were since it was called last.
func (o *objects) asked() (lists, gets int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	lists, gets = len(o.lists), len(o.gets)
	o.lists, o.gets = nil, nil
	return lists, gets
}

// openObjects opens a location whose scheme is box.
func openObjects(t *testing.T, o *objects, path string, more func(*parquetsql.Config)) *sql.DB {
	t.Helper()
	config := parquetsql.NewConfig()
	config.Path = path
	config.Stores = map[string]storage.Scheme{"box": {Open: func(a storage.Address, _ map[string]string) (storage.Root, error) {
		return storage.Root{Store: service.New(o, storage.Remote), Name: a.Path}, nil
	}}}
	if more != nil {
		more(config)
	}
	c, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db
}

const penguins = 344 // rows of testdata/penguins.parquet

// longLog writes a Delta table of so many versions, of which the first and the last add a file, with
// a checkpoint of a version. The files are those of testdata/penguins.parquet.
func longLog(t *testing.T, dir string, versions, checkpoint int) {
	t.Helper()
	data, err := os.ReadFile("testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string) string {
		writeFile(t, filepath.Join(dir, name), data)
		return fmt.Sprintf(`{"add":{"path":%q,"partitionValues":{},"size":%d,"modificationTime":1,"dataChange":true}}`, name, len(data))
	}
	table := `{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["v2Checkpoint"],"writerFeatures":["v2Checkpoint"]}}
{"metaData":{"id":"x","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"Species\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{}}}
`
	log := filepath.Join(dir, "_delta_log")
	for v := range versions {
		text := `{"commitInfo":{"timestamp":1,"operation":"OPTIMIZE"}}`
		switch v {
		case 0:
			text = table + add("a.parquet")
		case versions - 1:
			text = add("z.parquet")
		}
		writeFile(t, filepath.Join(log, fmt.Sprintf("%020d.json", v)), []byte(text))
	}
	if checkpoint > 0 {
		name := fmt.Sprintf("%020d.checkpoint.00000000-0000-4000-8000-000000000000.json", checkpoint)
		writeFile(t, filepath.Join(log, name), []byte(table+fmt.Sprintf("{\"checkpointMetadata\":{\"version\":%d}}\n", checkpoint)+add("a.parquet")))
		writeFile(t, filepath.Join(log, "_last_checkpoint"), []byte(fmt.Sprintf(`{"version":%d,"size":4}`, checkpoint)))
	}
}

// TestDeltaRequests: of a long log in a bucket only what follows its last checkpoint is listed and
// read, and then what follows the version that is known. Old versions are found when they are asked
// for.
func TestDeltaRequests(t *testing.T) {
	const versions, checkpoint = 2_400, 2_380
	dir := t.TempDir()
	longLog(t, filepath.Join(dir, "lake", "t"), versions, checkpoint)
	for i := range 1_500 { // what is behind the log in the table's folder is not listed
		writeFile(t, filepath.Join(dir, "lake", "t", fmt.Sprintf("part-%04d.parquet", i)), nil)
	}
	writeFile(t, filepath.Join(dir, "lake", "u.parquet"), parquetOf(texts("name", "x")))
	o := &objects{dir: dir, seeks: true}
	db := openObjects(t, o, "box://b/lake", nil)
	count := func(from string, want int) {
		t.Helper()
		if got := one[int](t, db, "SELECT COUNT(*) FROM "+from); got != want {
			t.Errorf("%s has %d rows, want %d", from, got, want)
		}
	}
	// Listings: the location, what is behind t/ in it, the log's first page and its end; reads:
	// _last_checkpoint, the checkpoint, the commits behind it, and the two footers.
	count("t", 2*penguins)
	if lists, gets := o.asked(); lists != 4 || gets > 1+1+versions-checkpoint-1+2 {
		t.Errorf("the first query takes %d listings and %d reads", lists, gets)
	}
	count("t", 2*penguins)
	if lists, gets := o.asked(); lists != 3 || gets != 0 {
		t.Errorf("the second query takes %d listings and %d reads", lists, gets)
	}
	next := filepath.Join(dir, "lake", "t", "_delta_log", fmt.Sprintf("%020d.json", versions))
	writeFile(t, next, []byte(`{"remove":{"path":"z.parquet","dataChange":true}}`))
	count("t", penguins)
	if lists, gets := o.asked(); lists != 3 || gets > 3 {
		t.Errorf("after a commit a query takes %d listings and %d reads", lists, gets)
	}
	count("t VERSION AS OF 3", penguins)
	count("u", 1)
	count("`t$history`", versions+1)
	count("t", penguins)

	o.seeks = false
	db = openObjects(t, o, "box://b/lake/t", nil)
	count("t", penguins)
	count("t VERSION AS OF 3", penguins)
}

// TestDamagedHints: what _last_checkpoint says is never more than where to begin.
func TestDamagedHints(t *testing.T) {
	const versions, checkpoint = 1_100, 1_050
	dir := t.TempDir()
	longLog(t, dir, versions, checkpoint)
	for _, hint := range []string{"", "{", `{"version":-1}`, `{"version":"x"}`, `{"version":1051}`, `{"version":99999999}`, `{"version":7}`, `{"version":1050}`, `null`} {
		writeFile(t, filepath.Join(dir, "_delta_log", "_last_checkpoint"), []byte(hint))
		db := openObjects(t, &objects{dir: dir, seeks: true}, "box://b/", nil)
		if got := one[int](t, db, "SELECT COUNT(Species) FROM b"); got != 2*penguins {
			t.Errorf("%s: %d rows", hint, got)
		}
	}
}

// TestMappedStores: absolute paths of a log lead to another store.
func TestMappedStores(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	longLog(t, filepath.Join(dir, "t"), 2, 0)
	log := filepath.Join(dir, "t", "_delta_log", "00000000000000000001.json")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, log, bytes.Replace(text, []byte(`"z.parquet"`), []byte(`"s3a://old/lake/t/z.parquet"`), 1))
	if err := os.MkdirAll(filepath.Join(away, "new", "t"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "t", "z.parquet"), filepath.Join(away, "new", "t", "z.parquet")); err != nil {
		t.Fatal(err)
	}
	o := &objects{dir: away}
	db := openObjects(t, o, dir, func(c *parquetsql.Config) { c.LocationMap = "s3://old/lake=box://b/new" })
	if got := one[int](t, db, "SELECT COUNT(Species) FROM t"); got != 2*penguins {
		t.Errorf("%d rows", got)
	}
	if err := db.Close(); err != nil || !o.closed {
		t.Errorf("the mapped store is closed: %v, %v", o.closed, err)
	}
	own := &objects{dir: filepath.Dir(dir)} // from one store to another
	db = openObjects(t, own, "box://b/"+filepath.Base(dir), func(c *parquetsql.Config) {
		c.LocationMap = "s3://old/lake=crate://c/new"
		c.Stores["crate"] = storage.Scheme{Open: func(a storage.Address, _ map[string]string) (storage.Root, error) {
			return storage.Root{Store: service.New(o, storage.Remote), Name: a.Path}, nil
		}}
	})
	if got := one[int](t, db, "SELECT COUNT(Species) FROM t"); got != 2*penguins {
		t.Errorf("between stores: %d rows", got)
	}
}

package iceberg

import (
	"testing"

	"github.com/parquetsql/parquetsql/storage"
)

func TestBelow(t *testing.T) {
	for _, c := range []struct{ file, folder, want string }{
		{"s3a://b/t/data/f", "s3://b/t", "data/f"}, {"s3://b/t/data/f", "s3://b/t/", "data/f"}, {"hdfs://h:1/w/t/f", "/w/t", "f"}, {"/w/t/f", "hdfs://h:1/w/t", "f"},
		{"file:/w/t/f", "/w/t", "f"}, {"file:///w/t/f", "/w/t", "f"}, {"t/data/f", "./t", "data/f"}, {"./t/f", "t", "f"}, {"file://data/t/f", "file://data/t", "f"},
	} {
		if got, ok := below(c.file, c.folder); !ok || got != c.want {
			t.Errorf("%s below %s: %q, %v", c.file, c.folder, got, ok)
		}
	}
	for _, c := range [][2]string{{"s3://b/t2/f", "s3://b/t"}, {"s3://other/t/f", "s3://b/t"}, {"/w/t", "/w/t"}, {"hdfs://h/w/t/f", "hdfs://g/w/t"}, {"x/t/f", "t"}} {
		if got, ok := below(c[0], c[1]); ok {
			t.Errorf("%s below %s: %q", c[0], c[1], got)
		}
	}
}

func TestSameFile(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"s3://b/f", "s3a://b/f", true}, {"hdfs://h/w/f", "/w/f", true}, {"/w/f", "file:///w/f", true}, {"s3://b/f", "s3://c/f", false}, {"hdfs://h/w/f", "hdfs://g/w/f", false}, {"/w/f", "/w/g", false},
	} {
		if sameFile(c.a, c.b) != c.want || sameFile(c.b, c.a) != c.want {
			t.Errorf("%s and %s: not %v", c.a, c.b, c.want)
		}
		if c.want && c.a != bare(c.a) {
			found := false
			for _, s := range spellings(c.a) {
				found = found || s == c.b
			}
			if !found {
				t.Errorf("%s is no spelling of %s", c.b, c.a)
			}
		}
	}
}

// TestWithin: no path leads out of the store.
func TestWithin(t *testing.T) {
	l := locator{folder: "lake/t", base: "s3://b/lake/t"}
	for file, want := range map[string]string{"s3://b/lake/t/data/f": "lake/t/data/f", "s3://b/lake/other/f": "lake/other/f", "s3://b/x": "x"} {
		if got, err := l.locate(t.Context(), file); err != nil || got.name != want {
			t.Errorf("%s: %q, %v", file, got.name, err)
		}
	}
	for _, file := range []string{"s3://b/lake/t/../../../etc", "s3://b/../../etc"} {
		if got, err := l.locate(t.Context(), file); err == nil {
			t.Errorf("%s: %q", file, got.name)
		}
	}
}

// TestCatalogPaths: paths of a catalog's table without a scheme are where its location is.
func TestCatalogPaths(t *testing.T) {
	var asked string
	l := locator{base: "s3://b/lake/t/", place: func(file string) (storage.Place, error) {
		asked = file
		return storage.Place{Folder: "x"}, nil
	}}
	for file, want := range map[string]string{
		"s3://c/f": "s3://c/f", "data/f": "s3://b/lake/t/data/f", "./data/f": "s3://b/lake/t/data/f", "/lake/t/data/f": "s3://b/lake/t/data/f", "file:/etc/passwd": "",
	} {
		asked = ""
		if _, err := l.locate(t.Context(), file); asked != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, want %q: %v", file, asked, want, err)
		}
	}
	l.mapped = []storage.Place{{From: "s3://b/lake", Folder: "disk"}}
	if got, err := l.locate(t.Context(), "data/f"); err != nil || got.name != "disk/t/data/f" {
		t.Errorf("%+v, %v", got, err)
	}
	l.base = "/lake/t"
	for _, file := range []string{"data/f", "/lake/t/data/f"} {
		asked = ""
		if _, err := l.locate(t.Context(), file); err == nil && asked != file {
			t.Errorf("%s: %q", file, asked)
		}
	}
}

func TestIsMetadata(t *testing.T) {
	for name, want := range map[string]string{"v3.metadata.json": "v3", "v3.gz.metadata.json": "v3", "v3.metadata.json.gz": "v3", "00001-x.metadata.json": "00001-x", ".metadata.json": "", "x.json": "", "metadata.json": ""} {
		if got, ok := IsMetadata(name); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	for stem, want := range map[string]int64{"v3": 3, "00012-9c12d441-03fe": 12, "7": 7, "final": -1, "v-3": -1, "vfinal": -1} {
		if n, ok := versionOf(stem); ok != (want >= 0) || ok && n != want {
			t.Errorf("%s: %d, %v", stem, n, ok)
		}
	}
}

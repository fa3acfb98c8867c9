package store_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/storetest"
)

//go:embed testdata/sales
var embedded embed.FS

// TestReadme: each line of the README's "Where the files are", over servers that answer as the
// services do. Only the addresses of the servers are added.
func TestReadme(t *testing.T) {
	file, err := embedded.ReadFile("testdata/sales/2024.parquet")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(services(file))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_CONFIG_FILE": "none", "AWS_SHARED_CREDENTIALS_FILE": "none", "AWS_ENDPOINT_URL_S3": server.URL + "/s3",
		"STORAGE_EMULATOR_HOST": server.URL, "AZURE_STORAGE_KEY": "c2VjcmV0", "HF_ENDPOINT": server.URL, "HF_TOKEN": "t",
	} {
		t.Setenv(name, value)
	}
	lines := linesOf(t)
	delete(lines, "Iceberg catalog") // iceberg/readme_test.go
	for name, ask := range map[string]func(line string) *sql.DB{
		"directory": func(line string) *sql.DB {
			return storetest.Open(t, strings.Replace(dsnOf(line), "/data/sales", "testdata/sales", 1))
		},
		"S3":    func(line string) *sql.DB { return storetest.Open(t, dsnOf(line)+"&path_style=true") },
		"GCS":   func(line string) *sql.DB { return storetest.Open(t, dsnOf(line)) },
		"Azure": func(line string) *sql.DB { return storetest.Open(t, dsnOf(line)+"?endpoint="+server.URL+"/az") },
		"HTTP": func(line string) *sql.DB {
			return storetest.Open(t, strings.Replace(dsnOf(line), "https://host", server.URL, 1))
		},
		"Hugging Face": func(line string) *sql.DB { return storetest.Open(t, dsnOf(line)) },
		"embed.FS": func(string) *sql.DB {
			files, err := fs.Sub(embedded, "testdata")
			if err != nil {
				t.Fatal(err)
			}
			return connect(t, &parquetsql.Config{FS: files, Path: "sales"})
		},
		"zip": func(string) *sql.DB {
			return connect(t, &parquetsql.Config{FS: zipped(t, file), Path: "sales"})
		},
	} {
		line, ok := lines[name]
		if !ok {
			t.Errorf("the README has no line %s", name)
			continue
		}
		delete(lines, name)
		var rows int
		if err := ask(line).QueryRow(`SELECT COUNT(*) FROM "2024"`).Scan(&rows); err != nil || rows != 344 {
			t.Errorf("%s: %d rows, %v", line, rows, err)
		}
	}
	for name := range lines {
		t.Errorf("the line %s is not tested", name)
	}
}

// linesOf are the lines of the README's table by their first column.
func linesOf(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Where the files are\n")
	section, _, _ = strings.Cut(section, "\n## ")
	out := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| ([^|]+) \\| `(.*)` \\|$").FindAllStringSubmatch(section, -1) {
		out[m[1]] = m[2]
	}
	return out
}

func dsnOf(line string) string {
	return regexp.MustCompile(`"parquet", "([^"]*)"`).FindStringSubmatch(line)[1]
}

func connect(t *testing.T, c *parquetsql.Config) *sql.DB {
	t.Helper()
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// services answers listings of one object, and its bytes at every other path.
func services(file []byte) http.Handler {
	size := len(file)
	mux := http.NewServeMux()
	mux.HandleFunc("/s3/bucket", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<ListBucketResult><Contents><Key>sales/2024.parquet</Key><Size>%d</Size><ETag>&quot;v1&quot;</ETag></Contents></ListBucketResult>`, size)
	})
	mux.HandleFunc("/storage/v1/b/bucket/o", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"items":[{"name":"sales/2024.parquet","size":"%d","generation":"1"}]}`, size)
	})
	mux.HandleFunc("/az/container", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprintf(w, `<EnumerationResults><Blobs><Blob><Name>sales/2024.parquet</Name><Properties><Etag>v1</Etag><Content-Length>%d</Content-Length></Properties></Blob></Blobs><NextMarker/></EnumerationResults>`, size)
	})
	mux.HandleFunc("/api/datasets/owner/name/revision/main", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"sha":"c1"}`) })
	mux.HandleFunc("/api/datasets/owner/name/tree/c1/sales", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `[{"type":"file","oid":"x","size":%d,"path":"sales/2024.parquet"}]`, size)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("X-Goog-Generation", "1")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
	})
	return mux
}

func zipped(t *testing.T, file []byte) *zip.Reader {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("sales/2024.parquet")
	if err == nil {
		_, err = f.Write(file)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

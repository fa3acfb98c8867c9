package iceberg_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadme: the README's line "Iceberg catalog". Only where the server and the files are is added.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile("\\| Iceberg catalog \\| `sql.Open.\"parquet\", \"iceberg://host/warehouse\\?([^\"]*)\"").FindSubmatch(text)
	if line == nil {
		t.Fatal("the README has no such line")
	}
	s, moved := filled(t)
	s.FixedToken = "secret"
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	if got, err := rowsOf(open(t, string(line[1]), moved, "endpoint="+server.URL), "SELECT COUNT(*) FROM db."+renamed); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

package enginetest

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

// TestTamperedFile changes bytes of an encrypted file, one at a time. A query whose bytes
// were changed, those of indexes included, ends with an error; the others have the same
// rows as before.
func TestTamperedFile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "files", "arrow-go", "encrypted", "gcm_sealed_128_none_uniform.parquet.encrypted"))
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{
		"SELECT * FROM `x.parquet`",
		"SELECT id, items FROM `x.parquet` WHERE name = 'name 4' AND id > 7000",
		"SELECT COUNT(*), MIN(id), MAX(open) FROM `x.parquet` WHERE id BETWEEN 20000 AND 44000",
	}
	ask := func(data []byte, query string) (table, error) {
		config := parquetsql.NewConfig()
		config.FS, config.Path = fstest.MapFS{"x.parquet": {Data: data}}, "."
		config.FooterKey = []byte("footer key of 16")
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		defer db.Close()
		return queryTable(db, query)
	}
	var want [][][]any
	for _, q := range queries {
		got, err := ask(data, q)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, got.rows)
	}
	failed := make([]int, len(queries))
	tries := 0
	for i := 4; i < len(data)-600; i += map[bool]int{false: 7, true: 31}[testing.Short()] {
		tries++
		data[i] ^= 0x40
		for k, q := range queries {
			got, err := ask(data, q)
			var corrupt *parquetsql.CorruptError
			switch {
			case err != nil && (errors.As(err, &corrupt) || errors.Is(err, parquetsql.ErrUnsupported)):
				failed[k]++
			case err != nil:
				t.Errorf("byte %d: %q: %v", i, q, err)
			case !reflect.DeepEqual(got.rows, want[k]):
				t.Errorf("byte %d: %q has other rows", i, q)
			}
		}
		data[i] ^= 0x40
	}
	t.Logf("of %d changes, the queries noticed %v", tries, failed)
	if failed[0] < tries/2 || failed[1] < tries/10 || failed[2] < tries/10 {
		t.Errorf("of %d changes, the queries noticed only %v", tries, failed)
	}
}

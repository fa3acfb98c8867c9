package parquetsql_test

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/storage"
)

// TestSchemesThatAreMissing: without the module of a scheme the error says what to import, and
// shows nothing that may be a credential.
func TestSchemesThatAreMissing(t *testing.T) {
	for dsn, want := range map[string]string{
		"s3://bucket/prefix?region=eu-west-1":                 `import _ "github.com/parquetsql/parquetsql/store/s3"`,
		"gs://bucket/x.parquet":                               `import _ "github.com/parquetsql/parquetsql/store/gcs"`,
		"az://account/container/a":                            `import _ "github.com/parquetsql/parquetsql/store/azure"`,
		"abfss://container@account.dfs.core.windows.net/a":    `import _ "github.com/parquetsql/parquetsql/store/azure"`,
		"https://user:secret@host/a.parquet?X-Amz-Sig=secret": `import _ "github.com/parquetsql/parquetsql/store/http"`,
		"hf://datasets/owner/name":                            `import _ "github.com/parquetsql/parquetsql/store/http"`,
		"ftp://host/a.parquet":                                "is no scheme that a module knows",
	} {
		_, err := sql.Open("parquet", dsn)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
	}
}

// TestRemoteDSN: options of the driver and of the store, and what %v shows.
func TestRemoteDSN(t *testing.T) {
	for _, c := range []struct {
		dsn, path string
		store     map[string]string
		parallel  int
		shown     string
	}{
		{"s3://bucket/a/*.parquet?region=eu-west-1&parallelism=7", "s3://bucket/a/*.parquet", map[string]string{"region": "eu-west-1"}, 7, "s3://bucket/a/*.parquet?parallelism=7&region=eu-west-1"},
		{"https://host/a.parquet?sig=secret&x=y#parallelism=7", "https://host/a.parquet?sig=secret&x=y", nil, 7, "https://host/a.parquet?redacted#parallelism=7"},
		{"https://me:secret@host/a.parquet#parallelism=7", "https://me:secret@host/a.parquet", nil, 7, "https://redacted@host/a.parquet#parallelism=7"},
		{"abfss://container@account.dfs.core.windows.net/a?parallelism=7", "abfss://container@account.dfs.core.windows.net/a", nil, 7, "abfss://container@account.dfs.core.windows.net/a?parallelism=7"},
	} {
		got, err := parquetsql.ParseDSN(c.dsn)
		if err != nil {
			t.Fatalf("%s: %v", c.dsn, err)
		}
		if got.Path != c.path || !reflect.DeepEqual(got.StoreOptions, c.store) || got.Parallelism != c.parallel {
			t.Errorf("%s: %q, %v, %d", c.dsn, got.Path, got.StoreOptions, got.Parallelism)
		}
		if shown := fmt.Sprintf("%+v", got); shown != c.shown {
			t.Errorf("%s is shown as %s", c.dsn, shown)
		}
		if again, err := parquetsql.ParseDSN(got.FormatDSN()); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: %s, %v", c.dsn, got.FormatDSN(), err)
		}
	}
}

// TestStoreOptions: what the store does not know is an error, and so are options without a store.
func TestStoreOptions(t *testing.T) {
	opened := errors.New("it was opened")
	scheme := storage.Scheme{Options: map[string]string{"region": ""}, Open: func(storage.Address, map[string]string) (storage.Root, error) {
		return storage.Root{}, opened
	}}
	c := parquetsql.NewConfig()
	c.Path, c.Stores = "s3://bucket", map[string]storage.Scheme{"s3": scheme}
	c.StoreOptions = map[string]string{"region": "x"}
	if _, err := parquetsql.NewConnector(c); !errors.Is(err, opened) {
		t.Errorf("with an option that it has: %v", err)
	}
	c.StoreOptions = map[string]string{"rgion": "x"}
	if _, err := parquetsql.NewConnector(c); err == nil || !strings.Contains(err.Error(), `option rgion: the location has no such option; it has region`) {
		t.Errorf("with another option: %v", err)
	}
	c.Path = "testdata"
	if _, err := parquetsql.NewConnector(c); err == nil || !strings.Contains(err.Error(), "StoreOptions") {
		t.Errorf("of a folder: %v", err)
	}
}

package store_test

import (
	"database/sql"
	"testing"

	_ "github.com/parquetsql/parquetsql"
	_ "github.com/parquetsql/parquetsql/store"
)

// TestSchemes: each scheme is registered, and opening makes no request.
func TestSchemes(t *testing.T) {
	t.Setenv("AZURE_STORAGE_KEY", "c2VjcmV0")
	for _, dsn := range []string{
		"s3://bucket/prefix?region=eu-west-1", "s3a://bucket", "gs://bucket/prefix", "gcs://bucket", "az://account/container/a", "abfss://container@account.dfs.core.windows.net/a",
		"https://host.invalid/a.parquet?x=y#parallelism=2", "http://host.invalid/", "hf://datasets/owner/name@main/data/*.parquet",
	} {
		db, err := sql.Open("parquet", dsn)
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		if err := db.Close(); err != nil {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

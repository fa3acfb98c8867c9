package consumers

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/parquetsql/parquetsql"
	"github.com/pressly/goose/v3"
)

// goose and migrate change tables. They are refused: goose when it makes its table of versions,
// migrate when it locks.
func Example_migrations() {
	db := open()
	defer db.Close()
	steps := fstest.MapFS{"00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE t (a int);\n")}}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, steps)
	if err != nil {
		log.Fatal(err)
	}
	_, err = provider.Up(context.Background())
	fmt.Println(errors.Is(err, parquetsql.ErrReadOnly), err)

	_, err = pgx.WithInstance(db, &pgx.Config{})
	fmt.Println(err)
	// Output:
	// true failed to initialize: create version table: failed to create version table "goose_db_version": parquet: read-only database: CREATE TABLE (line 1, column 1)
	// try lock failed in line 0: SELECT pg_advisory_lock($1) (details: parquet: unsupported: the function PG_ADVISORY_LOCK: the driver only reads: there is nothing to lock, and nothing to migrate (line 1, column 8))
}

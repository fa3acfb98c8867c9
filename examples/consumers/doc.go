// Package consumers shows parquetsql below the libraries that Go programs use with
// database/sql: those of the table in README.md. Each file is what users of one of them do
// first, as examples whose output is checked. It is a module of its own, so that the
// driver depends on none of them.
package consumers

import (
	"database/sql"
	"log"

	_ "github.com/parquetsql/parquetsql" // the driver
)

// location is the folder whose files are the tables.
const location = "../../testdata"

// open opens the folder. Programs pass a path of their own.
func open() *sql.DB {
	db, err := sql.Open("parquet", location)
	if err != nil {
		log.Fatal(err)
	}
	return db
}

// Package generate writes the tables of TPC-H and TPC-DS as Parquet files, with the
// generators dbgen and dsdgen of DuckDB's extensions.
package generate

/*
#cgo LDFLAGS: -ltpcds_extension -ltpch_extension -lduckdb_static
void parquetsql_bench_load(void *database);
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// generators are the calls that fill the tables, by suite.
var generators = map[string]string{"tpch": "dbgen", "tpcds": "dsdgen"}

// Suite writes the tables of tpch or tpcds at a scale factor, one file a table, into
// a folder that exists.
func Suite(suite string, scale float64, dir string) error {
	generator, ok := generators[suite]
	if !ok {
		return fmt.Errorf("no suite %s", suite)
	}
	db, err := open()
	if err != nil {
		return err
	}
	defer db.close()
	if err := db.exec(fmt.Sprintf("CALL %s(sf = %g)", generator, scale)); err != nil {
		return err
	}
	if err := db.exec(fmt.Sprintf("EXPORT DATABASE '%s' (FORMAT parquet, ROW_GROUP_SIZE 122880)", filepath.ToSlash(dir))); err != nil {
		return err
	}
	return errors.Join(os.Remove(filepath.Join(dir, "load.sql")), os.Remove(filepath.Join(dir, "schema.sql")))
}

// A database is in memory and has both extensions.
type database struct {
	db   mapping.Database
	conn mapping.Connection
}

func open() (*database, error) {
	d := new(database)
	if mapping.Open("", &d.db) == mapping.StateError {
		return nil, errors.New("DuckDB does not open")
	}
	C.parquetsql_bench_load(d.db.Ptr)
	if mapping.Connect(d.db, &d.conn) == mapping.StateError {
		mapping.Close(&d.db)
		return nil, errors.New("DuckDB does not connect")
	}
	return d, nil
}

func (d *database) close() {
	mapping.Disconnect(&d.conn)
	mapping.Close(&d.db)
}

func (d *database) exec(text string) error {
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if mapping.Query(d.conn, text, &result) == mapping.StateError {
		return fmt.Errorf("%s: %s", text, mapping.ResultError(&result))
	}
	return nil
}

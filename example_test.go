package parquetsql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/parquetsql/parquetsql"
)

// A folder of Parquet files is a database; each file in it is a table.
func Example() {
	db, err := sql.Open("parquet", "testdata?parallelism=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	rows, err := db.Query("SELECT Species, COUNT(*) FROM penguins WHERE Island = ? GROUP BY Species ORDER BY Species", "Biscoe")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var species string
		var n int
		if err := rows.Scan(&species, &n); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(species, n)
	}
	if err := rows.Err(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Adelie 44
	// Gentoo 124
}

// A glob is one table over all files that match. The hidden column _file says
// which file a row comes from.
func Example_glob() {
	db, err := sql.Open("parquet", "testdata/files/duckdb/types_v*_zstd.parquet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	var file string
	var rows int
	if err := db.QueryRow("SELECT _file, COUNT(*) FROM duckdb GROUP BY _file").Scan(&file, &rows); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file, rows)
	// Output: types_v2_zstd.parquet 120
}

// A Config has what a DSN cannot say, such as an fs.FS to read from.
func ExampleNewConnector() {
	config := parquetsql.NewConfig()
	config.FS = os.DirFS("testdata")
	config.Path = "movies.parquet"
	config.MemoryLimit = 64 << 20
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM movies").Scan(&n); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "movies")
	// Output: 3201 movies
}

// Lists, maps and whole groups are JSON text; JSON[T] scans them into Go values.
func ExampleJSON() {
	db, err := sql.Open("parquet", "testdata/files/parquet-testing/data/list_columns.parquet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	var list parquetsql.JSON[[]string]
	if err := db.QueryRow("SELECT utf8_list FROM list_columns WHERE CONTAINS(int64_list, 2)").Scan(&list); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list.Valid, len(list.V), list.V[1])
	// Output: true 3 efg
}

// Columns describes a query's result down to the elements of lists.
func ExampleColumns() {
	db, err := sql.Open("parquet", "testdata/files/parquet-testing/data")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	columns, err := parquetsql.Columns(context.Background(), db, "SELECT * FROM list_columns")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range columns {
		fmt.Println(c)
	}
	// Output:
	// int64_list LIST(BIGINT)
	// utf8_list LIST(VARCHAR)
}

// Errors have types: ask with errors.As and errors.Is, not by their text.
func ExampleNotFoundError() {
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	_, err = db.Query("SELECT Specie FROM penguins")
	var missing *parquetsql.NotFoundError
	if errors.As(err, &missing) {
		fmt.Println(missing.Kind, missing.Name, missing.Nearest[0])
	}
	_, err = db.Exec("DELETE FROM penguins")
	fmt.Println(errors.Is(err, parquetsql.ErrReadOnly))
	// Output:
	// column Specie Species
	// true
}

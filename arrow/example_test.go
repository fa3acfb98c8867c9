package arrow_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/arrow"
)

func ExampleQueryArrow() {
	db, err := sql.Open("parquet", "../testdata")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	reader, err := arrow.QueryArrow(context.Background(), db,
		`SELECT Species, COUNT(*) AS n FROM penguins WHERE Island = ? GROUP BY Species ORDER BY n DESC`, "Dream")
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Release()
	for reader.Next() {
		batch := reader.RecordBatch()
		for i := range int(batch.NumRows()) {
			fmt.Println(batch.Column(0).ValueStr(i), batch.Column(1).ValueStr(i))
		}
	}
	if err := reader.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Chinstrap 68
	// Adelie 56
}

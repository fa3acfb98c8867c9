package fragments_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
)

// A query is planned here, its fragments run wherever, and its rows are read here.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "exchange-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	store := fragments.Dir(folder)
	plan, err := fragments.New(ctx, fragments.Query{DSN: "../testdata", SQL: "SELECT island, COUNT(*) FROM penguins GROUP BY island ORDER BY island",
		StageOptions: parquetsql.StageOptions{SplitBytes: 1}}) // so that a small table has splits
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()
	for _, fragment := range plan.Fragments { // each is after those that it depends on
		data, err := fragment.Marshal() // here
		if err != nil {
			log.Fatal(err)
		}
		fragment, err := fragments.Unmarshal(data) // there
		if err != nil {
			log.Fatal(err)
		}
		if err := (&fragments.Worker{}).Run(ctx, fragment, store); err != nil {
			log.Fatal(err)
		}
	}
	rows, err := plan.Rows(ctx, store)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var island string
		var n int
		if err := rows.Scan(&island, &n); err != nil {
			log.Fatal(err)
		}
		fmt.Println(island, n)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	if err := fragments.Clean(ctx, store, plan.ID); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Biscoe 168
	// Dream 124
	// Torgersen 52
}

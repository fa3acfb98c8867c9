package consumers

import (
	"context"
	"fmt"
	"log"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// ent runs its generated code over dialect/sql. The dialect that fits is PostgreSQL's for
// clients that only read: names in double quotes, $1. Migrations are no use, since the
// driver only reads.
func Example_ent() {
	driver := entsql.OpenDB(dialect.Postgres, open())
	defer driver.Close()
	airports := entsql.Table("airports")
	query, args := entsql.Dialect(dialect.Postgres).
		Select(airports.C("state"), entsql.As(entsql.Count("*"), "n")).From(airports).
		Where(entsql.And(entsql.In(airports.C("state"), "HI", "GU", "AK"), entsql.GT(airports.C("latitude"), 10))).
		GroupBy(airports.C("state")).OrderBy(entsql.Desc("n")).Limit(2).Query()
	var rows entsql.Rows
	if err := driver.Query(context.Background(), query, args, &rows); err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	var counts []struct {
		State string `json:"state"`
		N     int    `json:"n"`
	}
	if err := entsql.ScanSlice(&rows, &counts); err != nil {
		log.Fatal(err)
	}
	for _, c := range counts {
		fmt.Println(c.State, c.N)
	}
	// Output:
	// AK 263
	// HI 16
}

package consumers

import (
	"context"
	"fmt"
	"log"

	"github.com/parquetsql/parquetsql/examples/consumers/sqlc/airports"
)

// sqlc generates typed functions of queries: the folder sqlc has its files, and what it made of them
// for PostgreSQL. They run as they are, slices by pq.Array too.
func Example_sqlc() {
	db := open()
	defer db.Close()
	ctx, queries := context.Background(), airports.New(db)

	seattle, err := queries.GetAirport(ctx, "SEA")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(seattle.Name, seattle.City.String, seattle.Latitude)

	states, err := queries.ListByStates(ctx, airports.ListByStatesParams{States: []string{"HI", "AK", "TX"}, Most: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range states {
		fmt.Println(s.State.String, s.Airports, s.North)
	}
	none, err := queries.GetAirport(ctx, "nowhere")
	fmt.Println(none.Name == "", err)
	// Output:
	// Seattle-Tacoma Intl Seattle 47.44898194
	// AK 263 71.2854475
	// TX 209 36.41200333
	// true sql: no rows in result set
}

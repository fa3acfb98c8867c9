package consumers

import (
	"fmt"
	"log"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/lib/pq"
)

// Arrays of lib/pq and pgx are LISTs, as slices are.
func Example_arrays() {
	db := open()
	defer db.Close()
	codes := []string{"SEA", "SFO"}
	for _, list := range []any{codes, pq.Array(codes), pq.StringArray(codes), pgtype.FlatArray[string](codes)} {
		var any, in, contained int
		err := db.QueryRow(`SELECT COUNT(*) FILTER (WHERE iata = ANY($1)), COUNT(*) FILTER (WHERE iata IN ($1)), COUNT(*) FILTER (WHERE list_contains($1, iata)) FROM airports`, list).Scan(&any, &in, &contained)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(any, in, contained)
	}
	var text string
	if err := db.QueryRow("SELECT ?", pq.Array([][]int64{{1, 2}, {3}})).Scan(&text); err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// 2 2 2
	// 2 2 2
	// 2 2 2
	// 2 2 2
	// [[1,2],[3]]
}

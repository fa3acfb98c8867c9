package consumers

import (
	"context"
	"fmt"
	"log"

	"github.com/georgysavva/scany/v2/sqlscan"
)

// scany scans rows into structs. A slice is an argument of the driver: no placeholders have to
// be written for its elements.
func Example_scany() {
	db := open()
	defer db.Close()

	var states []struct {
		State    string
		Airports int
	}
	err := sqlscan.Select(context.Background(), db, &states,
		"SELECT state, COUNT(*) AS airports FROM airports WHERE state IN (?) GROUP BY state ORDER BY airports DESC", []string{"HI", "AK", "TX"})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range states {
		fmt.Println(s.State, s.Airports)
	}
	// Output:
	// AK 263
	// TX 209
	// HI 16
}

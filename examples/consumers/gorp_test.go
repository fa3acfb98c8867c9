package consumers

import (
	"fmt"
	"log"

	"github.com/go-gorp/gorp/v3"
)

// gorp selects into structs; its dialect only writes what changes tables, which cannot be done.
func Example_gorp() {
	db := open()
	defer db.Close()
	dbmap := &gorp.DbMap{Db: db, Dialect: gorp.SqliteDialect{}}

	var airports []struct {
		IATA string `db:"iata"`
		Name string `db:"name"`
	}
	if _, err := dbmap.Select(&airports, "SELECT iata, name FROM airports WHERE city = :city ORDER BY iata LIMIT 2", map[string]any{"city": "Seattle"}); err != nil {
		log.Fatal(err)
	}
	for _, a := range airports {
		fmt.Println(a.IATA, a.Name)
	}
	n, err := dbmap.SelectInt("SELECT COUNT(*) FROM airports WHERE state = ?", "AK")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	// Output:
	// BFI Boeing Field/King County Intl
	// SEA Seattle-Tacoma Intl
	// 263
}

package consumers

import (
	"context"
	"fmt"
	"log"

	"github.com/XSAM/otelsql"
	"github.com/parquetsql/parquetsql"
)

// otelsql makes a span of each query. The driver's own functions see through it.
func Example_otelsql() {
	db, err := otelsql.Open("parquet", location)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM penguins WHERE Species = ANY(?)", []string{"Adelie", "Gentoo"}).Scan(&n); err != nil {
		log.Fatal(err)
	}
	columns, err := parquetsql.Columns(context.Background(), db, "SELECT LIST(Species) AS species FROM penguins")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, columns[0])
	// Output: 276 species LIST(VARCHAR)
}

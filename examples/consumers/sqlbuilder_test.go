package consumers

import (
	"fmt"
	"log"

	"github.com/huandu/go-sqlbuilder"
)

// The flavors of SQLite and PostgreSQL write what the driver reads; that of MySQL does, too.
func Example_sqlbuilder() {
	db := open()
	defer db.Close()

	for _, flavor := range []sqlbuilder.Flavor{sqlbuilder.SQLite, sqlbuilder.PostgreSQL, sqlbuilder.MySQL} {
		b := flavor.NewSelectBuilder()
		b.Select("Island", b.As("COUNT(*)", "n")).From("penguins").Where(b.In("Species", "Adelie", "Gentoo"), b.IsNotNull(flavor.Quote("Body Mass (g)"))).GroupBy("Island").OrderByDesc("n").Limit(2)
		query, args := b.Build()
		rows, err := db.Query(query, args...)
		if err != nil {
			log.Fatal(err)
		}
		for rows.Next() {
			var island string
			var n int
			if err := rows.Scan(&island, &n); err != nil {
				log.Fatal(err)
			}
			fmt.Println(flavor, island, n)
		}
		if err := rows.Err(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// SQLite Biscoe 167
	// SQLite Dream 56
	// PostgreSQL Biscoe 167
	// PostgreSQL Dream 56
	// MySQL Biscoe 167
	// MySQL Dream 56
}

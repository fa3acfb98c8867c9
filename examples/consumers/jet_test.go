package consumers

import (
	"fmt"
	"log"

	"github.com/go-jet/jet/v2/sqlite"
)

// jet's builder of SQLite; tables and columns are what its generator would write.
func Example_jet() {
	db := open()
	defer db.Close()

	species, island := sqlite.StringColumn("Species"), sqlite.StringColumn("Island")
	penguins := sqlite.NewTable("", "penguins", "", species, island)
	statement := sqlite.SELECT(species.AS("row.species"), sqlite.COUNT(sqlite.STAR).AS("row.n")).FROM(penguins).
		WHERE(island.IN(sqlite.String("Dream"), sqlite.String("Biscoe"))).GROUP_BY(species).ORDER_BY(species.ASC())
	var rows []struct {
		Species string `alias:"row.species"`
		N       int    `alias:"row.n"`
	}
	if err := statement.Query(db, &rows); err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Println(r.Species, r.N)
	}
	// Output:
	// Adelie 100
	// Chinstrap 68
	// Gentoo 124
}

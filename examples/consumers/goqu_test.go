package consumers

import (
	"fmt"
	"log"

	"github.com/doug-martin/goqu/v9"
	_ "github.com/doug-martin/goqu/v9/dialect/sqlite3"
)

// goqu's SQLite dialect fits: names in backticks and ?. Its default dialect with names in
// double quotes fits too.
func Example_goqu() {
	db := goqu.New("sqlite3", open())
	var counts []struct {
		Species string  `db:"Species"`
		N       int64   `db:"n"`
		Mean    float64 `db:"mean"`
	}
	err := db.From("penguins").Prepared(true).
		Select("Species", goqu.COUNT("*").As("n"), goqu.Func("ROUND", goqu.AVG("Body Mass (g)"), 1).As("mean")).
		Where(goqu.C("Island").In("Biscoe", "Dream"), goqu.C("Body Mass (g)").Gt(3000)).
		GroupBy("Species").Order(goqu.C("n").Desc()).Limit(2).ScanStructs(&counts)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range counts {
		fmt.Println(c.Species, c.N, c.Mean)
	}

	var name string
	found, err := db.From("airports").Select("name").Where(goqu.Ex{"iata": "SEA"}).ScanVal(&name)
	fmt.Println(name, found, err)
	total, err := db.From("airports").Where(goqu.C("state").IsNull()).Count()
	fmt.Println(total, err)
	// Output:
	// Gentoo 123 5076
	// Adelie 92 3764.9
	// Seattle-Tacoma Intl true <nil>
	// 0 <nil>
}

package consumers

import (
	"fmt"
	"log"

	"github.com/xo/dburl"
)

// usql and other programs over dburl open databases by URL. The driver's scheme has to be
// registered; parquet:path is a DSN of the driver then, with its options.
func Example_dburl() {
	dburl.Register(dburl.Scheme{Name: "parquet", Generator: dburl.GenOpaque, Opaque: true})
	db, err := dburl.Open("parquet:" + location + "?parallelism=1")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&n); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	// Output:
	// 344
}

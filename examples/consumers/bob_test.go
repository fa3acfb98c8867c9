package consumers

import (
	"context"
	"fmt"
	"log"

	"github.com/stephenafamo/bob"
	"github.com/stephenafamo/bob/dialect/psql"
	"github.com/stephenafamo/bob/dialect/psql/sm"
	"github.com/stephenafamo/scan"
)

// bob's builder of PostgreSQL: names in double quotes and $1.
func Example_bob() {
	db := open()
	defer db.Close()

	type count struct {
		Weather string
		Days    int
	}
	query := psql.Select(
		sm.Columns("weather", psql.F("count", psql.Raw("*"))().As("days")), sm.From("seattle_weather"),
		sm.Where(psql.Quote("weather").In(psql.Arg("fog", "snow"))), sm.GroupBy("weather"), sm.OrderBy("days"))
	rows, err := bob.All(context.Background(), bob.NewDB(db), query, scan.StructMapper[count]())
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Println(r.Weather, r.Days)
	}
	// Output:
	// snow 26
	// fog 101
}

package consumers

import (
	"context"
	"fmt"
	"log"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
)

// Airfield is a model of bun.
type Airfield struct {
	bun.BaseModel `bun:"table:airports,alias:a"`

	IATA     string `bun:"iata,pk"`
	Name     string
	State    *string
	Latitude float64
}

// bun's SQLite dialect is the one that fits: names in double quotes, and backslashes
// that mean themselves. That of MySQL doubles backslashes in strings.
func Example_bun() {
	db := bun.NewDB(open(), sqlitedialect.New())
	defer db.Close()
	ctx := context.Background()

	var fields []Airfield
	total, err := db.NewSelect().Model(&fields).Where("state IN (?)", bun.In([]string{"HI", "GU"})).
		Where("latitude BETWEEN ? AND ?", 20, 22.5).OrderExpr("latitude DESC").Limit(3).Offset(1).ScanAndCount(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(total, "airfields")
	for _, f := range fields {
		fmt.Println(f.IATA, f.Name, f.Latitude)
	}

	var species []string
	var mass []float64
	err = db.NewSelect().Table("penguins").ColumnExpr(`"Species", ROUND(AVG("Body Mass (g)"), 1)`).Where(`"Sex" = ?`, "FEMALE").
		GroupExpr("1").OrderExpr("1").Scan(ctx, &species, &mass)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(species, mass)
	// Output:
	// 14 airfields
	// LIH Lihue 21.97598306
	// PAK Port Allen 21.89686833
	// HDH Dillingham Airfield 21.57947361
	// [Adelie Chinstrap Gentoo] [3368.8 3527.2 4679.7]
}

func Example_bunSubquery() {
	db := bun.NewDB(open(), sqlitedialect.New())
	defer db.Close()
	ctx := context.Background()

	wet := db.NewSelect().Table("seattle_weather").ColumnExpr("DATE_TRUNC('month', date) AS month, SUM(precipitation) AS rain").GroupExpr("1")
	var months []map[string]any
	err := db.NewSelect().With("wet", wet).TableExpr("wet").ColumnExpr("CAST(month AS VARCHAR) AS month, ROUND(rain, 1) AS rain").
		Where("rain > (SELECT 2.5 * AVG(rain) FROM wet)").OrderExpr("rain DESC").Scan(ctx, &months)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range months {
		fmt.Println(m["month"], m["rain"])
	}
	exists, err := db.NewSelect().Table("seattle_weather").Where("wind > ?", 9.4).Exists(ctx)
	fmt.Println(exists, err)
	// Output:
	// 2015-12-01 00:00:00 284.5
	// 2014-03-01 00:00:00 240
	// true <nil>
}

package consumers

import (
	"fmt"
	"log"
	"time"

	"github.com/jmoiron/sqlx"
)

// Weather is a row of seattle_weather.
type Weather struct {
	Date    time.Time `db:"date"`
	TempMax float64   `db:"temp_max"`
	Weather string    `db:"weather"`
}

// sqlx knows no driver "parquet", and then takes ? for its placeholders, which is right.
func Example_sqlx() {
	db, err := sqlx.Open("parquet", location)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	var hot []Weather
	err = db.Select(&hot, "SELECT date, temp_max, weather FROM seattle_weather WHERE temp_max > ? ORDER BY temp_max DESC, date LIMIT ?", 34, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range hot {
		fmt.Println(w.Date.Format(time.DateOnly), w.TempMax, w.Weather)
	}

	var days int
	if err := db.Get(&days, "SELECT COUNT(*) FROM seattle_weather WHERE weather = ?", "snow"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(days, "days of snow")
	// Output:
	// 2014-08-11 35.6 rain
	// 2015-07-19 35 sun
	// 26 days of snow
}

// A list becomes placeholders with sqlx.In. The driver takes a slice as it is, too.
func Example_sqlxIn() {
	db := sqlx.NewDb(open(), "parquet")
	defer db.Close()

	query, args, err := sqlx.In("SELECT weather, COUNT(*) AS n FROM seattle_weather WHERE weather IN (?) GROUP BY weather ORDER BY n", []string{"fog", "snow"})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := db.Queryx(db.Rebind(query), args...)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row := map[string]any{}
		if err := rows.MapScan(row); err != nil {
			log.Fatal(err)
		}
		fmt.Println(row["weather"], row["n"])
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// snow 26
	// fog 101
}

// In named queries sqlx reads each colon as the beginning of a name, so they say
// CAST(x AS BIGINT) and not x::BIGINT.
func Example_sqlxNamed() {
	db := sqlx.NewDb(open(), "parquet")
	defer db.Close()

	rows, err := db.NamedQuery(`SELECT Species AS species, CAST(AVG("Body Mass (g)") AS BIGINT) AS mass FROM penguins WHERE Island = :island GROUP BY Species ORDER BY species`,
		map[string]any{"island": "Dream"})
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p struct {
			Species string
			Mass    *int64
		}
		if err := rows.StructScan(&p); err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Species, *p.Mass)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Adelie 3688
	// Chinstrap 3733
}

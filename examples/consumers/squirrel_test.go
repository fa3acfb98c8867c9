package consumers

import (
	"fmt"
	"log"

	sq "github.com/Masterminds/squirrel"
)

func Example_squirrel() {
	db := open()
	defer db.Close()

	airports := sq.Select("state", "COUNT(*) AS n").From("airports").
		Where(sq.Eq{"state": []string{"HI", "AK", "TX"}}).
		Where(sq.Or{sq.ILike{"name": "%municipal%"}, sq.Gt{"latitude": 60}}).
		GroupBy("state").Having("COUNT(*) > ?", 3).OrderBy("n DESC", "state").Limit(10)
	rows, err := airports.RunWith(db).Query()
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			log.Fatal(err)
		}
		fmt.Println(state, n)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}

	var none int
	if err := sq.Select("COUNT(*)").From("airports").Where(sq.Eq{"state": []string{}}).RunWith(db).QueryRow().Scan(&none); err != nil {
		log.Fatal(err)
	}
	fmt.Println(none, "airports in no state")
	// Output:
	// AK 161
	// TX 86
	// 0 airports in no state
}

// A query may be a table of another one, with the arguments of both.
func Example_squirrelSubquery() {
	db := open()
	defer db.Close()

	cold := sq.Select("weather", "AVG(temp_min) AS low").From("seattle_weather").Where(sq.LtOrEq{"temp_max": 10}).GroupBy("weather")
	query, args, err := sq.Select("weather", "ROUND(low, 1)").FromSelect(cold, "c").Where(sq.NotEq{"weather": "sun"}).OrderBy("low").Offset(1).ToSql()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(query)
	rows, err := db.Query(query, args...)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var weather string
		var low float64
		if err := rows.Scan(&weather, &low); err != nil {
			log.Fatal(err)
		}
		fmt.Println(weather, low)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SELECT weather, ROUND(low, 1) FROM (SELECT weather, AVG(temp_min) AS low FROM seattle_weather WHERE temp_max <= ? GROUP BY weather) AS c WHERE weather <> ? ORDER BY low OFFSET 1
	// snow -0.1
	// fog 1.6
	// rain 3.6
}

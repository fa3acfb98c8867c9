package consumers

import (
	"fmt"
	"log"

	"xorm.io/xorm"
	"xorm.io/xorm/core"
)

// Station is a model of xorm.
type Station struct {
	IATA string `xorm:"'iata'"`
	Name string `xorm:"'name'"`
	City string `xorm:"'city'"`
}

// TableName is the table of the model.
func (Station) TableName() string { return "airports" }

// xorm knows no driver "parquet". An engine over a connection gets the dialect of SQLite, whose
// names stand in backticks.
func Example_xorm() {
	db := open()
	engine, err := xorm.NewEngineWithDB("sqlite3", "file", core.FromDB(db))
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	var stations []Station
	if err := engine.Where("city = ?", "Seattle").Asc("iata").Limit(2).Find(&stations); err != nil {
		log.Fatal(err)
	}
	for _, s := range stations {
		fmt.Println(s.IATA, s.Name)
	}
	n, err := engine.In("state", []string{"HI", "AK"}).Count(&Station{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	// Output:
	// BFI Boeing Field/King County Intl
	// SEA Seattle-Tacoma Intl
	// 279
}

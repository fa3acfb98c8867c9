package consumers

import (
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/parquetsql/parquetsql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Port is the table airports with the types that PostgreSQL would give its columns.
type Port struct {
	IATA     string  `gorm:"column:iata;primaryKey;type:varchar"`
	Name     string  `gorm:"type:varchar"`
	Latitude float64 `gorm:"type:double precision"`
}

// TableName is the table of the model.
func (Port) TableName() string { return "airports" }

// GORM's dialect of PostgreSQL asks pg_catalog for columns, and passes options of pgx among the
// arguments. AutoMigrate has nothing to do where a table is as the model says; where it would change
// something, it is refused.
func Example_gormPostgres() {
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: open()}), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		log.Fatal(err)
	}
	columns, err := db.Migrator().ColumnTypes(&Port{})
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name()+" "+c.DatabaseTypeName())
	}
	slices.Sort(names)
	fmt.Println(names)

	var first Port
	if err := db.Where("iata IN ?", []string{"SEA", "SFO"}).Order("latitude DESC").First(&first).Error; err != nil {
		log.Fatal(err)
	}
	fmt.Println(first.Name)
	fmt.Println(db.AutoMigrate(&Port{}))
	err = db.AutoMigrate(&Airport{})
	fmt.Println(err, errors.Is(err, parquetsql.ErrReadOnly))
	// Output:
	// [city varchar country varchar iata varchar latitude float8 longitude float8 name varchar state varchar]
	// Seattle-Tacoma Intl
	// <nil>
	// parquet: read-only database: ALTER TABLE (line 1, column 1) true
}

package consumers

import (
	"fmt"
	"log"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Airport is a model. GORM's name of the table would be the same.
type Airport struct {
	IATA      string `gorm:"column:iata;primaryKey"`
	Name      string
	City      *string
	State     *string
	Latitude  float64
	Longitude float64
}

// TableName is the table of the model.
func (Airport) TableName() string { return "airports" }

// Penguin has columns whose names are no identifiers.
type Penguin struct {
	Species string   `gorm:"column:Species"`
	Island  string   `gorm:"column:Island"`
	Mass    *int64   `gorm:"column:Body Mass (g)"`
	Beak    *float64 `gorm:"column:Beak Length (mm)"`
}

// TableName is the table of the model.
func (Penguin) TableName() string { return "penguins" }

// openGorm opens GORM over the connection with its MySQL dialect, which quotes names in
// backticks. It must not ask for the version of a server.
func openGorm() *gorm.DB {
	db, err := gorm.Open(mysql.New(mysql.Config{Conn: open(), SkipInitializeWithVersion: true}), &gorm.Config{
		Logger: logger.Default.LogMode(logger.Silent),
	})
	if err != nil {
		log.Fatal(err)
	}
	return db
}

func Example_gorm() {
	db := openGorm()
	var first Airport
	if err := db.First(&first, "iata = ?", "SEA").Error; err != nil {
		log.Fatal(err)
	}
	fmt.Println(first.Name, "in", *first.City)

	var heavy []Penguin
	if err := db.Where(&Penguin{Species: "Gentoo"}).Where("`Body Mass (g)` > ?", 6000).Order("`Body Mass (g)` DESC").Find(&heavy).Error; err != nil {
		log.Fatal(err)
	}
	for _, p := range heavy {
		fmt.Println(p.Island, *p.Mass)
	}

	err := db.Take(&Airport{}, "iata = ?", "???").Error
	fmt.Println(err)
	// Output:
	// Seattle-Tacoma Intl in Seattle
	// Biscoe 6300
	// Biscoe 6050
	// record not found
}

// inState is a scope: a condition with a name.
func inState(states ...string) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Where("state IN ?", states) }
}

// page is a scope, too.
func page(number, size int) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Offset((number - 1) * size).Limit(size) }
}

// A page of the rows and their number in all.
func Example_gormPagination() {
	db := openGorm()
	found := db.Model(&Airport{}).Scopes(inState("HI", "GU")).Order("name, iata")
	var total int64
	if err := found.Session(&gorm.Session{}).Count(&total).Error; err != nil {
		log.Fatal(err)
	}
	var airports []Airport
	if err := found.Session(&gorm.Session{}).Scopes(page(2, 3)).Find(&airports).Error; err != nil {
		log.Fatal(err)
	}
	fmt.Println(total, "airports")
	for _, a := range airports {
		fmt.Println(a.IATA, a.Name)
	}
	// Output:
	// 17 airports
	// ITO Hilo International
	// HNL Honolulu International
	// OGG Kahului
}

func Example_gormJoins() {
	db := openGorm()
	var counts []struct {
		State string
		N     int64
		North float64
	}
	err := db.Table("airports AS a").Select("a.state, COUNT(*) AS n, MAX(b.latitude) AS north").
		Joins("JOIN airports AS b ON b.state = a.state AND b.iata = a.iata").
		Where("a.country = ?", "USA").Group("a.state").Having("COUNT(*) > ?", 150).Order("n DESC").Limit(3).Scan(&counts).Error
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range counts {
		fmt.Println(c.State, c.N, c.North)
	}

	var rows []map[string]any
	if err := db.Model(&Penguin{}).Select("Sex, COUNT(*) AS n").Group("Sex").Order("n").Find(&rows).Error; err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Println(r["Sex"], r["n"])
	}
	err = db.Transaction(func(tx *gorm.DB) error { // sees one state of the files
		return tx.Create(&Airport{IATA: "XXX"}).Error
	})
	fmt.Println(err)
	// Output:
	// AK 263 71.2854475
	// TX 209 36.41200333
	// CA 205 41.88738
	// . 1
	// <nil> 10
	// FEMALE 165
	// MALE 168
	// parquet: read-only database: INSERT (line 1, column 1)
}

// The columns of a table as GORM's Migrator reads them, from information_schema.
func Example_gormColumnTypes() {
	columns, err := openGorm().Migrator().ColumnTypes(&Penguin{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range columns {
		nullable, _ := c.Nullable()
		fmt.Println(c.Name(), c.DatabaseTypeName(), nullable)
	}
	fmt.Println(openGorm().Migrator().HasTable(&Airport{}), openGorm().Migrator().HasColumn(&Airport{}, "iata"))
	// Output:
	// Species VARCHAR true
	// Island VARCHAR true
	// Beak Length (mm) DOUBLE true
	// Beak Depth (mm) DOUBLE true
	// Flipper Length (mm) BIGINT true
	// Body Mass (g) BIGINT true
	// Sex VARCHAR true
	// true true
}

package consumers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log"
	"strings"

	"github.com/ngrok/sqlmw"
	"github.com/parquetsql/parquetsql"
	sqldblogger "github.com/simukti/sqldb-logger"
)

// counter is a middleware of sqlmw that counts queries.
type counter struct {
	sqlmw.NullInterceptor
	queries int
}

func (c *counter) ConnQueryContext(ctx context.Context, conn driver.QueryerContext, query string, args []driver.NamedValue) (context.Context, driver.Rows, error) {
	c.queries++
	rows, err := conn.QueryContext(ctx, query, args)
	return ctx, rows, err
}

// Example_sqlmw counts queries by a middleware.
func Example_sqlmw() {
	c := &counter{}
	sql.Register("counted-parquet", sqlmw.Driver(&parquetsql.Driver{}, c))
	db, err := sql.Open("counted-parquet", location)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	wrapped(db)
	fmt.Println(c.queries, "queries")
	// Output:
	// 276
	// Columns needs a connection of this driver
	// 1 queries
}

// lines is a logger of sqldb-logger.
type lines struct{ queries int }

func (l *lines) Log(_ context.Context, _ sqldblogger.Level, message string, _ map[string]any) {
	if message == "QueryContext" {
		l.queries++
	}
}

// Example_sqldblogger logs queries.
func Example_sqldblogger() {
	l := &lines{}
	db := sqldblogger.OpenDriver(location, &parquetsql.Driver{}, l)
	defer db.Close()
	wrapped(db)
	fmt.Println(l.queries, "lines")
	// Output:
	// 276
	// Columns needs a connection of this driver
	// 1 lines
}

// wrapped does what works on any connection, slices among it, and what needs the driver's own: wrappers
// without a method Raw() driver.Conn hide it.
func wrapped(db *sql.DB) {
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM penguins WHERE Species = ANY(?)", []string{"Adelie", "Gentoo"}).Scan(&n); err != nil {
		log.Fatal(err)
	}
	_, err := parquetsql.Columns(context.Background(), db, "SELECT 1")
	message, _, _ := strings.Cut(fmt.Sprint(err), ",")
	fmt.Printf("%d\n%s\n", n, strings.TrimPrefix(message, "parquet: "))
}

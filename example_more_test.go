package parquetsql_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// Folders named key=value become columns, and conditions on them leave out files. Here
// the folders are in memory: any fs.FS will do.
func ExampleConfig_hive() {
	data, err := fs.ReadFile(os.DirFS("testdata"), "penguins.parquet")
	if err != nil {
		fmt.Println(err)
		return
	}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: fstest.MapFS{
		"counts/year=2008/month=11/a.parquet": {Data: data},
		"counts/year=2009/month=01/b.parquet": {Data: data},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	var year, month, n int
	if err := db.QueryRow("SELECT year, month, COUNT(*) FROM counts WHERE year > 2008 GROUP BY ALL").Scan(&year, &month, &n); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(year, month, n)
	// Output: 2009 1 344
}

// Within a transaction all queries see the files of its beginning.
func Example_snapshot() {
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tx.Rollback()
	var birds, films int
	if err := tx.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&birds); err != nil {
		fmt.Println(err)
		return
	}
	if err := tx.QueryRow("SELECT COUNT(*) FROM movies").Scan(&films); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(birds, films)
	// Output: 344 3201
}

// QueryBatches gives columns as slices, which costs much less than a value at a time.
func ExampleQueryBatches() {
	ctx := context.Background()
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	connection, err := db.Conn(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer connection.Close()
	sum := int64(0)
	err = connection.Raw(func(c any) error {
		rows, err := parquetsql.QueryBatches(ctx, c, `SELECT "Body Mass (g)" FROM penguins`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			column := rows.Batch().Columns[0]
			for i, grams := range column.Values.([]int64) {
				if column.Null == nil || !column.Null[i] {
					sum += grams
				}
			}
		}
		return rows.Err()
	})
	fmt.Println(sum, "g", err)
	// Output: 1437000 g <nil>
}

// A Watcher tells how far a query is, and at its end what it cost.
func ExampleWatch() {
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	ctx, watcher := parquetsql.Watch(context.Background())
	var n int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(DISTINCT Title) FROM movies").Scan(&n); err != nil {
		fmt.Println(err)
		return
	}
	s := watcher.Stats()
	fmt.Printf("%d titles in %d rows; %.0f %%\n", n, s.RowsPassed, 100*s.Fraction())
	// Output: 3176 titles in 3201 rows; 100 %
}

// OnQuery is told of each query when it has ended; here it logs those that were slow or
// failed, with log/slog.
func ExampleConfig_onQuery() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // so that the output below is the same each time
		}
		return a
	}}))
	slow := time.Duration(0)
	connector, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata", OnQuery: func(q parquetsql.QueryStats) {
		switch {
		case q.Err != nil:
			logger.Error("query", "text", q.Text, "error", q.Err)
		case q.Duration >= slow:
			logger.Info("query", "text", q.Text, "rows", q.Rows, "files", q.Files, "row_groups", q.RowGroups, "pruned", q.RowGroupsPruned)
		}
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT COUNT(Species) FROM penguins WHERE Island = 'Dream'").Scan(&n); err != nil {
		fmt.Println(err)
	}
	// Output: level=INFO msg=query text="SELECT COUNT(Species) FROM penguins WHERE Island = 'Dream'" rows=1 files=1 row_groups=1 pruned=0
}

// Command runner runs the queries that it reads, one "DSN<tab>SQL" per line,
// and answers each with a line: the nanoseconds that it took. Command revisions
// builds it with the drivers that it compares; it uses nothing but database/sql,
// so that it builds with any of them.
package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	open := map[string]*sql.DB{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		dsn, text, _ := strings.Cut(lines.Text(), "\t")
		if open[dsn] == nil {
			db, err := sql.Open("parquet", dsn)
			if err != nil {
				log.Fatal(err)
			}
			open[dsn] = db
		}
		took, err := once(open[dsn], text)
		if err != nil {
			log.Fatalf("%s: %v", text, err)
		}
		fmt.Println(took.Nanoseconds())
	}
}

func once(db *sql.DB, text string) (time.Duration, error) {
	start := time.Now()
	rows, err := db.Query(text)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	row := make([]any, len(names))
	for i := range row {
		row[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(row...); err != nil {
			return 0, err
		}
	}
	return time.Since(start), rows.Err()
}

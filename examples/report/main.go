// Command report serves a dashboard over a Parquet file: which films earn their money back. Every
// number is the answer of a query at the moment when the page is asked for, and every view has an
// address of its own.
//
//	go run . -location ../../testdata
package main

import (
	"database/sql"
	"flag"
	"log"
	"net/http"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	location := flag.String("location", "../../testdata", "the folder with movies.parquet")
	address := flag.String("address", "localhost:8080", "where to listen")
	flag.Parse()
	// A report shares the machine with others: it may use two cores, and spills past 256 MiB.
	db, err := sql.Open("parquet", *location+"?parallelism=2&memory_limit=256MiB")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Ping(); err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: *address, Handler: newReport(db), ReadHeaderTimeout: 10 * time.Second}
	log.Printf("http://%s", *address)
	log.Fatal(server.ListenAndServe())
}

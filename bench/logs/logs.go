// Package logs writes events as services log them: one table of 60 files in the order of
// time, with nested columns, page indexes and bloom filters, and the tables that it is
// joined with. The writer is parquet-go.
package logs

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// Files is how many files hold the events.
const Files = 60

const (
	groupRows = 20_000
	pageBytes = 64 << 10
)

// Event is a row of the table events. Times ascend, and so do the numbers; the traces are
// in no order, and most items have few different values.
type Event struct {
	ID      int64             `parquet:"id,delta"`
	Time    int64             `parquet:"ts,timestamp(microsecond:local),delta"`
	Trace   string            `parquet:"trace"`        // different in each row; with a bloom filter
	Session int64             `parquet:"session"`      // of about 20 rows; with a bloom filter
	Kind    string            `parquet:"kind,dict"`    // few values, most of them alike
	Service string            `parquet:"service,dict"` // the key of services
	Status  int32             `parquet:"status,dict"`
	Latency float64           `parquet:"latency"` // milliseconds; a few are long
	Bytes   int64             `parquet:"bytes"`
	Cost    int64             `parquet:"cost,decimal(4:18)"`
	Client  Client            `parquet:"client"`
	Tags    []string          `parquet:"tags,list"`
	Items   []Item            `parquet:"items,list"`
	Labels  map[string]string `parquet:"labels"`
	Message string            `parquet:"message"`
	Error   *string           `parquet:"error,optional"` // of the rows whose status is an error
}

// Client is who has made a request.
type Client struct {
	ID      int64  `parquet:"id"` // the key of clients
	Country string `parquet:"country,dict"`
	Agent   string `parquet:"agent,dict"`
	Age     *int32 `parquet:"age,optional"`
	Place   *Place `parquet:"place,optional"`
}

// Place is where a client is.
type Place struct {
	City string  `parquet:"city,dict"`
	X    float64 `parquet:"x"`
	Y    float64 `parquet:"y"`
}

// Item is what a request has ordered.
type Item struct {
	Product  string  `parquet:"product,dict"`
	Quantity int32   `parquet:"quantity"`
	Price    float64 `parquet:"price"`
}

// Service is a row of the table services.
type Service struct {
	Name   string `parquet:"name"`
	Team   string `parquet:"team"`
	Region string `parquet:"region"`
	Tier   int32  `parquet:"tier"`
}

// Account is a row of the table accounts, one for each client.
type Account struct {
	ID      int64  `parquet:"id"`
	Name    string `parquet:"name"`
	Segment string `parquet:"segment,dict"`
	Since   int64  `parquet:"since,timestamp(microsecond:local)"`
}

// Write writes events with so many rows, services and accounts into dir.
func Write(dir string, rows int64) error {
	folder := filepath.Join(dir, "events")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	g := newGenerator(rows)
	for i := range int64(Files) {
		events := make([]Event, rows*(i+1)/Files-rows*i/Files)
		for k := range events {
			events[k] = g.event()
		}
		if err := write(filepath.Join(folder, fmt.Sprintf("part-%02d.parquet", i)), events); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(dir, "services.parquet"), services()); err != nil {
		return err
	}
	return write(filepath.Join(dir, "accounts.parquet"), g.accounts())
}

func write[T any](path string, rows []T) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w := parquet.NewGenericWriter[T](out, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows), parquet.PageBufferSize(pageBytes),
		parquet.DataPageStatistics(true), parquet.BloomFilters(parquet.SplitBlockFilter(10, "trace"), parquet.SplitBlockFilter(10, "session")))
	if _, err := w.Write(rows); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

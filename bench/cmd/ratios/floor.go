package main

import (
	"context"
	"fmt"
	"time"

	"github.com/parquetsql/parquetsql/bench/floor"
)

// floors measures what queries over a folder cannot do without: see package floor. nil is
// for none.
type floors struct {
	decoder *floor.Decoder
	reader  *floor.Reader
	runs    int
}

func (s *settings) newFloors(dir string) *floors {
	if !s.floor {
		return nil
	}
	d, err := floor.NewDecoder(dir, s.threads)
	check(err)
	r, err := floor.NewReader(dir, s.threads)
	check(err)
	return &floors{d, r, s.runs}
}

func (f *floors) close() {
	if f != nil {
		f.reader.Close()
	}
}

// head names the columns that of adds to a row.
func (f *floors) head() string {
	if f == nil {
		return ""
	}
	return "  decode ms   read ms   MB read"
}

// of is the end of the row of a query: the shortest times.
func (f *floors) of(text string) string {
	if f == nil {
		return ""
	}
	var decode, read time.Duration
	var size int64
	for i := range f.runs + 1 {
		d, err := f.decoder.Time(context.Background(), text)
		check(err)
		r, n, err := f.reader.Time(context.Background(), text)
		check(err)
		if size = n; i == 1 { // the first run reads the footers
			decode, read = d, r
		}
		decode, read = min(decode, d), min(read, r)
	}
	return fmt.Sprintf(" %10.2f %9.2f %9.1f", ms(decode), ms(read), float64(size)/1e6)
}

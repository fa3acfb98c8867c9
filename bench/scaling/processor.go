//go:build unix

package scaling

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"syscall"
)

// Least is the least processor time of a query, in seconds, of as many runs.
func Least(db *sql.DB, query string, runs int) (float64, error) {
	least := math.Inf(1)
	for range runs {
		before, err := Processor()
		if err != nil {
			return 0, err
		}
		rows, err := db.Query(query)
		if err != nil {
			return 0, err
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return 0, err
		}
		after, err := Processor()
		if err != nil {
			return 0, err
		}
		least = min(least, after-before)
	}
	return least, nil
}

// Processor is the processor time of this process, in seconds.
func Processor() (float64, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("reading the processor time: %w", err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime), nil
}

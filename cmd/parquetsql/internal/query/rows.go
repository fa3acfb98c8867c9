package query

import (
	"database/sql"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
)

// chunk is rows on their way from the driver to the format, which work at the same time.
type chunk struct {
	rows [][]any // of which the first n are filled
	n    int
}

const (
	chunkRows = 256
	// A chunk that took longer to fill is followed by one of a single row, so that the
	// rows of a slow query show as they come.
	chunkTime = 50 * time.Millisecond
)

// pump reads the rows into chunks that it takes from free, until it has read all, or done
// is closed. It closes filled at its end.
func pump(rows *sql.Rows, filled chan<- *chunk, free <-chan *chunk, done <-chan struct{}) error {
	defer close(filled)
	size := 1
	for {
		var c *chunk
		select {
		case c = <-free:
		case <-done:
			return nil
		}
		begin := time.Now()
		for c.n = 0; c.n < size && rows.Next(); c.n++ {
			if err := rows.Scan(c.rows[c.n]...); err != nil {
				return err
			}
		}
		if c.n == 0 {
			return rows.Err()
		}
		select {
		case filled <- c:
		case <-done:
			return nil
		}
		size = min(2*size, chunkRows)
		if time.Since(begin) > chunkTime {
			size = 1
		}
	}
}

// writeRows writes all rows. The driver makes the next ones meanwhile;
// cancel ends it where they cannot be written.
func writeRows(rows *sql.Rows, writer format.Writer, columns int, cancel func()) error {
	const chunks = 3
	filled, free, done := make(chan *chunk, chunks), make(chan *chunk, chunks), make(chan struct{})
	for range chunks {
		free <- newChunk(columns)
	}
	ended := make(chan error, 1)
	go func() { ended <- pump(rows, filled, free, done) }()
	values := make([]any, columns)
	err := func() error {
		for c := range filled {
			for _, row := range c.rows[:c.n] {
				for i, target := range row {
					values[i] = *target.(*any)
				}
				if err := writer.Row(values); err != nil {
					return err
				}
			}
			free <- c
		}
		return nil
	}()
	close(done)
	if err != nil {
		cancel() // the driver may be busy with a row that nobody wants
	}
	if pumpErr := <-ended; err == nil {
		err = pumpErr
	}
	return err
}

// newChunk returns a chunk whose rows are targets for Scan.
func newChunk(columns int) *chunk {
	c := &chunk{rows: make([][]any, chunkRows)}
	values := make([]any, chunkRows*columns)
	for i := range c.rows {
		c.rows[i] = make([]any, columns)
		for j := range columns {
			c.rows[i][j] = &values[i*columns+j]
		}
	}
	return c
}

package differential

import (
	"database/sql"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/bench/answer"
)

// DuckDB runs in a process of its own: on some queries it does not come back, not even
// when the context ends, and then the process is killed and another one takes its place.

// serving is the variable whose presence makes the test program such a process.
const serving = "PARQUETSQL_DIFFERENTIAL_DUCKDB"

// patience is how long an engine may take over a query. In short tests DuckDB gets less: a
// query that takes it long is left out.
const (
	patience      = 20 * time.Second
	shortPatience = 5 * time.Second
)

var errSlow = errors.New("DuckDB did not come back in time")

func TestMain(m *testing.M) {
	if os.Getenv(serving) == "" {
		os.Exit(m.Run())
	}
	if err := serve(os.Stdin, os.Stdout); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// reply is what DuckDB says of a query.
type reply struct {
	Answer answer.Answer
	Error  string
}

// serve answers queries until in ends.
func serve(in io.Reader, out io.Writer) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	questions, answers := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var text string
		if err := questions.Decode(&text); err != nil {
			return err
		}
		var r reply
		if r.Answer, err = read(db, text, patience); err != nil {
			r.Error = err.Error()
		}
		if err := answers.Encode(r); err != nil {
			return err
		}
	}
}

// duck is the process that serves.
type duck struct {
	setUp   []string
	patient time.Duration // how long a query may take
	process *exec.Cmd     // nil: none runs
	to      io.WriteCloser
	ask     *gob.Encoder
	hear    *gob.Decoder
}

func (d *duck) start() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	d.process = exec.Command(program)
	d.process.Env = append(os.Environ(), serving+"=1")
	d.process.Stderr = os.Stderr
	from, err := d.process.StdoutPipe()
	if err != nil {
		return err
	}
	if d.to, err = d.process.StdinPipe(); err != nil {
		return err
	}
	if err := d.process.Start(); err != nil {
		return err
	}
	d.ask, d.hear = gob.NewEncoder(d.to), gob.NewDecoder(from)
	for _, text := range d.setUp {
		if _, err := d.answer(text, patience); err != nil {
			return err
		}
	}
	return nil
}

// read is DuckDB's answer, errSlow if there is none in time. After an internal error, which
// invalidates the database, the next query has another process.
func (d *duck) read(text string) (answer.Answer, error) {
	if d.process == nil {
		if err := d.start(); err != nil {
			return answer.Answer{}, err
		}
	}
	a, err := d.answer(text, d.patient)
	if err != nil && (strings.HasPrefix(err.Error(), "INTERNAL Error") || strings.HasPrefix(err.Error(), "FATAL Error")) {
		d.stop()
	}
	return a, err
}

func (d *duck) answer(text string, patient time.Duration) (answer.Answer, error) {
	var r reply
	done := make(chan error, 1)
	go func() {
		done <- errors.Join(d.ask.Encode(text), d.hear.Decode(&r))
	}()
	select {
	case err := <-done:
		if err != nil {
			d.stop()
			return answer.Answer{}, fmt.Errorf("DuckDB's process ended: %w", err)
		}
	case <-time.After(patient):
		d.stop()
		return answer.Answer{}, errSlow
	}
	if r.Error != "" {
		return answer.Answer{}, errors.New(r.Error)
	}
	return r.Answer, nil
}

// wavers reports whether DuckDB, asked again, answers otherwise: it does in one of four runs of
// some subqueries that are correlated with a side of UNION below ORDER BY and LIMIT.
func (d *duck) wavers(text string, first answer.Answer) bool {
	for range 10 {
		if again, err := d.read(text); err == nil && answer.Difference(again, first) != "" {
			return true
		}
	}
	return false
}

// stop ends the process, whatever it does.
func (d *duck) stop() {
	if d.process != nil {
		d.to.Close()
		d.process.Process.Kill()
		d.process.Wait()
		d.process = nil
	}
}

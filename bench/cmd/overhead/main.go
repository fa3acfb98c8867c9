// Command overhead measures what the server for PostgreSQL's clients adds to the driver: the processor time of all
// rows of a table of five columns, read by the driver alone in a process of its own, sent in binary by the server in a
// process of its own, and, where -postgres names one, sent by PostgreSQL's server of the same table. All runs take turns.
//
//	go run ./cmd/overhead -postgres 'postgres://postgres@127.0.0.1:5498/postgres?sslmode=disable'
package main

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server"
)

// table makes the rows, in SQL that DuckDB and PostgreSQL share but for the name of the range.
const table = `SELECT i::BIGINT AS id, (i * 7919 %% 100000)::DOUBLE PRECISION / 100 AS amount, 'customer ' || (i %% 1000) AS customer,
	TIMESTAMP '2024-01-01' + i * INTERVAL '1 second' AS at, i %% 3 = 0 AS paid FROM generate_series(0, %d) t(i)`

func main() {
	log.SetFlags(0)
	rows := flag.Int("rows", 1_000_000, "rows of the table")
	runs := flag.Int("runs", 5, "runs; the median counts")
	postgres := flag.String("postgres", "", "a PostgreSQL on this machine, where a table is made")
	role := flag.String("role", "", "of a process that this one has started: driver, server")
	folder := flag.String("folder", "", "likewise: where the table is")
	flag.Parse()
	var err error
	switch *role {
	case "driver":
		err = drive(*folder)
	case "server":
		err = serve(*folder)
	default:
		err = measure(*rows, *runs, *postgres)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// drive reads all rows by column, as the server does.
func drive(folder string) error {
	db, err := sql.Open("parquet", folder)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(c any) error {
		rows, err := parquetsql.QueryBatches(ctx, c, "SELECT * FROM t")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
		return rows.Err()
	})
}

// serve is a server until its standard input ends. It prints its address.
func serve(folder string) error {
	s, err := server.New(server.Config{Databases: map[string]*parquetsql.Config{"": {Path: folder}}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go s.Serve(l)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func measure(rows, runs int, postgres string) error {
	folder, err := os.MkdirTemp("", "overhead")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := makeParquet(folder, rows); err != nil {
		return err
	}
	ctx := context.Background()
	var theirs *pgconn.PgConn
	if postgres != "" {
		if theirs, err = pgconn.Connect(ctx, postgres); err != nil {
			return err
		}
		defer theirs.Close(ctx)
		for _, text := range []string{"CREATE TEMP TABLE t AS " + fmt.Sprintf(strings.ReplaceAll(table, "generate_series(0,", "generate_series(0::BIGINT,"), rows-1), "SELECT COUNT(*) FROM t"} {
			if _, err := theirs.Exec(ctx, text).ReadAll(); err != nil {
				return err
			}
		}
	}
	var driver, ours, idle, postgresTimes []time.Duration
	for range runs {
		d, err := child("driver", folder, nil)
		if err != nil {
			return err
		}
		driver = append(driver, d)
		for _, queries := range []int{0, 1} {
			d, err := child("server", folder, func(address string) error {
				c, err := pgconn.Connect(ctx, "postgres://me@"+address+"/x?sslmode=disable")
				if err != nil {
					return err
				}
				defer c.Close(ctx)
				if queries > 0 {
					return fetch(ctx, c, rows)
				}
				return nil
			})
			if err != nil {
				return err
			}
			if queries == 0 {
				idle = append(idle, d)
			} else {
				ours = append(ours, d)
			}
		}
		if theirs != nil {
			before, err := used(theirs.PID())
			if err != nil {
				return err
			}
			if err := fetch(ctx, theirs, rows); err != nil {
				return err
			}
			after, err := used(theirs.PID())
			if err != nil {
				return err
			}
			postgresTimes = append(postgresTimes, after-before)
		}
	}
	own, served := median(driver), median(ours)
	fmt.Printf("%d rows, median of %d runs, seconds of processor time\n", rows, runs)
	fmt.Printf("the driver alone, a process:       %.2f\n", own.Seconds())
	fmt.Printf("the server, a process:             %.2f, %.2f times the driver (without a query: %.2f)\n", served.Seconds(), served.Seconds()/own.Seconds(), median(idle).Seconds())
	if theirs != nil {
		fmt.Printf("PostgreSQL's backend, a statement: %.2f; the server beyond the driver: %.2f\n", median(postgresTimes).Seconds(), (served - own).Seconds())
	}
	return nil
}

// makeParquet writes the table with DuckDB.
func makeParquet(folder string, rows int) error {
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer duck.Close()
	_, err = duck.Exec("COPY (" + fmt.Sprintf(table, rows-1) + ") TO '" + filepath.Join(folder, "t.parquet") + "' (FORMAT parquet)")
	return err
}

// child runs this program in a role and is the processor time that it took. use, unless nil, gets what the
// process prints first.
func child(role, folder string, use func(line string) error) (time.Duration, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	c := exec.Command(program, "-role", role, "-folder", folder)
	c.Stderr = os.Stderr
	if use == nil {
		err := c.Run()
		if err != nil {
			return 0, err
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
	}
	in, err := c.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := c.Start(); err != nil {
		return 0, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		err = use(strings.TrimSpace(line))
	}
	in.Close()
	if waitErr := c.Wait(); err == nil {
		err = waitErr
	}
	if err != nil {
		return 0, err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// fetch reads all rows in binary.
func fetch(ctx context.Context, c *pgconn.PgConn, want int) error {
	r := c.ExecParams(ctx, "SELECT * FROM t", nil, nil, nil, []int16{1})
	n := 0
	for r.NextRow() {
		n++
	}
	if _, err := r.Close(); err != nil {
		return err
	}
	if n != want {
		return fmt.Errorf("%d rows, not %d", n, want)
	}
	return nil
}

// used is the processor time of a process (proc(5), "stat": utime and stime, in hundredths of a second).
func used(pid uint32) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	var state string
	var skip, user, system int64
	if _, err := fmt.Sscan(rest, &state, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system); err != nil {
		return 0, err
	}
	return time.Duration(user+system) * time.Second / 100, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// Command fragments runs a query on several machines that talk over HTTP: an example of a scheduler for
// package fragments, and enough for a few machines. A worker on each:
//
//	fragments -listen :7070 -store /mnt/shared/exchange
//
// and the query on one of them, which prints its rows as CSV:
//
//	fragments -workers http://a:7070,http://b:7070 -store /mnt/shared/exchange -dsn /mnt/shared/sales \
//		-sql "SELECT region, SUM(amount) FROM orders GROUP BY region"
//
// A worker runs what is sent to it, over all files that its process may read: it listens where none but
// the schedulers can connect.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fragments", flag.ContinueOnError)
	listen := flags.String("listen", "", "the address at which a worker listens")
	store := flags.String("store", "", "the folder of the exchanges, which all machines see")
	workers := flags.String("workers", "", "the URLs of workers, divided by commas")
	dsn := flags.String("dsn", "", "where the files are")
	query := flags.String("sql", "", "the query")
	explain := flags.Bool("explain", false, "print the stages, and run nothing")
	var o parquetsql.StageOptions
	flags.Int64Var(&o.SplitBytes, "split", 0, "about how many bytes a split has; 0: 128 MiB")
	flags.IntVar(&o.Partitions, "partitions", 0, "into how many partitions rows are divided; 0: as many as there are splits")
	flags.BoolVar(&o.AllowGather, "allow-gather", false, "one machine may have all rows where they cannot be divided")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *store == "":
		return errors.New("-store names the folder of the exchanges")
	case *listen != "":
		w := &fragments.Worker{Keep: 4}
		server := &http.Server{Addr: *listen, Handler: handler(w, fragments.Dir(*store)), ReadHeaderTimeout: time.Minute}
		context.AfterFunc(ctx, func() { _ = server.Close() })
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			return errors.Join(err, w.Close())
		}
		return w.Close()
	}
	return schedule(ctx, fragments.Query{DSN: *dsn, SQL: *query, StageOptions: o}, strings.Split(*workers, ","), fragments.Dir(*store), *explain, out)
}

// handler runs the fragment of a request. A status of 200 says that its task is done.
func handler(w *fragments.Worker, store fragments.Store) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(http.MaxBytesReader(out, r.Body, 64<<20))
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		f, err := fragments.Unmarshal(data)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		if err := w.Run(r.Context(), f, store); err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
		}
	})
}

// schedule sends each fragment to a worker that is free, and again to another one where it fails.
func schedule(ctx context.Context, q fragments.Query, workers []string, store fragments.Store, explain bool, out io.Writer) (err error) {
	plan, err := fragments.New(ctx, q)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, plan.Close(), fragments.Clean(context.WithoutCancel(ctx), store, plan.ID))
	}()
	if explain {
		_, err := fmt.Fprintln(out, strings.Join(plan.Text(), "\n"))
		return err
	}
	free := make(chan string, len(workers))
	for _, w := range workers {
		free <- w
	}
	if err := plan.Do(ctx, len(workers), 4, func(ctx context.Context, f *fragments.Fragment) error {
		w := <-free
		defer func() { free <- w }()
		return send(ctx, w, f)
	}); err != nil {
		return err
	}
	rows, err := plan.Rows(ctx, store)
	if err != nil {
		return err
	}
	return errors.Join(print(rows, out), rows.Close())
}

func send(ctx context.Context, worker string, f *fragments.Fragment) error {
	data, err := f.Marshal()
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, worker, bytes.NewReader(data))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", worker, strings.TrimSpace(string(text)))
	}
	return err
}

// print writes rows as CSV. NULL is an empty field.
func print(rows *sql.Rows, out io.Writer) error {
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write(columns); err != nil {
		return err
	}
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	line := make([]string, len(columns))
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			line[i] = v.String
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return errors.Join(rows.Err(), w.Error())
}

package parquetsql_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestConcurrent runs queries of one pool in many goroutines and cancels some of
// them; the others finish.
func TestConcurrent(t *testing.T) {
	db := openDir(t, "testdata")
	statement, err := db.Prepare("SELECT Species, COUNT(*) FROM penguins WHERE Island <> ? GROUP BY Species ORDER BY 2")
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 20 {
				ctx := context.Background()
				if i%4 == 0 {
					ctx = cancelled
				}
				rows, err := statement.QueryContext(ctx, "Dream")
				if i%4 == 0 {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("cancelled: %v", err)
					}
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				n := 0
				for rows.Next() {
					n++
				}
				if rows.Err() != nil || n != 2 {
					t.Errorf("%d rows, %v", n, rows.Err())
				}
				rows.Close()
			}
		})
	}
	wg.Wait()
}

// TestDriverInterfaces has the optional interfaces that the driver implements.
func TestDriverInterfaces(t *testing.T) {
	connector, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connector.Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for name, ok := range map[string]bool{
		"Pinger":             is[driver.Pinger](conn),
		"QueryerContext":     is[driver.QueryerContext](conn),
		"ExecerContext":      is[driver.ExecerContext](conn),
		"ConnPrepareContext": is[driver.ConnPrepareContext](conn),
		"ConnBeginTx":        is[driver.ConnBeginTx](conn),
		"NamedValueChecker":  is[driver.NamedValueChecker](conn),
		"SessionResetter":    is[driver.SessionResetter](conn),
		"Validator":          is[driver.Validator](conn),
		"DriverContext":      is[driver.DriverContext](connector.Driver()),
	} {
		if !ok {
			t.Errorf("%s is not implemented", name)
		}
	}
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

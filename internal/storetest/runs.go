package storetest

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Runs queries a table under faults, over and over: each answer must be one of those that the
// versions of the object have, or an error that names the object.
type Runs struct {
	Faults  *Faults
	Open    func() (*sql.DB, error) // a new database, which knows nothing yet
	Query   string
	Objects []string // of which an error must name one
	Count   int
}

// Run makes the runs. Its seed is logged.
func (r Runs) Run(t *testing.T, versions ...[]string) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	answered := 0
	for i := range r.Count {
		db, err := r.Open()
		if err != nil {
			t.Fatal(err)
		}
		r.Faults.Begin(seed+uint64(i), 2+i%12)
		rows, err := Rows(db, r.Query)
		r.Faults.End()
		if closeErr := db.Close(); closeErr != nil {
			t.Fatal(closeErr)
		}
		switch {
		case err != nil && !slices.ContainsFunc(r.Objects, func(o string) bool { return strings.Contains(err.Error(), o) }):
			t.Errorf("run %d of seed %d: the error does not name the object: %v", i, seed, err)
		case err == nil && !slices.ContainsFunc(versions, func(v []string) bool { return slices.Equal(v, rows) }):
			t.Errorf("run %d of seed %d: %d rows that no version has", i, seed, len(rows))
		case err == nil:
			answered++
		}
	}
	if t.Logf("%d of %d runs had rows", answered, r.Count); answered < r.Count/3 {
		t.Errorf("%d of %d runs had rows: most faults can be repaired", answered, r.Count)
	}
}

func rowsOfFolder(dir string) (out []string, err error) {
	db, err := sql.Open("parquet", dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return Rows(db, VersionsQuery)
}

// Open opens a location until the test ends.
func Open(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Querier is a database or a transaction.
type Querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// Rows are the rows of a query as text.
func Rows(db Querier, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, at := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		at[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprint(values...))
	}
	return out, rows.Err()
}

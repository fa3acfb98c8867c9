package server_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
)

// TestLibPQ: what programs with lib/pq do, with prepared statements and with parameters in binary.
func TestLibPQ(t *testing.T) {
	_, address := start(t, nil)
	for _, options := range []string{"", "&binary_parameters=yes"} {
		db, err := sql.Open("postgres", "postgres://me@"+address+"/sales?sslmode=disable"+options)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var count int
		var species string
		if err := db.QueryRow("SELECT Species, COUNT(*) FROM penguins WHERE Island = $1 GROUP BY 1 ORDER BY 2 DESC", "Dream").Scan(&species, &count); err != nil || species != "Chinstrap" || count != 68 {
			t.Errorf("%s: %s, %d, %v", options, species, count, err)
		}
		if err := db.QueryRow("SELECT COUNT(*) FROM penguins WHERE Island = ANY($1)", pq.Array([]string{"Dream", "Biscoe"})).Scan(&count); err != nil || count != 292 {
			t.Errorf("%s: %d, %v", options, count, err)
		}
		var (
			whole   int64
			real    float64
			text    string
			bytes   []byte
			yes     bool
			at      time.Time
			nothing sql.NullString
			list    []int64
		)
		moment := time.Date(2024, 2, 29, 10, 20, 30, 500_000_000, time.UTC)
		err = db.QueryRow("SELECT $1::int8, $2::float8, $3::text, $4::bytea, $5::bool, $6::timestamptz, $7::text, $8::int8[]", 7, 1.5, "ä", []byte{0, 255}, true, moment, nil, pq.Array([]int64{1, 2})).
			Scan(&whole, &real, &text, &bytes, &yes, &at, &nothing, pq.Array(&list))
		if got := strings.TrimSpace(fmt.Sprintln(whole, real, text, bytes, yes, at.Equal(moment), nothing.Valid, list)); err != nil || got != "7 1.5 ä [0 255] true true false [1 2]" {
			t.Errorf("%s: %s, %v", options, got, err)
		}
		statement, err := db.Prepare("SELECT COUNT(*) FROM penguins WHERE Species = $1")
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]int{"Gentoo": 124, "Adelie": 152} {
			if err := statement.QueryRow(name).Scan(&count); err != nil || count != want {
				t.Errorf("%s: %d, %v", name, count, err)
			}
		}
		statement.Close()
		var told *pq.Error
		if _, err := db.Query("SELECT Island,\n nope FROM penguins"); !errors.As(err, &told) || told.Code != "42703" || told.Position != "17" {
			t.Errorf("%s: %v, %+v", options, err, told)
		}
		tx, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&count); err != nil || count != 344 {
			t.Errorf("%s: %d, %v", options, count, err)
		}
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := db.ExecContext(ctx, endless); err == nil {
			t.Error("a statement without end has ended")
		}
		cancel()
	}
}

package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TestColumnsWithoutArguments: placeholders take the type of the other operands.
func TestColumnsWithoutArguments(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT id, mass > ? AS big FROM birds WHERE species = ?", "id BIGINT, big BOOLEAN"},
		{"SELECT id + ? AS x, COALESCE(species, ?) AS s FROM birds LIMIT ? OFFSET ?", "x BIGINT, s VARCHAR"},
		{"SELECT ? AS p", "p NULL"},
		{"SELECT :a AS p, :a || species AS q FROM birds", "p NULL, q VARCHAR"},
		{"SELECT COUNT(*) AS n, SUM(id) AS s FROM birds WHERE id IN (?, ?) GROUP BY species HAVING COUNT(*) > ?", "n BIGINT, s BIGINT"},
		{"EXPLAIN SELECT id FROM birds WHERE id = ?", "plan VARCHAR"},
		{"EXPLAIN ANALYZE SELECT id FROM birds", "plan VARCHAR"},
		{"DESCRIBE birds", "column_name VARCHAR, column_type VARCHAR, null VARCHAR, key VARCHAR, default VARCHAR, extra VARCHAR"},
	} {
		s, err := Parse(t.Context(), c.sql)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := s.columns(context.Background(), &Session{}, birds(), nil)
		var got []string
		for _, col := range schema {
			got = append(got, fmt.Sprint(col.Name, " ", col.Type))
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v %v, want %s", c.sql, got, err, c.want)
		}
	}
	s, err := Parse(t.Context(), "SELECT ? AS p")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := s.columns(context.Background(), &Session{}, birds(), []Arg{{Ordinal: 1, Value: vector.IntScalar(1)}})
	if err != nil || schema[0].Type.Kind != vector.BigInt {
		t.Errorf("with an argument: %v %v", schema, err)
	}
}

// TestNamesAreChecked: an unknown name is an error before anything runs.
func TestNamesAreChecked(t *testing.T) {
	for _, c := range []struct{ sql, kind string }{
		{"SELECT wings FROM birds", "column"},
		{"SELECT id FROM birds WHERE wings = ?", "column"},
		{"SELECT id FROM fish WHERE id = ?", "table"},
		{"SELECT nofunction(?) FROM birds", "function"},
		{"EXPLAIN ANALYZE SELECT wings FROM birds", "column"},
		{"DESCRIBE fish", "table"},
	} {
		s, err := Parse(t.Context(), c.sql)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.columns(context.Background(), &Session{}, birds(), nil)
		var missing *errs.NotFoundError
		if !errors.As(err, &missing) || missing.Kind != c.kind {
			t.Errorf("%s: %v, want a missing %s", c.sql, err, c.kind)
		}
	}
}

// TestAggregateParameters: aggregates that differ only in a constant argument are
// separate, and EXPLAIN shows the argument.
func TestAggregateParameters(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT STRING_AGG(b, '-' ORDER BY a), STRING_AGG(b, '+' ORDER BY a), STRING_AGG(b, '-' ORDER BY a DESC) FROM hits", "x-y x+y y-x"},
		{"SELECT QUANTILE_CONT(id, 0), QUANTILE_CONT(id, 0.5), QUANTILE_CONT(id, 1) FROM birds", "1 4 7"},
		{"EXPLAIN SELECT STRING_AGG(b, '-'), STRING_AGG(b, '+'), STRING_AGG(b, '-') FROM hits",
			"Project STRING_AGG(b, '-'), STRING_AGG(b, '+'), STRING_AGG(b, '-')\n└─ Aggregate STRING_AGG(b, '-'), STRING_AGG(b, '+')\n   └─ Scan hits\n        columns     b"},
	} {
		if got := rowsOf(t, c.sql); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}

// TestDroppedRowsAreNotComputed: an expression that fails for a row does not
// fail a query whose LIMIT or OFFSET drops that row. species is never a number, and
// it is NULL in the last row.
func TestDroppedRowsAreNotComputed(t *testing.T) {
	const number = "CAST(CASE WHEN id < 3 THEN 'x' ELSE '5' END AS INTEGER)" // fails for the ids 1 and 2
	for _, c := range []struct{ sql, want string }{
		{"SELECT " + number + " FROM birds ORDER BY id OFFSET 2", "5\n5\n5\n5\n5"},
		{"SELECT " + number + " AS n FROM birds ORDER BY id LIMIT 2 OFFSET 5", "5\n5"},
		{"SELECT " + number + " AS n, n + 1 FROM birds ORDER BY id DESC LIMIT 1", "5 6"},
		{"SELECT " + number + " AS n FROM birds ORDER BY id LIMIT 1000000 OFFSET 6", "5"},
		{"SELECT id FROM birds ORDER BY " + number + " LIMIT 1", "error: "},
	} {
		got := rowsOf(t, c.sql)
		if strings.HasPrefix(c.want, "error") && strings.HasPrefix(got, c.want) {
			continue
		}
		if got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.sql, got, c.want)
		}
	}
}

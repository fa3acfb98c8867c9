package reader

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// manyConjuncts is a request of all movies whose number is not one of the first n: 4 values
// are computed for each conjunct.
func manyConjuncts(t *testing.T, n int) (request scan.Request, run func() (rowText, error)) {
	table := openTable(t, filepath.Join("..", "..", "testdata", "movies.parquet"))
	row, number := columnOf(table, "_row")
	r := scan.Request{Limit: -1, Columns: []scan.Projection{{Column: row}}}
	for i := range n {
		sum := number
		for range 3 {
			var err error
			if sum, err = expr.NewArith(expr.OpAdd, sum, expr.NewConst(vector.IntScalar(int64(i)))); err != nil {
				t.Fatal(err)
			}
		}
		r.Filter = append(r.Filter, compare(t, expr.OpNe, sum, vector.IntScalar(int64(4*i))))
	}
	return r, func() (rowText, error) {
		rows, _, err := readRows(table, r)
		return rows, err
	}
}

// TestVeryManyConjuncts: conjuncts that keep no memory between batches select the same rows.
func TestVeryManyConjuncts(t *testing.T) {
	const n = 2*expr.KeptOperands + 7
	_, run := manyConjuncts(t, n)
	rows, err := run()
	if err != nil {
		t.Fatal(err)
	}
	if _, all, err := manyRows(t, 0); err != nil || len(rows) != len(all)-n {
		t.Errorf("%v, %d rows of %d, want %d fewer", err, len(rows), len(all), n)
	}
	for i := range int64(n) {
		if _, there := rows[i]; there {
			t.Errorf("row %d is there", i)
		}
	}
}

func manyRows(t *testing.T, n int) (scan.Request, rowText, error) {
	request, run := manyConjuncts(t, n)
	rows, err := run()
	return request, rows, err
}

// TestWindowsByWidth: under a memory limit fewer rows are read at once where many values are
// computed of each, and they are the same rows.
func TestWindowsByWidth(t *testing.T) {
	request, want, err := manyRows(t, expr.KeptOperands)
	if err != nil {
		t.Fatal(err)
	}
	request.Budget = quota.New(1 << 20)
	table := openTable(t, filepath.Join("..", "..", "testdata", "movies.parquet"))
	s, err := New(context.Background(), table, request)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reader := s.NewReader()
	defer reader.Close()
	rows := rowText{}
	for b := range batches(t, reader) {
		if most := 8 << 20 / (16 * (1 + 4*expr.KeptOperands)); b.Len > most {
			t.Fatalf("%d rows at once, want %d at most", b.Len, most)
		}
		if err := addRows(rows, b); err != nil {
			t.Fatal(err)
		}
	}
	if !maps.Equal(rows, want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
}

// TestVeryManyColumns: what a reader needs for very many columns is charged before it is made.
func TestVeryManyColumns(t *testing.T) {
	budget := quota.New(1 << 20)
	r := (&Scan{needed: make([]int, freeColumns+100), request: scan.Request{Budget: budget}}).NewReader()
	if _, err := r.Next(context.Background()); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("100 columns more than are free: %v", err)
	}
	if err := r.Close(); err != nil || budget.Used() != 0 {
		t.Errorf("%v, %d bytes are charged at the end", err, budget.Used())
	}
}

package reader

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// betterCase is a scan of some columns, of which values are wanted that are less than one bound, or greater
// than another.
type betterCase struct {
	request scan.Request
	bounds  []vector.Scalar // by column of the request; without a bound NULL
	greater []bool
}

// TestSetBetter: over files of several writers, each value that is better than its bound comes, and in
// place of any other one there is that value, or NULL, or nothing.
func TestSetBetter(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	var nulls, rows int
	for _, path := range foreignFiles(t) {
		table := openTable(t, path)
		if table == nil {
			continue
		}
		values, err := sample(table)
		if err != nil || len(values) == 0 {
			continue
		}
		for range 5 {
			c := newBetterCase(rng, table, values)
			want, err := c.read(table, false, 1)
			if err != nil {
				t.Logf("%s: %v", path, err)
				continue
			}
			got, err := c.read(table, true, 1+rng.Intn(3))
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, path, err)
			}
			for number, full := range want {
				n, err := c.check(full, got[number])
				if err != nil {
					t.Fatalf("seed %d: %s, columns %v, filter %v, bounds %v, row %d: %v", seed, path, c.request.Columns, c.request.Filter, c.bounds, number, err)
				}
				nulls += n
			}
			rows += len(want) - len(got)
		}
	}
	if nulls == 0 || rows == 0 {
		t.Errorf("%d values are NULL instead, and %d rows left out", nulls, rows)
	}
}

func newBetterCase(rng *rand.Rand, table *files.Set, values map[int][]vector.Scalar) *betterCase {
	c := &betterCase{request: scan.Request{Limit: -1, Options: scan.Options{Pruning: scan.AllPruners}}}
	if rng.Intn(3) == 0 {
		c.request.Filter = randomFilter(rng, table, values)
	}
	for at, of := range values {
		if table.Columns[at].Origin != scan.FromFile || rng.Intn(2) == 0 && len(c.bounds) > 0 {
			continue
		}
		c.request.Columns = append(c.request.Columns, scan.Projection{Column: at})
		bound := of[rng.Intn(len(of))]
		greater := rng.Intn(2) == 0
		for range rng.Intn(50) { // mostly near the end
			if x := of[rng.Intn(len(of))]; isBetter(x, bound, greater) {
				bound = x
			}
		}
		c.bounds, c.greater = append(c.bounds, bound), append(c.greater, greater)
	}
	c.request.Columns = append(c.request.Columns, scan.Projection{Column: columnNamed(table, "_row")})
	return c
}

// isBetter reports whether a value beats a bound.
func isBetter(value, bound vector.Scalar, greater bool) bool {
	op := expr.OpLt
	if greater {
		op = expr.OpGt
	}
	e, err := expr.NewCompare(op, expr.NewConst(value), expr.NewConst(bound))
	c, ok := e.(*expr.Const)
	return err == nil && ok && !c.Value.Null && c.Value.Bool
}

// read returns the rows by their number: without their bounds, or with them, known from the start.
func (c *betterCase) read(table *files.Set, bounded bool, readers int) (map[int64][]vector.Scalar, error) {
	r := c.request
	r.Readers = readers
	s, err := newScan(context.Background(), table, r, 1+int64(len(c.bounds))*100)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if bounded {
		slot := s.AddProbe(nil)
		var conditions []expr.Expr
		for i, bound := range c.bounds {
			op := expr.OpLt
			if c.greater[i] {
				op = expr.OpGt
			}
			at := r.Columns[i].Column
			e, err := expr.NewCompare(op, expr.NewColumn(at, table.Columns[at].Name, table.Columns[at].Type), expr.NewConst(bound))
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, e)
		}
		s.SetBetter(slot, conditions)
	}
	out := map[int64][]vector.Scalar{}
	for range readers {
		if err := readAll(s.NewReader(), out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readAll adds the rows of a reader, whose last column is their number.
func readAll(r *Reader, to map[int64][]vector.Scalar) error {
	defer r.Close()
	for {
		b, err := r.Next(context.Background())
		if b == nil || err != nil {
			return err
		}
		for i := range b.Rows() {
			row := make([]vector.Scalar, len(b.Cols))
			for k, c := range b.Cols {
				row[k] = c.Get(b.Row(i))
				row[k].Str = strings.Clone(row[k].Str)
			}
			to[row[len(row)-1].I64] = row
		}
	}
}

// check compares a row with the whole one, and counts its values that are NULL instead.
func (c *betterCase) check(full, got []vector.Scalar) (nulls int, err error) {
	for i, bound := range c.bounds {
		better := isBetter(full[i], bound, c.greater[i])
		switch {
		case got == nil && !better:
		case got == nil:
			return 0, fmt.Errorf("%v is better than %v, and the row is left out", full[i], bound)
		case got[i].Null && !full[i].Null && !better:
			nulls++
		case fmt.Sprint(got[i]) != fmt.Sprint(full[i]):
			return 0, fmt.Errorf("%v instead of %v", got[i], full[i])
		}
	}
	return nulls, nil
}

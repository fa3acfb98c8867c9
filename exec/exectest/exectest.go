// Package exectest reruns a test case of an operator in all ways in which rows can
// arrive: in batches of several sizes, distributed over several workers, between rows
// that are not selected, as dictionaries and constants, with random NULLs and with
// NULLs only. Each time the result is compared with that of a plain function over rows.
package exectest

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// Row is a row as scalars.
type Row []vector.Scalar

// Case is a test case of an operator.
type Case struct {
	Schema vector.Schema
	// Rows makes n rows. Nullable columns get their NULLs afterwards.
	Rows func(r *rand.Rand, n int) []Row
	// Build makes the operator over its inputs, one per worker.
	Build func(in []exec.Operator) exec.Operator
	// Want is the reference.
	Want func(rows []Row) []Row
	// Ordered says that the order of rows is Want's; else it may be any.
	Ordered bool
	// Check replaces the comparison with Want where the result is not unique.
	Check func(t *testing.T, rows, got []Row)
	// Most bounds the number of rows; 0 is 300.
	Most int
	// OneInput says that the operator has one input. Others get one to three.
	OneInput bool
}

// Run reruns the case.
func Run(t *testing.T, c Case) {
	t.Helper()
	seed := rand.Uint64()
	most := 300
	if c.Most > 0 {
		most = c.Most
	}
	for _, n := range []int{0, 1, 7, most} {
		for _, nulls := range []string{"none", "some", "all"} {
			for _, size := range []int{1, 10, vector.BatchSize} {
				if n < most && (size == 10 || nulls == "none") {
					continue
				}
				name := fmt.Sprintf("%d rows, NULL %s, batches of %d", n, nulls, size)
				t.Run(name, func(t *testing.T) {
					leaktest.Check(t)
					run(t, c, rand.New(rand.NewPCG(seed, uint64(n))), n, nulls, size)
					if t.Failed() {
						t.Logf("seed %d", seed)
					}
				})
			}
		}
	}
}

func run(t *testing.T, c Case, r *rand.Rand, n int, nulls string, size int) {
	rows := c.Rows(r, n)
	for _, row := range rows {
		for i := range row {
			if c.Schema[i].Nullable && (nulls == "all" || nulls == "some" && r.IntN(4) == 0) {
				row[i] = vector.NullOf(c.Schema[i].Type)
			}
		}
	}
	workers := 1
	if !c.OneInput {
		workers += r.IntN(3)
	}
	parts := make([][]Row, workers)
	for _, row := range rows {
		w := r.IntN(workers)
		parts[w] = append(parts[w], row)
	}
	in := make([]exec.Operator, workers)
	for w := range in {
		in[w] = NewSource(c.Schema, parts[w], size, rand.New(rand.NewPCG(r.Uint64(), 0)))
	}
	op := c.Build(in)
	got, err := Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if err := op.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	for _, o := range in {
		s := o.(*Source)
		if !s.closed {
			t.Error("an input was not closed")
		}
		if s.changed != "" {
			t.Errorf("the operator changed a batch of its input, of which it may only set Sel: %s", s.changed)
		}
	}
	if c.Check != nil {
		c.Check(t, rows, got)
		return
	}
	Compare(t, c.Want(rows), got, c.Ordered)
}

// Compare fails the test where got is not want, in any order unless ordered.
func Compare(t *testing.T, want, got []Row, ordered bool) {
	t.Helper()
	if !ordered {
		want, got = byText(want), byText(got)
	}
	if len(want) != len(got) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	for i := range min(len(want), len(got)) {
		if !got[i].like(want[i]) {
			t.Fatalf("row %d is %s, want %s", i, got[i], want[i])
		}
	}
}

func byText(rows []Row) []Row {
	texts, order := make([]string, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		texts[i], order[i] = row.String(), i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(texts[a], texts[b]) })
	out := make([]Row, len(rows))
	for i, at := range order {
		out[i] = rows[at]
	}
	return out
}

// like reports whether two rows are equal; doubles may differ by rounding errors of
// additions in another order.
func (r Row) like(o Row) bool {
	if len(r) != len(o) {
		return false
	}
	for i, s := range r {
		if Text(s) == Text(o[i]) {
			continue
		}
		x, y := s.F64, o[i].F64
		if s.Null || o[i].Null || s.Type.Storage() != vector.StoreFloat64 || !(math.Abs(x-y) <= 1e-9*math.Abs(x)) {
			return false
		}
	}
	return true
}

// String is the row as text; doubles are rounded to twelve digits.
func (r Row) String() string {
	parts := make([]string, len(r))
	for i, s := range r {
		parts[i] = Text(s)
	}
	return strings.Join(parts, "|")
}

// Text is a value as text.
func Text(s vector.Scalar) string {
	if s.Null {
		return "NULL"
	}
	switch s.Type.Storage() {
	case vector.StoreBool:
		return strconv.FormatBool(s.Bool)
	case vector.StoreInt64:
		return strconv.FormatInt(s.I64, 10)
	case vector.StoreUint64:
		return strconv.FormatUint(s.U64, 10)
	case vector.StoreInt128:
		return s.I128.String()
	case vector.StoreFloat32:
		return strconv.FormatFloat(float64(s.F32)+0, 'g', 6, 32)
	case vector.StoreFloat64:
		return strconv.FormatFloat(s.F64+0, 'g', 12, 64)
	case vector.StoreString:
		return strconv.Quote(s.Str)
	case vector.StoreInterval:
		return s.Interval.Normal().String()
	case vector.StoreNested:
		return nestedText(s)
	}
	return "NULL"
}

func nestedText(s vector.Scalar) string {
	var b strings.Builder
	b.WriteString("[")
	for _, c := range s.Nested.Children {
		for i := range c.Len {
			b.WriteString(Text(c.Get(i)) + " ")
		}
		b.WriteString(";")
	}
	return b.String() + "]"
}

// Batches reads an operator to its end. An error ends the test.
func Batches(t testing.TB, op exec.Operator) iter.Seq[*vector.Batch] {
	return func(yield func(*vector.Batch) bool) {
		t.Helper()
		for {
			b, err := op.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil || !yield(b) {
				return
			}
		}
	}
}

// Drain reads all rows of an operator.
func Drain(ctx context.Context, op exec.Operator) ([]Row, error) {
	var rows []Row
	for {
		b, err := op.Next(ctx)
		if b == nil || err != nil {
			return rows, err
		}
		for i := range b.Rows() {
			row := make(Row, len(b.Cols))
			for c, v := range b.Cols {
				row[c] = v.Get(b.Row(i))
			}
			rows = append(rows, row)
		}
		b.Sel = []int32{} // as a filter above may leave it
	}
}
